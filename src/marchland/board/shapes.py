"""Sets of cells as frame coordinates in row-major order, and the words with which impossible ones are refused."""

import numpy as np
import numpy.typing as npt

from marchland.board.dialects import ODD_R, Dialect
from marchland.board.tables import MOST_PLACES, Longs

FARTHEST = 2**29
"""How far from zero a coordinate may be."""


def rectangle(width: int, height: int, *, wrap: bool) -> tuple[Longs, Longs]:
    """Columns and rows of a rectangle at (0, 0)."""
    if width < 1 or height < 1:
        raise ValueError(f"A board of {width} x {height} has no cells: both sides must be at least 1.")
    if wrap and (width < 3 or height < 3):
        raise ValueError(
            f"A board of {width} x {height} cannot wrap, as a cell would be its own neighbour or one neighbour "
            "twice: both sides must be at least 3."
        )
    _refuse_giants(width * height)
    return np.tile(np.arange(width), height), np.repeat(np.arange(height), width)


def hex_rectangle(width: int, height: int, *, wrap: bool) -> tuple[Longs, Longs]:
    """The hexes of an odd-r rectangle."""
    if wrap and height % 2:
        raise ValueError(
            f"A hex board of height {height} cannot wrap, as its last row and its first would both be even: "
            "the height must be even."
        )
    return ODD_R.to_frame(*rectangle(width, height, wrap=wrap))


def hexagon(radius: int) -> tuple[Longs, Longs]:
    """The hexes at distance ``radius`` or less from (0, 0)."""
    if radius < 0:
        raise ValueError(f"A hexagon of radius {radius} has no cells: the radius must be at least 0.")
    _refuse_giants((2 * radius + 1) ** 2)
    side = np.arange(-radius, radius + 1)
    r, q = np.meshgrid(side, side, indexing="ij")
    inside = abs(q + r) <= radius
    return q[inside], r[inside]


def from_coordinates(dialect: Dialect, coords: npt.ArrayLike) -> tuple[Longs, Longs]:
    """The cells written as pairs, in any order."""
    a, b = _pairs(coords)
    p, r = dialect.to_frame(a, b)
    back_a, back_b = dialect.from_frame(p, r)
    misnamed = np.flatnonzero((back_a != a) | (back_b != b))
    if len(misnamed):
        pair = [int(a[misnamed[0]]), int(b[misnamed[0]])]
        raise ValueError(f"{pair} is no cell in {dialect.name!r} coordinates: row + column must be even.")
    order = np.lexsort((p, r))
    p, r = p[order], r[order]
    repeated = np.flatnonzero((p[1:] == p[:-1]) & (r[1:] == r[:-1]))
    if len(repeated):
        pair = [int(side[order[repeated[0]]]) for side in (a, b)]
        raise ValueError(f"The cell {pair} is given twice: each cell of a board is named once.")
    return p, r


def _pairs(coords: npt.ArrayLike) -> tuple[Longs, Longs]:
    try:
        pairs = np.asarray(coords)
    except ValueError:  # the entries differ in length
        pairs = np.array([None])
    if pairs.size == 0:
        raise ValueError("A board needs at least one cell, and none was given.")
    huge = pairs.dtype == object and all(isinstance(number, int) for number in pairs.flat)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not (huge or pairs.dtype.kind in "iu"):
        raise ValueError("The cells of a board are a list of pairs of whole numbers, e.g. [[0, 0], [1, 0]].")
    if not np.all((pairs >= -FARTHEST) & (pairs <= FARTHEST)):
        raise ValueError(f"A coordinate is too large: they must lie between {-FARTHEST} and {FARTHEST}.")
    wide = pairs.astype(np.int64)
    return wide[:, 0], wide[:, 1]


def _refuse_giants(places: int) -> None:
    if places > MOST_PLACES:
        raise ValueError(f"A board may span {MOST_PLACES} places, and this one would span {places}.")
