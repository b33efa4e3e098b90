"""The menu of Enova's legal orders, as the turn begins."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.core.game_functions import ResourceLevel
from marchland.games.enova.maps.worlds import sides_of
from marchland.games.enova.odds import CERTAIN, forecasts
from marchland.games.enova.rules.state import Cells as CellArrays
from marchland.games.enova.rules.state import Players
from marchland.games.enova.rules.terrain import IMPASSABLE
from marchland.messages import Cells, Forecast, Menu, Range

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova


def menu(game: "Enova", player: int, verb: str, picked: Mapping[str, Any]) -> Menu | None:
    """What may be picked next for ``verb``."""
    if verb != "move":
        return None if "at" in picked else _cells(game, "at", armies(game, player))
    if "from" not in picked:
        return _cells(game, "from", [cell for cell in armies(game, player) if len(ways(game, cell))])
    source = army_at(game, player, picked["from"])
    most = int(game.arrays(CellArrays).units[source]) if source >= 0 else 0
    if "to" not in picked:
        found = ways(game, source) if source >= 0 else []
        with_all = [forecasts(game, player, source, target, np.array([most]))[0] for target in found]
        return _cells(game, "to", found, with_all if any(with_all) else [])
    if "units" not in picked:
        target = cell_at(game, picked["to"])
        steps = [] if min(source, target) < 0 else by_units(game, player, source, target, most)
        enough = next((units for units, entry in steps if entry.arguments.get("defended") == CERTAIN), None)
        return Range("units", 1, most, enough, forecasts=steps)
    return None


def by_units(game: "Enova", player: int, source: int, target: int, most: int) -> list[tuple[int, Forecast]]:
    """What a move would do, by the number of units from which on it does that."""
    found: list[tuple[int, Forecast]] = []
    for units, entry in enumerate(forecasts(game, player, source, target, np.arange(1, most + 1)), 1):
        if entry is not None and (not found or found[-1][1] != entry):
            found.append((units, entry))
    return found


def forecast(game: "Enova", player: int, order: Mapping[str, Any]) -> Forecast | None:
    """The chances of a move, together with the other planned orders."""
    if order["do"] != "move":
        return None
    source, target = army_at(game, player, order["from"]), cell_at(game, order["to"])
    if min(source, target) < 0:
        return None
    units = order.get("units") or int(game.arrays(CellArrays).units[source])
    return forecasts(game, player, source, target, np.array([units]))[0]


def probe(game: "Enova", player: int, verb: str, cell: int | None) -> dict[str, Any] | None:
    """An order for the tile that is picked."""
    if cell is None or cell < 0:
        return None
    at = list(game.board.at(cell))
    beside = ways(game, cell)
    if verb != "move":
        return {"do": verb, "at": at}
    return {"do": verb, "from": at, "to": list(game.board.at(beside[0]))} if beside else None


def resources(game: "Enova", player: int) -> list[ResourceLevel]:
    """The units that have no order to march, and what the castles add."""
    players: Players = game.arrays(Players)
    income = int(players.castles[player]) * game.config.production
    return [ResourceLevel("units", int(players.units[player]), income)]


def armies(game: "Enova", player: int) -> Sequence[int]:
    """The player's tiles with units on them."""
    cells: CellArrays = game.arrays(CellArrays)
    found: Sequence[int] = np.flatnonzero((cells.owner == player) & (cells.units > 0)).tolist()
    return found


def ways(game: "Enova", cell: int) -> Sequence[int]:
    """The neighbours that units can move to."""
    terrain: npt.NDArray[np.int8] = game.arrays(CellArrays).terrain
    return [other for other in game.board.neighbours(cell) if terrain[other] != IMPASSABLE]


def army_at(game: "Enova", player: int, place: Any) -> int:
    """The tile at ``place`` if units of the player stand there, or -1."""
    cells: CellArrays = game.arrays(CellArrays)
    cell = cell_at(game, place)
    return cell if cell >= 0 and cells.owner[cell] == player and cells.units[cell] > 0 else -1


def cell_at(game: "Enova", place: Any) -> int:
    """The tile at ``place``, on a torus beyond the edge, too (ruling 22); -1 off the board."""
    try:
        x, y = (int(number) for number in place)
        width, height = sides_of(game.board)
        return game.board.index(x % width, y % height) if game.board.wrap else game.board.index(x, y)
    except (TypeError, ValueError, OverflowError):
        return -1


def _cells(game: "Enova", param: str, cells: Sequence[int], expected: Sequence[Forecast | None] = ()) -> Cells:
    return Cells(
        param, [(x, y) for x, y in game.board.coords[np.array(cells, np.int64)].tolist()], forecasts=[*expected]
    )
