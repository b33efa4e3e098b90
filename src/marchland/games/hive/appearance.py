"""How viewers show Hive: ground styles by the words of its palettes."""

from typing import Final

from marchland.messages import GroundStyle

TERRAIN_STYLES: Final[dict[str, GroundStyle]] = {"field": "meadow", "stone": "rock"}
