"""How viewers show Enova: ground styles and glyphs by the words of its palettes."""

from typing import Final

from marchland.messages import GroundStyle

TERRAIN_STYLES: Final[dict[str, GroundStyle]] = {"impassable": "barrier", "castle": "paved"}
TERRAIN_GLYPHS: Final = {"castle": "tower"}
