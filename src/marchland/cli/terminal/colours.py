"""The colours of the terminal. Those of players are in `marchland.player_colours`."""

from rich.theme import Theme

from marchland.player_colours import player_colour, player_hatch

GROUND = "#0d1117"
SURFACE = "#151b23"
TEXT = "#e8e3d8"
MUTED = "#9aa5b1"
ACCENT = "#f2b544"
DANGER = "#e5604d"
GOOD = "#5fb88f"

THEME = Theme({"title": f"bold {ACCENT}", "head": MUTED, "muted": MUTED, "danger": DANGER, "good": GOOD})

_FILLS = " /\\x"
_SWATCHES = "■▨▧▩"
_TINTS = (0.42, 0.3, 0.54, 0.66)


def player_fill(seat: int) -> str:
    """The character that fills a player's land: the hatch."""
    return _FILLS[player_hatch(seat)]


def player_swatch(seat: int) -> str:
    """The character beside a player's name, with the strokes of its hatch."""
    return _SWATCHES[player_hatch(seat)]


def player_tint(seat: int) -> str:
    """The background of a player's land: its colour laid over the ground, lighter or darker for each hatch."""
    share = _TINTS[player_hatch(seat)]
    parts = zip(_parts(player_colour(seat)), _parts(GROUND), strict=True)
    return "#" + "".join(f"{round(share * over + (1 - share) * under):02x}" for over, under in parts)


def _parts(colour: str) -> list[int]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
