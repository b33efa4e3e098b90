"""How viewers show BoidVoid: ground styles and glyphs by the words of its palettes."""

from typing import Final

from marchland.messages import GroundStyle

TERRAIN_STYLES: Final[dict[str, GroundStyle]] = {
    "asteroid_field": "rubble",
    "nebula": "haze",
    "conduit": "channel",
    "planet": "azure",
}
TERRAIN_GLYPHS: Final = {"planet": "planet"}
OBSTACLE_STYLES: Final[dict[str, GroundStyle]] = {"obstacle": "barrier"}
OBSTACLE_GLYPHS: Final = {"obstacle": "hexagon"}
POINT_GLYPHS: Final = {"point of importance": "star"}
