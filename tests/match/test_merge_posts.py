"""How the posts of one turn become its orders."""

import gc
from typing import Any

import marchland
from marchland.match import Post
from marchland.match.orders import merge_posts


def post(seat: int, *orders: Any) -> Post:
    return Post.encode(1, seat, "key", list(orders), True, 0.0)


def test_a_second_post_replaces_the_first_in_colorfight() -> None:
    kind = marchland.find("colorfight")
    assert merge_posts(kind, [post(1, "a", "b"), post(0, "c"), post(1, "d")]) == {0: ["c"], 1: ["d"]}


def test_in_enova_a_second_post_replaces_the_order_of_each_tile_that_it_names() -> None:
    kind = marchland.find("enova")
    march = {"do": "move", "from": [0, 0], "to": [0, 1]}
    dig = {"do": "defend", "at": [5, 5]}
    instead = {"do": "defend", "at": [0, 0]}
    assert merge_posts(kind, [post(0, march, dig), post(0, instead)]) == {0: [dig, instead]}


def test_in_datspulse_a_second_post_replaces_the_order_of_each_ant_that_it_names() -> None:
    kind = marchland.find("datspulse")
    first, second, again = ({"do": "move", "ant": ant, "path": [[ant, 0]]} for ant in (1, 2, 1))
    assert merge_posts(kind, [post(0, first, second), post(0, again)]) == {0: [second, again]}


def test_in_boidvoid_a_second_post_follows_the_first() -> None:
    kind = marchland.find("boidvoid")
    assert merge_posts(kind, [post(0, "a"), post(0, "a", "b")]) == {0: ["a", "a", "b"]}


def test_orders_without_a_unit_and_malformed_ones_are_left_for_the_game_to_refuse() -> None:
    kind = marchland.find("enova")
    assert merge_posts(kind, [post(0, 7, {"do": "defend"}), post(0, "x", {"at": [1]})]) == {
        0: [7, {"do": "defend"}, "x", {"at": [1]}]
    }


def test_posts_are_no_work_for_the_garbage_collector() -> None:
    assert not gc.is_tracked(post(0, {"do": "defend", "at": [5, 5]}))
