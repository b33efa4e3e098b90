"""The menu of Enova's legal orders, as the turn begins."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.games.enova.maps.worlds import sides_of
from marchland.games.enova.rules.state import Cells as CellArrays
from marchland.games.enova.rules.terrain import IMPASSABLE
from marchland.messages import Cells, Menu, Range

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova


def menu(game: "Enova", player: int, verb: str, picked: Mapping[str, Any]) -> Menu | None:
    """What may be picked next for ``verb``."""
    if verb != "move":
        return None if "at" in picked else _cells(game, "at", armies(game, player))
    if "from" not in picked:
        return _cells(game, "from", [cell for cell in armies(game, player) if len(ways(game, cell))])
    source = army_at(game, player, picked["from"])
    if "to" not in picked:
        return _cells(game, "to", ways(game, source) if source >= 0 else [])
    if "units" not in picked:
        return Range("units", 1, int(game.arrays(CellArrays).units[source]) if source >= 0 else 0)
    return None


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
    try:
        x, y = (int(number) for number in place)
    except (TypeError, ValueError, OverflowError):
        return -1
    width, height = sides_of(game.board)
    cell = game.board.index(x % width, y % height) if game.board.wrap else game.board.index(x, y)
    return cell if cell >= 0 and cells.owner[cell] == player and cells.units[cell] > 0 else -1


def _cells(game: "Enova", param: str, cells: Sequence[int]) -> Cells:
    return Cells(param, [(x, y) for x, y in game.board.coords[np.array(cells, np.int64)].tolist()])
