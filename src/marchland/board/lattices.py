"""What squares, squares with diagonals and hexes are, as numbers. Nothing else in the package knows."""

from typing import NamedTuple

Pair = tuple[int, int]


class Lattice(NamedTuple):
    """A regular board in its frame coordinates (p, r)."""

    directions: tuple[str, ...]
    """Names of the neighbours in their order, clockwise; the opposite of a direction is half a turn further on."""
    steps: tuple[Pair, ...]
    """What each direction adds to (p, r)."""
    embedding: tuple[Pair, Pair, Pair]
    """Three axes a·p + b·r; the distance of two cells is the largest of the three differences."""
    slopes: Pair
    """How the two sides of a disk lean: r rows down, its cells are radius or less from p - slope·r, for both."""
    slant: int
    """How many cells the rows of an upright rectangle move left in the frame every two rows."""


LATTICES: dict[int, Lattice] = {
    4: Lattice(
        directions=("N", "E", "S", "W"),
        steps=((0, -1), (1, 0), (0, 1), (-1, 0)),
        embedding=((1, 1), (1, -1), (0, 0)),
        slopes=(1, -1),
        slant=0,
    ),
    6: Lattice(
        directions=("E", "SE", "SW", "W", "NW", "NE"),
        steps=((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)),
        embedding=((1, 0), (-1, -1), (0, 1)),
        slopes=(0, 1),
        slant=1,
    ),
    8: Lattice(
        directions=("N", "NE", "E", "SE", "S", "SW", "W", "NW"),
        steps=((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)),
        embedding=((1, 0), (0, 1), (0, 0)),
        slopes=(0, 0),
        slant=0,
    ),
}
"""By degree, the number of neighbours."""
