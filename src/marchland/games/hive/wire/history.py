"""The history of a game: every state, and between them the orders as they were executed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from marchland.core.orders import Packed
from marchland.games.hive.rules.state import ENTITIES, Entities
from marchland.games.hive.wire.influence import InfluenceLog
from marchland.games.hive.wire.orders import write_order
from marchland.games.hive.wire.state import game_bytes
from marchland.messages import Raw

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive


def history_bytes(game: "Hive", turns: Iterable[Packed], about: dict[str, Any]) -> bytes:
    """The whole history from the first state on, after the fields in ``about``."""
    influence = InfluenceLog(game)
    history: list[dict[str, Any]] = [{"state": Raw(game_bytes(game, None))}]
    for orders in turns:
        places, executed = _places(game), game.execution_order(orders)
        report = game.step(orders)
        remaining = {player: iter(results) for player, results in report.results.items()}
        by_row = [(player, next(remaining[player])) for player in orders.table[0].tolist()]
        orders_played = [
            write_order(result.order, player, result.reason, places)
            for player, result in (by_row[row] for row in executed)
        ]
        influence.note(game)
        history.append({"orders": orders_played, "state": Raw(game_bytes(game, None, influence.last_change))})
    return msgspec.json.encode(about | {"history": history})


def _places(game: "Hive") -> dict[int, list[int]]:
    """Where each entity stands, by id."""
    entities: Entities = game.arrays(Entities)
    rows = int(game.head[ENTITIES])
    at = game.board.coords[entities.cell[:rows]].tolist()
    return dict(zip(entities.id[:rows].tolist(), at, strict=True))
