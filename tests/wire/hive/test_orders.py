"""Parsing of orders, and what the state says about resources."""

from typing import Any

import msgspec
import pytest

import marchland
from marchland.games.hive.game import Hive
from marchland.games.hive.wire import BadOrdersError, game_bytes, read_orders


def _game() -> Hive:
    game = marchland.new("hive", 1, seed=1, map="tiny", rules="2025")
    assert isinstance(game, Hive)
    return game


@pytest.mark.parametrize("body", [b"", b"  ", b"null", b"{}", b"[]", b" [ ] "])
def test_empty_bodies_are_no_orders(body: bytes) -> None:
    assert read_orders(body) == []


@pytest.mark.parametrize(
    "body",
    [
        b'[{"type":"FORAGE","coords":"3,5"}]',
        b'[{"type":"FORAGE","coords":"3,5","direction":""}]',
        b'[{"type":"FORAGE","coords":"3,5","direction":null}]',
        b'[{"type":"FORAGE","player":0,"coords":"3,5","direction":"","status":""}]',
    ],
    ids=["short", "empty direction", "null direction", "as the first agents encode it"],
)
def test_unused_fields_of_an_order_may_be_missing_or_empty(body: bytes) -> None:
    assert read_orders(body) == [{"do": "forage", "unit": [3, 5]}]


def test_an_invalid_order_is_refused_alone() -> None:
    game = _game()
    bee = next(one for one in game.view(0)["entities"] if one["kind"] == "bee")
    coords = ",".join(map(str, bee["at"]))
    body = f"""[{{"type":"DANCE","coords":"{coords}"}},{{"type":"MOVE","coords":"{coords}"}},
        {{"type":"MOVE","coords":"{coords}","direction":"UP"}},{{"type":"FORAGE","coords":"{coords}"}}]"""
    results = game.step({0: read_orders(body.encode())}).results[0]
    assert [one.reason for one in results] == ["MALFORMED", "MALFORMED", "MALFORMED", "CANNOT_FORAGE"]


@pytest.mark.parametrize(
    "body", [b"7", b"[7]", b'[{"coords":"1,1"}]', b'[{"type":"MOVE","coords":"1;1"}]', b"[" * 9999]
)
def test_a_body_that_is_not_a_list_of_orders_is_refused(body: bytes) -> None:
    with pytest.raises(BadOrdersError):
        read_orders(body)


def test_the_last_resource_change_is_the_turn_in_which_a_flower_was_delivered() -> None:
    game = _game()
    assert _state(game)["lastResourceChange"] == 0
    bots = game.bots["greedy"](seed=1)
    while not _state(game)["playerResources"][0]:
        turn = game.turn
        game.step({0: bots.play(game.view(0))})
    assert _state(game)["lastResourceChange"] == turn > 0
    game.step()
    assert _state(game)["lastResourceChange"] == turn


def _state(game: Hive) -> Any:
    return msgspec.json.decode(game_bytes(game, None))
