"""The menu of legal orders: for a verb's next parameter, what may be picked."""

from collections.abc import Sequence

import msgspec


class Domain(msgspec.Struct, frozen=True, tag_field="pick"):
    """What may be picked for the parameter ``param``."""

    param: str


class Cells(Domain, frozen=True, tag="cell"):
    """Any one of these cells."""

    cells: list[tuple[int, int]]


class Pieces(Domain, frozen=True, tag="piece"):
    """Any one of these pieces, by id."""

    pieces: list[int]


class Range(Domain, frozen=True, tag="number"):
    """Any whole number from ``least`` to ``most``."""

    least: int
    most: int


class Choices(Domain, frozen=True, tag="choice"):
    """Any one of these words, or of false and true for a switch; ``optional`` ones may also be left out."""

    choices: Sequence[str | bool]
    optional: bool = False


class Step(msgspec.Struct, frozen=True):
    """A cell that can be reached, at what cost and from where; ``parent`` is None next to the start."""

    cell: tuple[int, int]
    cost: int
    parent: tuple[int, int] | None


class Paths(Domain, frozen=True, tag="path"):
    """Any way through these cells, following parents back to the piece."""

    steps: list[Step]


Menu = Cells | Pieces | Range | Choices | Paths
