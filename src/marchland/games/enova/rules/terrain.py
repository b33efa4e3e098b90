"""What a tile is, as a code and as a character of a map."""

from typing import Final

OPEN: Final = 0
IMPASSABLE: Final = 1
CASTLE: Final = 2

TERRAIN: Final = ("open", "impassable", "castle")
SYMBOLS: Final = ".XC"
