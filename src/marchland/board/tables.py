"""A board as the kernels see it: a handful of flat arrays that say everything, whatever the topology.

Places of ``lookup`` are rows and columns of the upright rectangle round the board. A column is p + (r >> 1) on
a hex board, so that a hexagon or an odd-r rectangle fills its rectangle and a torus wraps both ways straight.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board.lattices import Lattice

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

# Positions in ``Tables.shape``.
SIZE, DEGREE, LEFT, TOP, WIDTH, HEIGHT, SLANT, WRAP, SLOPE_A, SLOPE_B, IMAGES = range(11)
_SHAPE = 11

MOST_PLACES = 1 << 26


class Tables(NamedTuple):
    """What kernels take for a board. With JIT off each is a memoryview, so that loads are Python ints."""

    neighbours: Ints
    """size x degree: the cell in each direction, -1 where there is none."""
    axes: Ints
    """size x 3: distance is the largest of the three differences."""
    images: Ints
    """k x 3: what to add to a difference of axes to go round the torus; the first adds nothing."""
    frame: Ints
    """size x 2: frame coordinates (p, r)."""
    lookup: Ints
    """height x width: the cell at each place of the surrounding rectangle, -1 where there is none."""
    shape: Ints
    """The numbers that SIZE, DEGREE, LEFT, ... name the positions of."""


def cut(flat: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The tables, in their order, out of the one array in which they lie end to end. Runs inside kernels too."""
    shape = flat[:_SHAPE]
    size = shape[SIZE]
    axes = _SHAPE + size * shape[DEGREE]
    images = axes + 3 * size
    frame = images + 3 * shape[IMAGES]
    lookup = frame + 2 * size
    return flat[_SHAPE:axes], flat[axes:images], flat[images:frame], flat[frame:lookup], flat[lookup:], shape


def for_kernels(array: npt.NDArray[Any]) -> Any:
    """The array as kernels want it: itself, or a memoryview of it with JIT off."""
    return array if _is_compiled() else array.data


@functools.cache
def _is_compiled() -> bool:
    from marchland.core.kernel import JIT  # here, so that importing the package does not load numba

    return JIT


def build_tables(lattice: Lattice, p: Longs, r: Longs, wrap: bool) -> Ints:
    """The tables of the cells (p, r), end to end. Cells come row by row; a wrapped board is a full rectangle."""
    column = p + lattice.slant * (r >> 1)
    left, top = int(column.min()), int(r[0])
    width, height = int(column.max()) - left + 1, int(r[-1]) - top + 1
    if width * height > MOST_PLACES:
        raise ValueError(
            f"The cells lie too far apart: the rectangle round them has {width} x {height} places, "
            f"and a board may span {MOST_PLACES}."
        )
    size, degree = len(p), len(lattice.steps)
    lookup = np.full((height, width), -1, np.int32)
    lookup[r - top, column - left] = np.arange(size, dtype=np.int32)
    images = _embed(lattice, *_ways_round(lattice, width, height, wrap))
    shape = (size, degree, left, top, width, height, lattice.slant, int(wrap), *lattice.slopes, len(images))
    parts = (
        np.array(shape, np.int32),
        _neighbours(lattice, lookup, column - left, r - top, r & 1, wrap),
        _embed(lattice, p, r),
        images,
        np.stack((p, r), axis=1, dtype=np.int32, casting="unsafe"),
        lookup,
    )
    flat = np.concatenate([part.reshape(-1) for part in parts])
    flat.flags.writeable = False
    return flat


def _neighbours(lattice: Lattice, lookup: Ints, column: Longs, row: Longs, odd: Longs, wrap: bool) -> Ints:
    """The neighbour table of the cells at these places of the rectangle, found in it with a border added."""
    bordered = np.pad(lookup, 1, mode="wrap") if wrap else np.pad(lookup, 1, constant_values=-1)
    stride = bordered.shape[1]
    home = (row + 1) * stride + (column + 1)
    neighbours = np.empty((len(row), len(lattice.steps)), np.int32)
    for direction, (dp, dr) in enumerate(lattice.steps):
        place = home + (dr * stride + dp)
        if lattice.slant and dr:
            place += (odd + dr) >> 1
        neighbours[:, direction] = bordered.take(place)
    return neighbours


def _embed(lattice: Lattice, p: Longs, r: Longs) -> Ints:
    """The axes of each (p, r)."""
    axes = np.empty((len(p), 3), np.int32)
    for axis, (along, down) in enumerate(lattice.embedding):
        axes[:, axis] = along * p + down * r
    return axes


def _ways_round(lattice: Lattice, width: int, height: int, wrap: bool) -> tuple[Longs, Longs]:
    """Frame translations that bring a torus onto itself, none first."""
    times = np.array([(0, 0)] + [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if wrap and (i or j)], np.int64)
    return times[:, 0] * width - times[:, 1] * lattice.slant * (height // 2), times[:, 1] * height
