"""Menus that count the orders of the turn."""

from marchland.core.menus import list_menus
from marchland.messages import MenusRequest
from tests.games.hive.builders import match, order

ROW = "H0  .   B0  .   .   B1"


def test_flowers_that_are_ordered_buy_nothing_else() -> None:
    game = match(ROW, (20, 0))
    before = game.digest()
    menus = list_menus(game, 0, MenusRequest(queued=[order("spawn", 0, "E")]))
    (flowers,) = menus.resources
    assert (flowers.name, flowers.have, flowers.left) == ("flowers", 20, 8)
    assert "spawn" not in menus.verbs and "build_wall" in menus.verbs
    assert game.digest() == before


def test_orders_beyond_the_flowers_cost_nothing() -> None:
    queued = [order("spawn", 0, "E"), order("build_hive", 1), order("build_wall", 1, "E"), order("move", 1, "W")]
    (flowers,) = list_menus(match(ROW, (20, 0)), 0, MenusRequest(queued=queued)).resources
    assert flowers.left == 2


def test_a_bee_that_cannot_forage_says_why() -> None:
    assert list_menus(match(ROW), 0, MenusRequest()).reasons["forage"].code == "CANNOT_FORAGE"
