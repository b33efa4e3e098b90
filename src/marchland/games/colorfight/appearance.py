"""How viewers show Colorfight: glyphs by the words of its palettes."""

from typing import Final

BUILDING_GLYPHS: Final = {"home": "house", "energy_well": "bolt", "gold_mine": "coin", "fortress": "tower"}
