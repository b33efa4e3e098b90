"""Tables of players."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from marchland.cli.terminal.colours import player_swatch
from marchland.cli.terminal.drawing import mark
from marchland.cli.terminal.output import GAP, humanize, table
from marchland.cli.terminal.still import Still
from marchland.player_colours import player_colour

AROUND = 3
"""Lines of a table that are no player: a heading of two lines, and how many are left out."""
_NARROWEST = 5  # figures grow while a match is watched; column widths should stay constant
_SPACIOUS = 100

FigureWords = Mapping[str, Sequence[str]]
"""By name of a figure the words for its values, as a legend has them."""


class Figure(NamedTuple):
    """A figure that is shown: its place among the legend's, its name, its heading and how wide it is."""

    number: int
    name: str
    heading: str
    width: int


def swatch(seat: int, name: str, *, colour: bool, alive: bool = True) -> Text:
    """A player's name beside its colour and hatch or, without colours, its mark on the board."""
    sign = Text(f"{player_swatch(seat)} ", player_colour(seat)) if colour else Text(f"{mark(seat)} ")
    return sign.append(name, "" if alive else "muted strike")


def figure_text(name: str, value: int, words: FigureWords) -> str:
    """The value as a number, or the word that it stands for."""
    return words[name][value] if name in words else f"{value:,}"


def figures_that_fit(
    names: list[str], players: list[list[int]], width: int, words: FigureWords, picture: str
) -> list[Figure]:
    """As many of the figures as ``width`` holds, from the first on, without the one that is a picture."""
    chosen: list[Figure] = []
    for number, name in enumerate(names):
        if name == picture:
            continue
        heading = humanize(name)
        headings = heading.split() if width < _SPACIOUS else [heading]
        texts = [*headings, *(figure_text(name, row[1 + number], words) for row in players)]
        wanted = max(_NARROWEST, *map(len, texts))
        width -= wanted + GAP
        if width < -GAP:
            break
        chosen.append(Figure(number, name, heading, wanted))
    return chosen


def add_figures(to: Table, figures: list[Figure]) -> None:
    """A column for each figure."""
    for figure in figures:
        to.add_column(figure.heading, justify="right", min_width=figure.width, max_width=figure.width)


def players(still: Still, *, width: int, lines: int, colour: bool) -> Table:
    """Each player with as many figures as there is room for."""
    most = len(still.players) if len(still.players) <= lines - AROUND + 1 else max(lines - AROUND, 1)
    names = still.names[:most]
    shown = table()
    shown.add_column("player", no_wrap=True)
    taken = len("■ ") + max(map(len, names), default=0) + GAP
    words = still.legend.figure_words
    figures = figures_that_fit(still.legend.figures, still.players, width - taken, words, still.legend.avatar_figure)
    add_figures(shown, figures)
    for seat, (name, row) in enumerate(zip(names, still.players, strict=False)):
        player = swatch(seat, name, colour=colour, alive=bool(row[0]))
        texts = (figure_text(figure.name, row[1 + figure.number], words) for figure in figures)
        shown.add_row(player, *texts, style="" if row[0] else "muted")
    if most < len(still.players):
        shown.add_row(f"and {len(still.players) - most:,} more", style="muted")
    return shown
