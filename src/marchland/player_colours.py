"""Colours and hatches of players: the one table for the terminal and the browser.

Eight base colours, then the same eight with three hatches, so that 32 players stay distinct; then hues a golden ratio
apart. ``web/generate.py`` writes the table for the browser.
"""

# Okabe and Ito's colours, which colour-blind people can tell apart; blue and black are lighter for the dark ground.
BASE_COLOURS = ("#56b4e9", "#e69f00", "#1fb486", "#d583b4", "#f0e442", "#e4622a", "#4a86e8", "#b8c0cc")
HATCHES = 3
"""Hatch 0 is a plain fill, 1 strokes like ``/``, 2 like ``\\``, 3 both."""
HATCHED_PLAYERS = len(BASE_COLOURS) * (1 + HATCHES)

GOLDEN_RATIO = 0.6180339887498949
SATURATION = 0.6
LIGHTNESSES = (0.62, 0.5, 0.74)

_TABLE_SIZE = 64


def player_colour(seat: int) -> str:
    """The colour of a player as ``#rrggbb``."""
    if seat < HATCHED_PLAYERS:
        return BASE_COLOURS[seat % len(BASE_COLOURS)]
    return _hsl(seat * GOLDEN_RATIO % 1.0, SATURATION, LIGHTNESSES[seat % len(LIGHTNESSES)])


def player_hatch(seat: int) -> int:
    """The hatch that tells players of the same colour apart."""
    return seat // len(BASE_COLOURS) if 0 <= seat < HATCHED_PLAYERS else 0


def render_typescript() -> str:
    """The table as a TypeScript module: the first 64 colours, and the numbers from which later ones follow."""
    colours = ",\n".join(
        "  " + ", ".join(f'"{player_colour(seat)}"' for seat in range(first, first + len(BASE_COLOURS)))
        for first in range(0, _TABLE_SIZE, len(BASE_COLOURS))
    )
    return f"""/** Colours of players. Written by web/generate.py from marchland.player_colours: do not edit. */

export const PLAYER_COLOURS: readonly string[] = [
{colours},
];
export const BASE_COLOURS = {len(BASE_COLOURS)};
export const HATCHED_PLAYERS = {HATCHED_PLAYERS};
export const GOLDEN_RATIO = {GOLDEN_RATIO};
export const SATURATION = {SATURATION};
export const LIGHTNESSES: readonly number[] = [{", ".join(map(str, LIGHTNESSES))}];
"""


def _hsl(hue: float, saturation: float, lightness: float) -> str:
    """The formula of `hsl` in the browser's playerColours, so that players beyond the table have equal colours too."""
    reach = saturation * min(lightness, 1 - lightness)
    places = [(offset + hue * 12) % 12 for offset in (0, 8, 4)]
    parts = [lightness - reach * max(-1.0, min(place - 3, 9 - place, 1.0)) for place in places]
    return "#" + "".join(f"{int(255 * part + 0.5):02x}" for part in parts)
