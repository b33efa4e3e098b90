"""Rulings 2 to 4: start, production, ownership, and one action per owned tile."""

from typing import Any

import pytest

import marchland
from tests.games.enova.builders import (
    counted,
    defend,
    move,
    owned,
    position,
    reasons,
    standing,
    support,
)


def test_players_start_with_two_units_and_the_first_turns_production() -> None:
    game = marchland.new("enova", 4, seed=1)
    assert [units for _, units in owned(game).values()] == [3, 3, 3, 3]
    assert counted(game) == [(1, 1, 3)] * 4


def test_a_castle_produces_one_unit_a_turn_for_its_owner_even_if_it_is_empty() -> None:
    game = position("C.C", land={(0, 0): (0, 2), (2, 0): (1, 0)})
    game.step({0: [move((0, 0), (1, 0))]})
    assert owned(game) == {(0, 0): (0, 1), (1, 0): (0, 2), (2, 0): (1, 1)}


def test_an_unowned_castle_produces_nothing_and_there_is_no_cap() -> None:
    game = position("C.C", land={(0, 0): (0, 999_999)}, players=1)
    game.step()
    assert owned(game) == {(0, 0): (0, 1_000_000)}


def test_the_last_step_produces_nothing() -> None:
    game = position("C.C", land={(0, 0): (0, 2), (2, 0): (1, 2)}, turn_limit=2)
    game.step()
    assert standing(game) == 6
    game.step()
    assert game.outcome is not None
    assert standing(game) == 6


def test_a_tile_belongs_to_the_player_who_has_or_last_had_units_there() -> None:
    game = position("....", land={(0, 0): (0, 3), (3, 0): (1, 1)})
    game.step({0: [move((0, 0), (1, 0))]})
    game.step({0: [move((1, 0), (2, 0))]})
    assert owned(game) == {(0, 0): (0, 0), (1, 0): (0, 0), (2, 0): (0, 3), (3, 0): (1, 1)}


def test_impassable_tiles_never_have_an_owner() -> None:
    game = position("X.X", "...", "X.X", land={(1, 2): (0, 90), (1, 1): (1, 8)}, diagonals=True)
    game.step({0: [move((1, 2), (1, 1))]})
    assert owned(game) == {(1, 2): (0, 0), (1, 1): (0, 90), (1, 0): (1, 2), (2, 1): (1, 1), (0, 1): (1, 1)}
    with pytest.raises(marchland.MarchlandError, match="impassable"):
        position("X.", land={(0, 0): (0, 1), (1, 0): (1, 1)})


def test_a_player_orders_each_of_its_tiles_in_one_turn() -> None:
    game = position("......", land={(0, 0): (0, 5), (2, 0): (0, 3), (3, 0): (0, 2), (5, 0): (1, 1)})
    report = game.step({0: [move((0, 0), (1, 0)), defend(2, 0), support(3, 0)]})
    assert reasons(report) == ["OK", "OK", "OK"]


def test_a_move_takes_all_units_unless_it_says_how_many_and_the_rest_stand_idle() -> None:
    game = position("...X.", land={(0, 0): (0, 5), (4, 0): (1, 1)})
    game.step({0: [move((0, 0), (1, 0), 2)]})
    assert owned(game)[0, 0] == (0, 3)
    assert owned(game)[1, 0] == (0, 2)
    game.step({0: [move((1, 0), (2, 0))]})
    assert owned(game)[1, 0] == (0, 0)
    assert owned(game)[2, 0] == (0, 2)


def test_the_last_order_for_a_tile_counts_and_the_earlier_ones_say_that_they_were_replaced() -> None:
    game = position("...X.", land={(1, 0): (0, 5), (4, 0): (1, 1)})
    report = game.step({0: [move((1, 0), (0, 0)), defend(1, 0), move((1, 0), (2, 0), 1)]})
    assert reasons(report) == ["REPLACED", "REPLACED", "OK"]
    assert owned(game) == {(1, 0): (0, 4), (2, 0): (0, 1), (4, 0): (1, 1)}


def test_the_last_order_counts_also_where_there_are_more_orders_than_tiles() -> None:
    game = position("...", land={(1, 0): (0, 5), (2, 0): (1, 1)})
    report = game.step({0: [defend(1, 0), defend(9, 9), move((1, 0), (2, 0))] * 5 + [move((1, 0), (0, 0), 2)]})
    assert reasons(report) == ["REPLACED", "OFF_THE_BOARD", "REPLACED"] * 5 + ["OK"]
    assert owned(game) == {(0, 0): (0, 2), (1, 0): (0, 3), (2, 0): (1, 1)}


def test_a_refused_order_that_came_last_leaves_the_tile_idle() -> None:
    game = position("...X.", land={(1, 0): (0, 5), (4, 0): (1, 1)})
    report = game.step({0: [move((1, 0), (0, 0)), move((1, 0), (2, 0), 6)]})
    assert reasons(report) == ["REPLACED", "NOT_ENOUGH_UNITS"]
    assert owned(game) == {(1, 0): (0, 5), (4, 0): (1, 1)}


BAD: list[tuple[dict[str, Any], str, str]] = [
    (move((0, 2), (0, 0)), "OFF_THE_BOARD", "no such tile"),
    (move((0, 1), (0, 0)), "NOT_YOURS", "not yours"),
    (defend(-1, 0), "OFF_THE_BOARD", "no such tile"),
    (move((4, 0), (3, 0)), "NOT_YOURS", "not yours"),
    (defend(4, 0), "NOT_YOURS", "not yours"),
    (support(3, 0), "NOT_YOURS", "not yours"),
    (support(1, 0), "NO_UNITS", "no units"),
    (move((1, 0), (0, 0)), "NO_UNITS", "no units"),
    (move((0, 0), (0, -1)), "NO_TARGET", "[0, -1]"),
    (move((0, 0), (2, 0)), "NOT_ADJACENT", "[0, 0] and [2, 0]"),
    (move((0, 0), (0, 0)), "NOT_ADJACENT", "not neighbours"),
    (move((2, 0), (2, 1)), "IMPASSABLE", "[2, 1] is impassable"),
    (move((0, 0), (1, 0), 0), "BAD_UNITS", "not 0"),
    (move((0, 0), (1, 0), -1), "BAD_UNITS", "not -1"),
    (move((0, 0), (1, 0), -(2**53) + 1), "BAD_UNITS", "at least 1"),
    (move((0, 0), (1, 0), 6), "NOT_ENOUGH_UNITS", "fewer than 6"),
    (move((0, 0), (1, 0), 2**53 - 1), "NOT_ENOUGH_UNITS", "fewer"),
    ({"do": "move", "from": [0, 0]}, "MALFORMED", "to"),
    ({"do": "move", "from": [0, 0], "to": [1, 0], "units": 1.5}, "MALFORMED", "int"),
    ({"do": "move", "from": [0, 0], "to": [1, 0], "units": 2**53}, "MALFORMED", "units"),
    ({"do": "attack", "at": [0, 0]}, "MALFORMED", "defend"),
]


@pytest.mark.parametrize(("order", "reason", "words"), BAD)
def test_an_order_that_cannot_be_done_is_refused_with_its_reason_and_changes_nothing(
    order: dict[str, Any], reason: str, words: str
) -> None:
    rows = (".....", "XXXXX")
    land = {(0, 0): (0, 5), (1, 0): (0, 0), (2, 0): (0, 1), (4, 0): (1, 3)}
    game, twin = position(*rows, land=land), position(*rows, land=land)
    report = game.step({0: [order]})
    twin.step()
    (result,) = report.results[0]
    assert (result.ok, result.reason) == (False, reason)
    assert words in result.sentence
    assert game.digest() == twin.digest()


def test_the_owner_of_a_tile_is_not_disturbed_by_a_strangers_order_for_it() -> None:
    game = position("...", land={(0, 0): (0, 5), (2, 0): (1, 3)})
    report = game.step({1: [move((2, 0), (1, 0)), defend(0, 0)], 0: [defend(2, 0)]})
    assert reasons(report, 1) == ["OK", "NOT_YOURS"]
    assert reasons(report, 0) == ["NOT_YOURS"]
    assert owned(game)[1, 0] == (1, 3)


def test_on_a_torus_a_move_over_the_edge_comes_in_on_the_other_side() -> None:
    game = position("....", "....", "....", land={(0, 0): (0, 5), (2, 1): (1, 3)}, torus=True)
    report = game.step({0: [move((0, 0), (-1, 0), 2)]})
    assert reasons(report) == ["OK"]
    assert owned(game)[3, 0] == (0, 2)


def test_with_diagonals_units_move_across_corners() -> None:
    game = position("..", "..", land={(0, 0): (0, 5), (1, 0): (1, 3)}, diagonals=True)
    game.step({0: [move((0, 0), (1, 1))]})
    assert owned(game)[1, 1] == (0, 5)


def test_a_player_who_is_eliminated_gives_no_orders() -> None:
    game = position("...", land={(0, 0): (0, 5), (2, 0): (1, 3)}, players=3)
    assert reasons(game.step({2: [defend(0, 0)]}), 2) == ["DEAD"]
    assert game.legal(2) == {}
