"""The board that the rules draw: castles on a lattice, impassable tiles between them (ruling 1)."""

import math

import numpy as np
import numpy.typing as npt

from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE, OPEN


def lattice_sides(players: int, least: int) -> tuple[int, int]:
    """How many castles a row and how many rows of them: as square as can be, with a castle for every player."""
    columns = max(least, math.isqrt(players - 1) + 1)
    return columns, max(least, -(-players // columns))


def lattice_terrain(width: int, height: int, spacing: int) -> npt.NDArray[np.int8]:
    """A row of tiles for every y: castles where both coordinates divide by the spacing, walls where both are odd."""
    x, y = np.arange(width) % spacing, (np.arange(height) % spacing)[:, None]
    castles, walls = (x == 0) & (y == 0), (x % 2 == 1) & (y % 2 == 1)
    return np.where(castles, np.int8(CASTLE), np.where(walls, np.int8(IMPASSABLE), np.int8(OPEN)))
