"""Boards in characters, from the legend alone: owners are colours and hatches, things on cells are letters.

Near, a cell is two characters wide: its letter and the owner's hatch; odd rows of a hex board start half a cell to the
right. Far, a character holds two cells above each other, and a cell with something on it has a brighter colour.
"""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.style import Style
from rich.text import Text

from marchland.cli.terminal.colours import GROUND, MUTED, SURFACE, TEXT, player_fill, player_tint
from marchland.cli.terminal.glyphs import letters, words_of
from marchland.cli.terminal.still import Grid, Still
from marchland.core.state import NO_PLAYER
from marchland.player_colours import player_colour

MARKS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Marked(NamedTuple):
    """What is drawn on each place: the owner, the letter, and whether that letter is more than terrain."""

    owner: Grid
    letter: npt.NDArray[np.str_]
    bold: npt.NDArray[np.bool_]


def mark(seat: int) -> str:
    """The character of a player if there are no colours."""
    return "." if seat < 0 else MARKS[seat] if seat < len(MARKS) else "+"


def near(still: Still, *, colour: bool) -> list[Text]:
    """Two characters a cell."""
    marked = _mark_cells(still)
    is_hex, top = still.legend.board.topology == "hex", still.legend.board.box[2]
    lines = []
    for row in range(still.cells.shape[0]):
        line = Text(" " if is_hex and (row + top) % 2 else "", no_wrap=True)
        for column in range(still.cells.shape[1]):
            if not still.cells[row, column]:
                line.append("  ")
                continue
            owner, letter, bold = (
                int(marked.owner[row, column]),
                str(marked.letter[row, column]),
                bool(marked.bold[row, column]),
            )
            if colour:
                line.append(letter, _style(owner, bold)).append(player_fill(owner), _hatch_style(owner))
            else:
                line.append(f"{mark(owner)}{letter}")
        lines.append(line)
    return lines


def far(still: Still) -> list[Text]:
    """One character for two cells above each other. Square boards only: half a cell cannot be shifted."""
    marked = _mark_cells(still)
    rows, columns = still.cells.shape
    lines = []
    for row in range(0, rows, 2):
        line = Text(no_wrap=True)
        for column in range(columns):
            upper, lower = _texel(still, marked, row, column), _texel(still, marked, row + 1, column)
            line.append("▀", _two_texels(upper, lower))
        lines.append(line)
    return lines


def _mark_cells(still: Still) -> Marked:
    shape = still.cells.shape
    owner = _owners(still)
    letter = np.full(shape, " ")
    bold = np.zeros(shape, np.bool_)
    letter_of = letters(words_of(still.legend))
    for layer, values in zip(still.legend.layers, still.layers, strict=True):
        if layer.type == "code":
            for code, word in enumerate(layer.palette[1:], start=1):
                letter[values == code] = letter_of[word]
                bold[values == code] = not layer.still
    for piece in still.pieces:
        place = piece.row, piece.column
        letter[place] = letter_of[still.legend.kinds[piece.kind].name]
        bold[place] = True
        if piece.owner >= 0:
            owner[place] = piece.owner
    return Marked(owner, letter, bold)


def _owners(still: Still) -> Grid:
    """The owner of each cell, from the first layer of players."""
    for layer, values in zip(still.legend.layers, still.layers, strict=True):
        if layer.type == "player":
            return np.where(still.cells, values, NO_PLAYER)
    return np.full(still.cells.shape, NO_PLAYER, np.int64)


def _texel(still: Still, marked: Marked, row: int, column: int) -> str:
    if row >= still.cells.shape[0] or not still.cells[row, column]:
        return GROUND
    return _ground(int(marked.owner[row, column]), bool(marked.bold[row, column]))


@functools.cache
def _ground(owner: int, bold: bool) -> str:
    if owner < 0:
        return MUTED if bold else SURFACE
    return player_colour(owner) if bold else player_tint(owner)


@functools.cache
def _style(owner: int, bold: bool) -> Style:
    if owner < 0:
        return Style(color=TEXT if bold else MUTED, bgcolor=SURFACE, bold=bold)
    return Style(color=player_colour(owner) if bold else TEXT, bgcolor=_ground(owner, False), bold=bold)


@functools.cache
def _hatch_style(owner: int) -> Style:
    return Style(color=MUTED if owner < 0 else player_colour(owner), bgcolor=_ground(owner, False))


@functools.cache
def _two_texels(upper: str, lower: str) -> Style:
    return Style(color=upper, bgcolor=lower)
