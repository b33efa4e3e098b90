"""What a map of a game may contain, for map editors."""

from typing import Literal

import msgspec

from marchland.messages.scene import GroundStyle

Span = tuple[int, int, int]
"""Minimum, maximum and default."""


class MapLayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number that every cell of a map has: the code of a word, or an amount."""

    name: str
    type: Literal["code", "number"]
    palette: list[str] = []
    keys: list[str] = []
    """The keyboard key for each word; a single key for an amount."""
    least: int = 0
    most: int = 0
    usual: int = 0
    styles: dict[str, GroundStyle] = {}
    """By word how ground is painted, as in a `Layer`."""
    glyphs: dict[str, str] = {}
    """By word the glyph that stands on the cell, as in a `Layer`."""


class MapMark(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that may stand on a cell of a map."""

    name: str
    glyph: str
    key: str
    group: str
    """A cell has at most one mark of a group."""
    owned: bool = False
    """Whether it is a player's."""
    once: bool = False
    """Whether a player has at most one."""
    ground: int | None = None
    """What the first layer is under it."""
    covers: list[tuple[int, int]] = []
    """Cells that it takes besides its own, as axial steps."""
    numbers: dict[str, Span] = {}


class MapGenerator(msgspec.Struct, frozen=True):
    """A map generator and the range of each of its settings."""

    name: str
    settings: dict[str, Span]


class MapSpec(msgspec.Struct, frozen=True):
    """What a map of a game may contain."""

    topology: Literal["square", "hex"]
    shape: Literal["rectangle", "hexagon", "any"]
    holes: bool
    """Whether a cell of the rectangle may be missing."""
    sides: Span
    """Of a rectangle its sides, of a hexagon its radius."""
    seats: int
    """The number of players that can have marks."""
    form: Literal["text", "json"]
    """How the game writes its maps."""
    layers: list[MapLayer]
    marks: list[MapMark]
    generators: list[MapGenerator]
