"""What is shown beside a board while a match is watched."""

from marchland.cli.terminal.watch import describe_results
from tests.games.colorfight.builders import attack, match, own

HOMES = {(2, 2): own(0, "home"), (6, 6): own(1, "home")}


def test_orders_are_counted_by_what_became_of_them() -> None:
    report = match(HOMES).step({0: [attack(2, 3, 100), attack(2, 1, 10), attack(7, 7, 10)], 1: [attack(6, 5, 100)]})
    assert describe_results(report) == "orders: 2 done, 1 without effect, 1 refused"


def test_a_turn_without_orders_says_so() -> None:
    assert describe_results(match(HOMES).step()) == "no orders"
