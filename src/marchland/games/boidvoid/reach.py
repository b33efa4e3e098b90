"""Questions that Python asks about units: which row, how far, who is in range."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from marchland.games.boidvoid.roster import row_of_id
from marchland.games.boidvoid.state import (
    ALONE,
    B_RANGE,
    BONUSES,
    OWN_STATS,
    RANGE,
    STATS,
    SWARM,
    UNITS,
    Cells,
    Land,
    Sheets,
    Teams,
    Units,
)

if TYPE_CHECKING:
    from marchland.board import Board
    from marchland.games.boidvoid.game import BoidVoid


def row_of(game: "BoidVoid", name: int) -> int:
    """The row of the unit with that id."""
    return row_of_id(game, name)


def distances(board: "Board", cell: int, cells: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """How far each of ``cells`` is from ``cell``."""
    axes = np.asarray(board.tables.axes).reshape(-1, 3)
    found: npt.NDArray[np.int64] = np.abs(axes[cells] - axes[cell]).max(axis=1)
    return found


def range_of(game: "BoidVoid", unit: int) -> int:
    """How far the unit of that row can attack: step 1 of combat."""
    units: Units = game.part(Units)
    sheets = game.part(Sheets).stat
    rows = game.members(unit) if units.kind[unit] == SWARM else [unit]
    longest = max(int(sheets[row * STATS + RANGE]) for row in rows)
    if units.kind[unit] == SWARM:
        longest += int(sheets[unit * STATS + RANGE])
    if game.config.range_bonus:
        longest += _bonus(game, unit)
    return longest


def _bonus(game: "BoidVoid", unit: int) -> int:
    units: Units = game.part(Units)
    cells: Cells = game.part(Cells)
    land: Land = game.part(Land)
    cell, team = int(units.cell[unit]), int(units.team[unit])
    total = int(land.tile[cell * BONUSES + B_RANGE])
    if cells.point[cell] and cells.owner[cell] == team:
        total += int(land.point[cell * BONUSES + B_RANGE])
    structure = int(cells.structure[cell])
    if structure >= 0 and structure != unit and units.team[structure] == team:
        total += int(game.part(Sheets).stat[structure * STATS + OWN_STATS + B_RANGE])
    return total


def targets(game: "BoidVoid", unit: int) -> list[int]:
    """The ids of the foreign units in range of the unit of that row."""
    units: Units = game.part(Units)
    if units.status[unit] != ALONE:
        return []
    count = int(game.head[UNITS])
    there = np.flatnonzero((units.status[:count] == ALONE) & (units.team[:count] != units.team[unit]))
    near = there[distances(game.board, int(units.cell[unit]), units.cell[there]) <= range_of(game, unit)]
    return units.id[near].tolist()  # type: ignore[no-any-return]


def refuge(game: "BoidVoid", team: int, free: npt.NDArray[np.bool_]) -> list[int]:
    """The nearest of the ``free`` tiles to the team's first home, if there is one."""
    cells = np.flatnonzero(free)
    if len(cells) == 0:
        return []
    away = distances(game.board, int(game.part(Teams).home[team]), cells)
    return [int(cells[np.argmin(away)])]
