"""Menus that count the orders of the turn."""

from typing import Any

import marchland
from marchland.core.menus import list_menus
from marchland.messages import Forecast, MenusRequest
from tests.games.colorfight.builders import match as position
from tests.games.colorfight.builders import own


def test_energy_that_is_ordered_is_not_offered_again() -> None:
    match = marchland.new("colorfight", 2, seed=4)
    before = match.digest()
    first, other, *_ = match.legal(0)["attack"].cells  # type: ignore[index, union-attr]
    have = match.legal(0, {"do": "attack", "at": first}).most  # type: ignore[union-attr]
    queued = [{"do": "attack", "at": first, "energy": have - 10}, {"do": "attack", "at": other, "energy": have}]
    partial = {"do": "attack", "at": other}
    menus = list_menus(match, 0, MenusRequest([partial, {"do": "attack", "at": first}], queued))
    assert [entry.menu.most for entry in menus.following] == [10, 10]  # type: ignore[union-attr]
    assert menus.following[0].menu.needed > 10  # type: ignore[union-attr, operator]
    assert menus.following[1].menu.needed == 0  # type: ignore[union-attr]
    energy, gold = menus.resources
    assert (energy.name, energy.have, energy.left) == ("energy", have, 10)
    assert gold.have == gold.left
    assert match.digest() == before


def test_gold_that_is_ordered_buys_nothing_else() -> None:
    match = marchland.new("colorfight", 2, seed=4, config={"start_gold": 250})
    target = match.legal(0)["attack"].cells[0]  # type: ignore[index, union-attr]
    match.step({0: [{"do": "attack", "at": target, "energy": 500}]})
    build = {"do": "build", "at": target, "building": "gold_mine"}
    assert "build" in list_menus(match, 0, MenusRequest()).verbs
    menus = list_menus(match, 0, MenusRequest(queued=[build]))
    assert "build" not in menus.verbs
    assert menus.prices["build"] == {"gold": 200}


def test_a_queued_attack_is_compared_with_what_takes_the_cell() -> None:
    match = marchland.new("colorfight", 2, seed=4)
    first, other, *_ = match.legal(0)["attack"].cells  # type: ignore[index, union-attr]
    needed: Any = match.legal(0, {"do": "attack", "at": first}).needed  # type: ignore[union-attr]
    attacks = [{"do": "attack", "at": first, "energy": needed - 1}, {"do": "attack", "at": other, "energy": 900}]
    weak, strong = match.forecasts(0, attacks)
    assert weak == Forecast("ATTACK", {"energy": needed - 1, "needed": needed}, hopeless=True)
    assert strong is not None and strong.hopeless is False
    both = match.forecasts(0, [attacks[0], {**attacks[0], "energy": 1}])
    assert [entry.hopeless for entry in both if entry] == [False, False]


def test_a_picked_cell_says_why_verbs_are_not_for_it_and_what_they_cost_there() -> None:
    match = position({(2, 2): own(0, "home")}, [{"gold": 300}, {}])
    menus = list_menus(match, 0, MenusRequest(at=(2, 2)))
    assert {verb: reason.code for verb, reason in menus.reasons.items()} == {
        "attack": "NO_ADJACENT_CELL",
        "build": "OCCUPIED",
    }
    assert menus.prices["upgrade"] == {"gold": 1000, "energy": 1000}
