"""Messages about maps between a server and map editors.

A drawing is one picture for all games: rows and columns of cells as frames have them, a number for each cell and layer,
and marks that stand on cells. Each game writes it in its own form, and reads its own form as a drawing.
"""

from typing import Annotated, Any, Literal

import msgspec

from marchland.messages.text import Name

MOST_CELLS = 65_536
"""Rows times columns of a map that is saved or drawn."""

Coordinate = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
Value = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Spot = tuple[Coordinate, Coordinate]
"""Column and row, as frames lay cells out: on a hex board odd rows lie half a cell to the right."""


class MapObject(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A mark on a cell of a drawing."""

    kind: Word
    at: Spot
    owner: Annotated[int, msgspec.Meta(ge=-1, le=1000)] = -1
    numbers: dict[str, Value] = {}


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map as a picture."""

    box: tuple[Coordinate, Coordinate, Coordinate, Coordinate]
    """The first and the last column, the first and the last row."""
    layers: Annotated[list[list[Value]], msgspec.Meta(max_length=16)]
    """For each layer of the spec a number for each cell, row by row; -1 in the first layer where there is no cell."""
    marks: list[MapObject] = []

    @property
    def width(self) -> int:
        """How many columns there are."""
        return self.box[1] - self.box[0] + 1

    @property
    def height(self) -> int:
        """How many rows there are."""
        return self.box[3] - self.box[2] + 1

    def rows(self, layer: int = 0) -> list[list[int]]:
        """A layer, row by row."""
        values = self.layers[layer]
        return [values[start : start + self.width] for start in range(0, len(values), self.width)]

    def has(self, at: Spot) -> bool:
        """Whether there is such a cell."""
        column, row = at[0] - self.box[0], at[1] - self.box[2]
        inside = 0 <= column < self.width and 0 <= row < self.height
        return inside and self.layers[0][row * self.width + column] >= 0

    def of(self, *kinds: str) -> list[MapObject]:
        """The marks of these kinds, in their order."""
        return [mark for mark in self.marks if mark.kind in kinds]


class MapProblem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A problem of a map, and where; a map whose problems are not ``grave`` is playable, but may be unfair or dull."""

    sentence: str
    cells: list[Spot] = []
    grave: bool = True


class MapCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map to be checked: in the game's own form (``data``, or the text of a map file), or as a drawing."""

    game: str
    data: Any = None
    drawing: Drawing | None = None


class MapRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map to be generated."""

    game: str
    generator: Word
    settings: dict[str, Value] = {}


class MapReport(msgspec.Struct, frozen=True):
    """A map in every form, and what is wrong with it."""

    problems: list[MapProblem]
    playable: bool
    data: Any
    """In the game's own form: what a match takes as its ``map``."""
    text: str
    """As a map file."""
    drawing: Drawing | None
    """None where the map cannot be read."""
    players: list[int]
    """The possible numbers of players."""
    settings: dict[str, Any]
    """Settings that a match on it must have."""


class MapCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map to be saved."""

    game: str
    name: Name
    data: Any


class MapUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new name and content of a saved map."""

    name: Name
    data: Any


class MapInfo(msgspec.Struct, frozen=True):
    """A map that is saved on this server or comes with the game."""

    id: str
    game: str
    name: str
    kind: Literal["kept", "built-in"]
    author: str | None = None
    """The account's name."""
    created: float | None = None
    changed: float | None = None


class MapDetails(msgspec.Struct, frozen=True):
    """A map with everything on it."""

    info: MapInfo
    map: MapReport
