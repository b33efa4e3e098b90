"""A map as text: a line for each row of the hexagon, `.` empty, `:` dirt, `~` acid, `#` rock, `n` a nest."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from marchland.board import Board
from marchland.errors import PositionError
from marchland.games.datspulse.maps.generator import World
from marchland.games.datspulse.rules.state import ACID, ANTHILL, DIRT, EMPTY, FOODS, ROCK

At = tuple[int, int]

MARKS = {".": EMPTY, ":": DIRT, "~": ACID, "#": ROCK, "n": ANTHILL}
LARGEST = 10**9  # with all that ants may drop on it, a pile still fits into 32 bits


class PileText(msgspec.Struct, forbid_unknown_fields=True):
    """Food on a hex."""

    at: At
    type: str
    amount: int


class MapText(msgspec.Struct, forbid_unknown_fields=True):
    """A map that is given: its land, a hex for the spot of each team, and food."""

    map: list[str]
    spots: list[At]
    food: list[PileText] = []


def rows_of(board: Board, terrain: Any) -> list[str]:
    """The land as text, a line for each row."""
    marks = {code: mark for mark, code in MARKS.items()}
    written = "".join(map(marks.__getitem__, terrain.tolist()))
    starts = [0, *(np.flatnonzero(np.diff(board.coords[:, 1])) + 1).tolist(), len(written)]
    return [written[start:end] for start, end in itertools.pairwise(starts)]


def read_map(rows: list[str]) -> tuple[Board, Any]:
    """The board and the terrain that such text draws."""
    lines = ["".join(row.split()) for row in rows]
    radius = len(lines) // 2
    if len(lines) % 2 == 0 or [len(line) for line in lines] != [
        2 * radius + 1 - abs(radius - row) for row in range(len(lines))
    ]:
        raise PositionError(
            "The map must be a hexagon: an odd number of rows, each one hex longer up to the middle one."
        )
    unknown = set("".join(lines)) - set(MARKS)
    if unknown:
        raise PositionError(f"The map has a mark {min(unknown)!r}; there are {' '.join(MARKS)}.")
    terrain = np.array([MARKS[mark] for mark in "".join(lines)], np.int8)
    return Board.hexagon(radius, dialect="odd-r"), np.where(terrain == ANTHILL, EMPTY, terrain).astype(np.int8)


def hex_at(board: Board, at: At) -> int:
    """The hex written ``at``, which must exist."""
    cell = board.index(*at)
    if cell < 0:
        raise PositionError(f"There is no hex {list(at)} on the map.")
    return cell


def world_of(rows: list[str], spots: Sequence[At], food: Sequence[PileText]) -> World:
    """The map with its nests and food, checked."""
    board, terrain = read_map(rows)
    kinds, amounts = np.zeros(board.size, np.int8), np.zeros(board.size, np.int32)
    for pile in food:
        cell = hex_at(board, pile.at)
        if pile.type not in FOODS[1:] or not 1 <= pile.amount <= LARGEST or terrain[cell] == ROCK:
            at = list(pile.at)
            raise PositionError(f"The food at {at} must be apple, bread or nectar, at least 1, and on no rock.")
        kinds[cell], amounts[cell] = FOODS.index(pile.type), pile.amount
    return World(board, terrain, kinds, amounts, [hex_at(board, spot) for spot in spots])


def given_map(map: Mapping[str, Any], teams: int) -> World:
    """The map that an object describes, for so many teams."""
    try:
        text = msgspec.convert(dict(map), MapText)
    except msgspec.ValidationError as problem:
        raise PositionError(f"The map cannot be read: {problem}.".replace("$.", "")) from None
    if len(text.spots) < teams:
        raise PositionError(f"The map has {len(text.spots)} spots, and there are {teams} teams.")
    return world_of(text.map, text.spots[:teams], text.food)
