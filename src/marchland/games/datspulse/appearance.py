"""How viewers show DatsPulse: ground styles and glyphs by the words of its palettes."""

from typing import Final

from marchland.messages import GroundStyle

TERRAIN_STYLES: Final[dict[str, GroundStyle]] = {"dirt": "soil", "acid": "acid", "rock": "rock"}
NEST_STYLES: Final[dict[str, GroundStyle]] = {"anthill": "clay"}
NEST_GLYPHS: Final = {"anthill": "mound"}
FOOD_GLYPHS: Final = {"apple": "apple", "bread": "loaf", "nectar": "drop"}
ANT_GLYPHS: Final = {"worker": "pack", "soldier": "shield", "scout": "arrow"}
