"""Menus of partial orders, with those that follow them."""

import pytest

import marchland
from marchland import registry
from marchland.core.menus import MAX_FOLLOWING, following_menus
from marchland.registry import games
from tests.support.small_matches import SMALL


@pytest.mark.parametrize("game", games())
def test_every_following_menu_is_the_one_that_the_game_gives_for_its_order(game: str) -> None:
    match = marchland.new(game, 2, seed=4, **SMALL.get(game, {}))
    verbs = match.legal(0)
    assert isinstance(verbs, dict)
    found = following_menus(match, 0, [{"do": verb} for verb in verbs])
    assert [entry.order["do"] for entry in found[: len(verbs)]] == list(verbs)
    assert all(entry.menu == match.legal(0, entry.order) for entry in found)


def test_a_piece_gets_its_whole_menu_tree() -> None:
    match = marchland.new("enova", 2, seed=4)
    start = match.legal(0)["move"].cells[0]  # type: ignore[index, union-attr]
    first, *rest = following_menus(match, 0, [{"do": "move", "from": start}])
    assert [entry.order["to"] for entry in rest] == first.menu.cells  # type: ignore[union-attr]
    assert all(entry.menu is not None for entry in rest)


def test_a_large_tree_is_cut_off() -> None:
    match = marchland.new("colorfight", 2, seed=4)
    bot = registry.find("colorfight").bots["greedy"](seed=1)
    for _ in range(40):
        match.step({0: bot.play(match.observe(0))})
    found = following_menus(match, 0, [{"do": "attack"}])
    assert len(found) == MAX_FOLLOWING < len(match.legal(0)["attack"].cells)  # type: ignore[index, union-attr]
