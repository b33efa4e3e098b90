"""A server that dies at any moment, again and again, while matches are played and items of the ledger are burned.

``make acceptance`` kills it more often: tests/acceptance/crashes.py.
"""

from collections.abc import Iterator

import pytest

from tests.support.crashes import (
    Aftermath,
    check_actions,
    check_database,
    check_items,
    check_numbers,
    check_orders,
    check_receipts,
    check_refusals,
    check_turns,
    crash_repeatedly,
)

KILLS = 6


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aftermath]:
    with crash_repeatedly(tmp_path_factory.mktemp("crashes"), KILLS) as left:
        yield left


def test_every_acknowledged_order_is_in_the_turn_that_its_receipt_names(aftermath: Aftermath) -> None:
    check_receipts(aftermath)


def test_every_turn_was_played_once_and_has_the_digest_of_a_clean_run(aftermath: Aftermath) -> None:
    check_turns(aftermath)


def test_acknowledged_orders_took_part_in_the_turn(aftermath: Aftermath) -> None:
    check_orders(aftermath)


def test_every_acknowledged_action_was_done_once_and_in_its_order(aftermath: Aftermath) -> None:
    check_actions(aftermath)


def test_actions_are_numbered_without_a_hole(aftermath: Aftermath) -> None:
    check_numbers(aftermath)


def test_every_item_was_burned_once_by_an_action_that_counts_or_is_still_there(aftermath: Aftermath) -> None:
    check_items(aftermath)


def test_what_was_refused_cost_nothing(aftermath: Aftermath) -> None:
    check_refusals(aftermath)


def test_the_database_is_whole(aftermath: Aftermath) -> None:
    check_database(aftermath)
