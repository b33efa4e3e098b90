"""The state of a Hive match as the public competition's server sent it."""

from typing import TYPE_CHECKING, Any, Final

import msgspec

from marchland.games.hive.rules.state import FIELD, KINDS, TERRAINS, WITHOUT_GATHERING, Cells, Players
from marchland.games.hive.views import Sight, entities_in_sight, look_around

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive

_GROUND: Final = {"empty": "EMPTY", "field": "FIELD", "stone": "ROCK"}
_TERRAIN: Final = [_GROUND.get(name, "") for name in TERRAINS]
_TYPES: Final = [name.upper() for name in KINDS]


def game_bytes(game: "Hive", seat: int | None, influence_change: int = 0) -> bytes:
    """What a player sees, or everything, as JSON. What is zero, false or empty and may be missing is left out.

    ``influence_change`` is the turn that began with another influence than the one before (see `InfluenceLog`).
    """
    sight = look_around(game, seat)
    reserves = game.arrays(Players).flowers.tolist()
    state: dict[str, Any] = {
        "numPlayers": len(game.players),
        "turn": game.turn,
        "hexes": _hexes(game, sight),
        "playerResources": [have if seat in (None, player) else 0 for player, have in enumerate(reserves)],
        "lastResourceChange": max(0, game.turn - 1 - int(game.head[WITHOUT_GATHERING])),
    }
    if influence_change:
        state["lastInfluenceChange"] = influence_change
    outcome = game.outcome
    if outcome is not None:
        state["winners"] = sorted(outcome.winners)
    return msgspec.json.encode(state | {"gameOver": outcome is not None})


def _hexes(game: "Hive", sight: Sight) -> dict[str, dict[str, Any]]:
    cells: Cells = game.arrays(Cells)
    hexes: dict[int, dict[str, Any]] = {}
    for cell in sight.cells.tolist():
        terrain = int(cells.terrain[cell])
        hexes[cell] = {"terrain": _TERRAIN[terrain]}
        if terrain == FIELD and cells.flowers[cell]:
            hexes[cell]["resources"] = int(cells.flowers[cell])
    columns = (column.tolist() for column in entities_in_sight(game, sight))
    for _, cell, kind, owner, hp, carries, _ in zip(*columns, strict=True):
        entity: dict[str, Any] = {"type": _TYPES[kind], "player": owner}
        if hp:
            entity["hp"] = hp
        if carries:
            entity["hasFlower"] = True
        hexes[cell]["entity"] = entity
    for cell, bits in zip(hexes, sight.influence[sight.cells].tolist(), strict=True):
        if bits.bit_count() == 1:
            hexes[cell]["influence"] = bits.bit_length() - 1
    places = game.board.coords[sight.cells].tolist()
    return {f"{row},{column}": content for (row, column), content in zip(places, hexes.values(), strict=True)}
