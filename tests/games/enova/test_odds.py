"""The chances of an attack, as menus and queued orders show them."""

import random

import numpy as np
import pytest

import marchland
from marchland.core.menus import list_menus
from marchland.games.enova.odds import win_chances
from marchland.messages import Cells, Forecast, MenusRequest, Range
from tests.games.enova.builders import battles, defend, move, position, support

GAMES = 400
ATTACKED = {(0, 0): (0, 12), (1, 0): (1, 10), (1, 1): (0, 5), (2, 0): (0, 3)}


def battle(chance: int, defended: int, held: int = 10) -> Forecast:
    return Forecast("BATTLE", {"chance": chance, "defended": defended, "held": held}, hopeless=chance == 0)


@pytest.mark.parametrize(("own", "held", "defends"), [(12, 10, False), (8, 10, False), (20, 10, True), (3, 2, False)])
def test_the_chance_is_the_share_of_battles_that_are_won(own: int, held: int, defends: bool) -> None:
    strength = 2 * held if defends else held
    (chance,) = win_chances(np.array([own]), strength, 25).tolist()
    won, seeds = 0, random.Random(1)
    for _ in range(GAMES):
        game = position("..", land={(0, 0): (0, own), (1, 0): (1, held)}).fork(seeds.getrandbits(48))
        report = game.step({0: [move((0, 0), (1, 0))], 1: [defend(1, 0)] if defends else []})
        won += battles(report)[0]["winner"] == 0
    assert abs(100 * won / GAMES - chance) < 9  # four standard deviations at one half are 10


def test_only_what_is_certain_is_0_or_100_percent() -> None:
    assert win_chances(np.array([1, 499, 500, 2000]), 1000, 25).tolist() == [0, 0, 0, 100]
    assert win_chances(np.array([605, 1650]), 1000, 25).tolist() == [1, 99]


def test_without_variance_the_owner_holds_a_tie() -> None:
    assert win_chances(np.array([1, 2, 3]), 2, 0).tolist() == [0, 0, 100]


def test_the_menu_tells_the_odds_at_each_target_and_for_each_number() -> None:
    game = position("...", "...", land={(0, 0): (0, 12), (1, 0): (1, 10), (0, 1): (1, 0)})
    targets, numbers = list_menus(game, 0, MenusRequest([{"do": "move", "from": [0, 0]}])).following[:2]
    assert isinstance(targets.menu, Cells)
    assert dict(zip(targets.menu.cells, targets.menu.forecasts, strict=True)) == {
        (1, 0): battle(86, 0),
        (0, 1): Forecast("UNDEFENDED"),
    }
    assert isinstance(numbers.menu, Range)
    assert numbers.menu.forecasts[0] == (1, battle(0, 0))
    assert numbers.menu.forecasts[-1] == (12, battle(86, 0))


def test_the_number_is_proposed_that_wins_even_against_defence() -> None:
    game = position("..", land={(0, 0): (0, 99), (1, 0): (1, 10)})
    menu = game.legal(0, {"do": "move", "from": [0, 0], "to": [1, 0]})
    assert isinstance(menu, Range) and menu.usual is not None
    chances = dict(menu.forecasts)
    assert (menu.usual, chances[menu.usual]) == (31, battle(100, 100))


def test_queued_orders_are_counted_together() -> None:
    game = position("....", "....", land=ATTACKED)
    alone = [move((0, 0), (1, 0), 8)]
    assert game.forecasts(0, alone) == [battle(7, 0)]
    together = [*alone, support(1, 1), move((2, 0), (1, 0))]
    assert game.forecasts(0, together) == [battle(100, 13), None, battle(100, 13)]
    assert game.digest() == position("....", "....", land=ATTACKED).digest()


def test_units_that_march_are_spent_and_the_castles_are_the_income() -> None:
    game = position("C...", "....", land=ATTACKED)
    (units,) = list_menus(game, 0, MenusRequest(queued=[move((0, 0), (1, 0), 7), support(1, 1)])).resources
    assert (units.name, units.have, units.left, units.income) == ("units", 20, 13, 1)


def test_a_tile_that_is_not_ones_own_says_why() -> None:
    game = position("....", "....", land=ATTACKED)
    reasons = list_menus(game, 0, MenusRequest(at=(1, 0))).reasons
    assert {verb: reason.code for verb, reason in reasons.items()} == dict.fromkeys(
        ("move", "defend", "support"), "NOT_YOURS"
    )


def test_orders_that_make_no_sense_have_no_odds() -> None:
    game = marchland.new("enova", 2, seed=1)
    assert game.forecasts(0, [None, {"do": "move"}, move((90, 90), (91, 90)), {"do": "nothing"}]) == [None] * 4
