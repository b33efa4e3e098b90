"""The board of a match: which cells there are, their names and their neighbours."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from marchland.board import shapes
from marchland.board.dialects import XY, Dialect, Topology, dialect_for
from marchland.board.lattices import LATTICES
from marchland.board.tables import HEIGHT, LEFT, SLANT, TOP, WIDTH, Ints, Longs, Tables, build_tables, cut


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """An immutable set of cells, numbered row by row, that matches share. Equal boards have equal digests."""

    dialect: Dialect
    degree: int
    """How many neighbours a cell may have: 4, 6, or 8 with diagonals."""
    wrap: bool
    coords: Ints
    """size x 2: each cell's coordinates in the dialect."""
    _flat: Ints
    """The tables, end to end."""
    digest: str

    @classmethod
    def square(cls, width: int, height: int, *, wrap: bool = False, diagonals: bool = False) -> "Board":
        """A rectangle of squares; the cell at (x, y) is y * width + x."""
        return _square(width, height, wrap, diagonals)

    @classmethod
    def hexagon(cls, radius: int, *, dialect: str = "axial") -> "Board":
        """All hexes at distance ``radius`` or less from (0, 0)."""
        return _hexagon(radius, dialect)

    @classmethod
    def hex_rectangle(cls, width: int, height: int, *, dialect: str = "odd-r", wrap: bool = False) -> "Board":
        """A rectangle of hexes from (0, 0) to the right and down, odd rows shifted to the right."""
        return _hex_rectangle(width, height, dialect, wrap)

    @classmethod
    def of_cells(cls, topology: Topology, coords: npt.ArrayLike, *, dialect: str, diagonals: bool = False) -> "Board":
        """Any set of cells, holes included, as pairs in the dialect and in any order."""
        written = dialect_for(topology, dialect)
        return _build(written, _degree(topology, diagonals), *shapes.from_coordinates(written, coords), wrap=False)

    @property
    def arrays(self) -> Ints:
        """The tables end to end, as kernels take them: one array enters faster than six. `open_tables` names them."""
        return self._flat

    @functools.cached_property
    def tables(self) -> Tables:
        """The tables by name."""
        return Tables(*cut(self._flat))

    @property
    def topology(self) -> Topology:
        """Whether cells are squares or hexes."""
        return self.dialect.topology

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.coords)

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the directions in the order of the neighbour table, e.g. N, E, S, W."""
        return LATTICES[self.degree].directions

    def index(self, a: int, b: int) -> int:
        """The cell written (a, b), or -1 if there is none. On a torus, too, each cell has one name only."""
        p, r = self.dialect.to_frame(a, b)
        left, top, width, height, slant = self._rectangle
        column, row = p + slant * (r >> 1) - left, r - top
        if not (0 <= column < width and 0 <= row < height and self.dialect.from_frame(p, r) == (a, b)):
            return -1
        return int(self.tables.lookup[row * width + column])

    def at(self, cell: int) -> tuple[int, int]:
        """The coordinates of a cell in the board's dialect."""
        a, b = self.coords[self._check_cell(cell)].tolist()
        return a, b

    def neighbours(self, cell: int) -> list[int]:
        """The cells next to ``cell`` that exist, in direction order."""
        first = self._check_cell(cell) * self.degree
        return [int(other) for other in self.tables.neighbours[first : first + self.degree] if other >= 0]

    def distance(self, a: int, b: int) -> int:
        """Steps from cell a to cell b in a straight line: over holes, and round a torus."""
        from marchland.board.cells import distance

        return distance(self.tables, self._check_cell(a), self._check_cell(b))

    def disk(self, cell: int, radius: int) -> Ints:
        """The cells at distance ``radius`` or less, ascending; holes do not block."""
        from marchland.board.cells import disk

        return self._around(disk, cell, radius)

    def ring(self, cell: int, radius: int) -> Ints:
        """The cells at distance ``radius`` exactly, ascending."""
        from marchland.board.cells import ring

        return self._around(ring, cell, radius)

    def field(self, sources: Sequence[int], cost: npt.ArrayLike | None = None) -> Longs:
        """Each cell's cost from the nearest source, -1 out of reach.

        Entering a cell costs 1, or ``cost[cell]``; a cell of negative cost cannot be entered.
        """
        from marchland.board.reach import distance_field
        from marchland.board.search import scratch_for

        starts = self._check_cells(sources)
        out = np.empty(self.size, np.int64)
        fares = self._fares(cost)
        distance_field(self.tables, starts, fares, out, scratch_for(self.size))
        return out

    def path(
        self, start: int, goal: int, cost: npt.ArrayLike | None = None, *, limit: int | None = None
    ) -> list[int] | None:
        """The cells to step on from start to goal on the cheapest way; None if there is none within ``limit``."""
        from marchland.board.reach import cheapest_path
        from marchland.board.search import NO_LIMIT, scratch_for

        out = np.empty(self.size, np.int32)
        most = NO_LIMIT if limit is None else min(limit, NO_LIMIT)
        ends = self._check_cell(start), self._check_cell(goal)
        fares = self._fares(cost)
        steps = cheapest_path(self.tables, *ends, fares, most, scratch_for(self.size), out)
        return None if steps < 0 else [int(cell) for cell in out[:steps]]

    def spec(self) -> dict[str, Any]:
        """The board as plain data, for `from_spec`: a full rectangle by its sides, any other set cell by cell."""
        width, height = self._rectangle[2:4]
        full = self.size == width * height and tuple(self.coords[0]) == (0, 0)
        return {
            "topology": self.topology,
            "dialect": self.dialect.name,
            "diagonals": self.degree == 8,
            "wrap": self.wrap,
            "rectangle": [width, height] if full else None,
            "cells": b"" if full else self.coords.tobytes(),
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Board":
        """The board that `spec` described."""
        if spec["rectangle"] is None:
            coords = np.frombuffer(spec["cells"], "<i4").reshape(-1, 2)
            return cls.of_cells(spec["topology"], coords, dialect=spec["dialect"], diagonals=spec["diagonals"])
        width, height = spec["rectangle"]
        if spec["topology"] == "square":
            return cls.square(width, height, wrap=spec["wrap"], diagonals=spec["diagonals"])
        return cls.hex_rectangle(width, height, dialect=spec["dialect"], wrap=spec["wrap"])

    def __eq__(self, other: object) -> bool:
        """Whether both have the same cells with the same names and neighbours."""
        return isinstance(other, Board) and self.digest == other.digest

    def __hash__(self) -> int:
        """Equal boards have equal hashes."""
        return hash(self.digest)

    def __repr__(self) -> str:
        """A line for people who print it."""
        return f"<Board of {self.size} {self.topology} cells in {self.dialect.name!r}{', wrapped' * self.wrap}>"

    @functools.cached_property
    def _rectangle(self) -> tuple[int, ...]:
        """Left, top, width, height and slant as Python ints, which any coordinate can be compared with."""
        return tuple(int(self.tables.shape[position]) for position in (LEFT, TOP, WIDTH, HEIGHT, SLANT))

    def _check_cell(self, cell: int) -> int:
        if not 0 <= cell < self.size:
            raise IndexError(f"There is no cell {cell}: this board has the cells 0 to {self.size - 1}.")
        return int(cell)

    def _check_cells(self, cells: Sequence[int]) -> Ints:
        given = np.asarray(cells, np.int64).reshape(-1)
        for cell in given[(given < 0) | (given >= self.size)].tolist():
            self._check_cell(cell)
        return given.astype(np.int32)

    def _around(self, kernel: Callable[[Tables, int, int, Ints], int], cell: int, radius: int) -> Ints:
        radius = max(-1, min(radius, 4 * shapes.FARTHEST))
        out = np.empty(min(self.size, (2 * radius + 1) ** 2), np.int32)
        return out[: kernel(self.tables, self._check_cell(cell), radius, out)]

    def _fares(self, cost: npt.ArrayLike | None) -> Ints:
        """The cost of entering each cell, checked."""
        fares = np.ones(self.size, np.int32) if cost is None else np.asarray(cost)
        if fares.shape != (self.size,) or fares.dtype.kind not in "iu":
            raise ValueError(
                f"The cost must be {self.size} whole numbers, one for each cell, "
                f"not {fares.dtype} of shape {fares.shape}."
            )
        dearest = min(2**31 - 1, 2**62 // self.size**2)
        if fares.max() > dearest or fares.min() < -dearest:
            raise ValueError(f"On a board of {self.size} cells, entering one may cost {dearest} at most.")
        return np.ascontiguousarray(fares, np.int32)


def _degree(topology: Topology, diagonals: bool) -> int:
    if topology == "hex":
        if diagonals:
            raise ValueError("A hex board has no diagonals: leave the option out.")
        return 6
    return 8 if diagonals else 4


def _build(dialect: Dialect, degree: int, p: Longs, r: Longs, *, wrap: bool) -> Board:
    coords = np.stack(dialect.from_frame(p, r), axis=1, dtype="<i4", casting="unsafe")
    coords.flags.writeable = False
    digest = xxhash.xxh3_128(f"{dialect.name} {degree} {wrap} {len(coords)}\n".encode())
    digest.update(coords.data)
    return Board(dialect, degree, wrap, coords, build_tables(LATTICES[degree], p, r, wrap), digest.hexdigest())


# A few of each are cached, as thousands of matches play on the same board.


@functools.lru_cache(maxsize=8)
def _square(width: int, height: int, wrap: bool, diagonals: bool) -> Board:
    return _build(XY, _degree("square", diagonals), *shapes.rectangle(width, height, wrap=wrap), wrap=wrap)


@functools.lru_cache(maxsize=8)
def _hexagon(radius: int, dialect: str) -> Board:
    return _build(dialect_for("hex", dialect), 6, *shapes.hexagon(radius), wrap=False)


@functools.lru_cache(maxsize=8)
def _hex_rectangle(width: int, height: int, dialect: str, wrap: bool) -> Board:
    return _build(dialect_for("hex", dialect), 6, *shapes.hex_rectangle(width, height, wrap=wrap), wrap=wrap)
