"""Menus that count the orders of the turn."""

import marchland
from marchland.core.menus import list_menus
from marchland.messages import MenusRequest


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
