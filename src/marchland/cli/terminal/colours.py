"""The colours of the terminal. The browser has the same ones."""

import colorsys

from rich.theme import Theme

GROUND = "#0d1117"
SURFACE = "#151b23"
TEXT = "#e8e3d8"
MUTED = "#9aa5b1"
ACCENT = "#f2b544"
DANGER = "#e5604d"
GOOD = "#5fb88f"

THEME = Theme({"title": f"bold {ACCENT}", "head": MUTED, "muted": MUTED, "danger": DANGER, "good": GOOD})

# Okabe and Ito's colours, which colour-blind people can tell apart; blue and black lifted off the dark ground.
BASE_COLOURS = ("#56b4e9", "#e69f00", "#1fb486", "#d583b4", "#f0e442", "#e4622a", "#4a86e8", "#b8c0cc")

TINT = 0.42
_GOLDEN = 0.6180339887498949


def player_colour(seat: int) -> str:
    """The same player has the same colour everywhere; beyond the base colours, hues as far apart as they come."""
    if seat < len(BASE_COLOURS):
        return BASE_COLOURS[seat]
    lightness = (0.62, 0.5, 0.74)[seat % 3]
    return _hex(*colorsys.hls_to_rgb(seat * _GOLDEN % 1.0, lightness, 0.6))


def tint(colour: str, share: float = TINT) -> str:
    """``colour`` laid thinly over the ground."""
    return _hex(
        *(share * over + (1 - share) * under for over, under in zip(_parts(colour), _parts(GROUND), strict=True))
    )


def _parts(colour: str) -> list[float]:
    return [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]


def _hex(*parts: float) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
