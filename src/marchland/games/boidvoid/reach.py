"""Questions about distance that Python asks of many units at once."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from marchland.games.boidvoid.codes import ALONE, UNITS
from marchland.games.boidvoid.state import Units

if TYPE_CHECKING:
    from marchland.board import Board
    from marchland.games.boidvoid.game import BoidVoid


def distances(board: "Board", cell: int, cells: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """How far each of ``cells`` is from ``cell``."""
    axes = np.asarray(board.tables.axes).reshape(-1, 3)
    found: npt.NDArray[np.int64] = np.abs(axes[cells] - axes[cell]).max(axis=1)
    return found


def targets(game: "BoidVoid", unit: int) -> list[int]:
    """The ids of the foreign units in range of the unit of that row."""
    units: Units = game.part(Units)
    if units.status[unit] != ALONE:
        return []
    count = int(game.head[UNITS])
    there = np.flatnonzero((units.status[:count] == ALONE) & (units.team[:count] != units.team[unit]))
    near = there[distances(game.board, int(units.cell[unit]), units.cell[there]) <= game.range_of(unit)]
    return units.id[near].tolist()  # type: ignore[no-any-return]
