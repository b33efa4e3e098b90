"""The history of a game: its states, and the orders as they were executed."""

from pathlib import Path
from typing import Any

import msgspec

import marchland
from marchland.core.reasons import CommonReason
from marchland.games.hive.game import Hive
from marchland.games.hive.rules.reasons import HiveReason
from marchland.games.hive.wire import history_bytes

CONTEST = "B0  .   B3"
"""Both bees can move into the cell between them."""


def _contest(seed: int) -> tuple[Hive, list[dict[str, Any]]]:
    """A turn in which both move there, after an order of the first player that no game understands."""
    game = marchland.new("hive", 2, seed=seed, map=CONTEST)
    assert isinstance(game, Hive)
    moves = {0: [{"do": "dance"}, {"do": "move", "unit": [0, 0], "dir": "E"}]}
    moves[1] = [{"do": "move", "unit": [0, 4], "dir": "W"}]
    history = msgspec.json.decode(history_bytes(game, [game.pack_orders(moves)[0]], {}))["history"]
    return game, history[1]["orders"]


def test_orders_are_listed_as_they_were_executed_and_what_was_not_understood_comes_last() -> None:
    winners = set()
    for seed in range(20):
        game, orders = _contest(seed)
        (middle,) = [one for one in game.view()["entities"] if one["at"] == [0, 2]]
        assert [order["player"] for order in orders] == [middle["owner"], 1 - middle["owner"], 0]
        assert [order["status"] for order in orders] == ["OK", "BLOCKED", "MALFORMED"]
        winners.add(middle["owner"])
    assert winners == {0, 1}


def test_an_order_that_was_not_understood_has_neither_type_nor_coords() -> None:
    _, orders = _contest(0)
    assert orders[2] == {"type": None, "player": 0, "coords": None, "status": "MALFORMED"}


def test_the_page_of_the_wires_explains_every_status() -> None:
    page = (Path(__file__).parents[3] / "docs" / "wires.md").read_text()
    statuses = [reason.name for reason in (CommonReason.OK, CommonReason.MALFORMED, CommonReason.DEAD, *HiveReason)]
    assert [status for status in statuses if f"`{status}`" not in page] == []
