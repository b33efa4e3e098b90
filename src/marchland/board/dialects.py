"""How people write a cell's coordinates, and the one frame in which the board stores them.

The frame of a square board is (x, y). The frame of a hex board is axial (q, r): pointy tops, r is the row
and grows downward, E is q + 1 and SE is r + 1. A dialect turns a written pair into a frame pair and back.
The conversions take ints or integer arrays alike.
"""

from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

Topology = Literal["square", "hex"]
Number = TypeVar("Number", int, npt.NDArray[np.int64])


@dataclass(frozen=True)
class Dialect:
    """One way to write coordinates; this one writes the frame pair as it is."""

    name: str
    topology: Topology

    def to_frame(self, a: Number, b: Number) -> tuple[Number, Number]:
        """The frame pair of the written pair (a, b)."""
        return a, b

    def from_frame(self, p: Number, r: Number) -> tuple[Number, Number]:
        """The written pair of the frame pair (p, r)."""
        return p, r

    def valid(self, a: int, b: int) -> bool:
        """Whether (a, b) names a place at all: in doubled coordinates half the pairs do not."""
        return True


class OddR(Dialect):
    """[column, row] of a hex board whose odd rows are shifted half a cell to the right."""

    def to_frame(self, a: Number, b: Number) -> tuple[Number, Number]:
        """(q, r) of (column, row)."""
        return a - (b >> 1), b

    def from_frame(self, p: Number, r: Number) -> tuple[Number, Number]:
        """(column, row) of (q, r)."""
        return p + (r >> 1), r


class Doubled(Dialect):
    """[row, column] of a hex board whose columns count half cells, so that row + column is even."""

    def to_frame(self, a: Number, b: Number) -> tuple[Number, Number]:
        """(q, r) of (row, column)."""
        return (b - a) >> 1, a

    def from_frame(self, p: Number, r: Number) -> tuple[Number, Number]:
        """(row, column) of (q, r)."""
        return r, 2 * p + r

    def valid(self, a: int, b: int) -> bool:
        """Row and column are both even or both odd."""
        return (a + b) % 2 == 0


XY = Dialect("xy", "square")
AXIAL = Dialect("axial", "hex")
ODD_R = OddR("odd-r", "hex")
DOUBLED = Doubled("doubled", "hex")

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (XY, AXIAL, ODD_R, DOUBLED)}


def dialect_for(topology: Topology, name: str) -> Dialect:
    """The dialect called ``name``, if it can describe a board of this topology."""
    fitting = [dialect.name for dialect in DIALECTS.values() if dialect.topology == topology]
    if not fitting:
        raise ValueError(f"There is no topology {topology!r}: a board is 'square' or 'hex'.")
    if name not in fitting:
        choices = " or ".join(map(repr, fitting))
        raise ValueError(f"A {topology} board cannot use the dialect {name!r}: choose {choices}.")
    return DIALECTS[name]
