"""Map files: a line of characters for every row of tiles. Lines that start with ``#`` are remarks.

    0...C      C  castle            0-9, a-z, A-Z  the castle on which that player starts, counted from 0;
    .X.X.      .  open                             C and X keep their own meaning
    .....      X  impassable
    .X.X.
    C...1

Either every player's seat is marked, or none is and the players get random castles.
"""

import re
import string
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board.tables import MOST_PLACES
from marchland.errors import ConfigError, MapError, choices
from marchland.games.enova.maps.lattice import lattice_sides, lattice_terrain
from marchland.games.enova.rules.config import EnovaConfig
from marchland.games.enova.rules.terrain import CASTLE, SYMBOLS

SEATS: Final = "".join(mark for mark in string.digits + string.ascii_letters if mark not in SYMBOLS)

_SHOWN: Final = 3
_GAP: Final = re.compile(r"\s")


class ParsedMap(NamedTuple):
    """The content of a map file."""

    terrain: npt.NDArray[np.int8]
    """A row for each line."""
    seats: list[tuple[int, int]]
    """Column and row of each marked seat."""


class _Line(NamedTuple):
    number: int
    tiles: str


def new_map(*, players: int = 4, castle_spacing: int = 4, least_castles: int = 2) -> str:
    """The lattice for that many players as a map file, to be drawn on; seats are marked as far as there are marks."""
    try:
        config = EnovaConfig.build({"castle_spacing": castle_spacing, "least_castles": least_castles})
    except ConfigError as problem:
        raise MapError(str(problem)) from None
    if isinstance(players, bool) or not isinstance(players, int) or players < 1:
        raise MapError(f"A map is for 1 player or more, not {players!r}.")
    columns, rows = lattice_sides(players, config.least_castles)
    width, height = (config.castle_spacing * (side - 1) + 1 for side in (columns, rows))
    if width * height > MOST_PLACES:
        raise MapError(f"A map may have {MOST_PLACES} tiles, and this one would have {width * height}.")
    marks = iter(SEATS[:players] if players <= len(SEATS) else "")
    tiles = ([SYMBOLS[code] for code in row] for row in lattice_terrain(width, height, config.castle_spacing).tolist())
    lines = ("".join(next(marks, "C") if tile == "C" else tile for tile in row) for row in tiles)
    return "\n".join(lines) + "\n"


def looks_like_map(text: str) -> bool:
    """Whether the text is meant as a map of Enova, right or wrong: lines of characters without gaps."""
    lines = read_lines(text)
    return bool(lines) and lines[0].tiles[0] not in "{[" and not any(_GAP.search(line.tiles) for line in lines)


def check_map(text: str) -> list[str]:
    """What is wrong with a map file, each by line and column; nothing if a match can be played on it."""
    lines = read_lines(text)
    if not lines:
        return ["Line 1: the map is empty; it needs a line of tiles for every row."]
    width = len(lines[0].tiles)
    if width * len(lines) > MOST_PLACES:
        return [f"Line 1: a map may have {MOST_PLACES} tiles, and this one has {width} x {len(lines)}."]
    problems = []
    found: dict[str, str] = {}
    castles = 0
    for number, tiles in lines:
        if len(tiles) != width:
            problems.append(
                f"Line {number}, column {min(len(tiles), width) + 1}: the row has {len(tiles)} tiles, "
                f"the first one has {width}."
            )
        for column, mark in enumerate(tiles, 1):
            place = f"Line {number}, column {column}"
            castles += mark in SEATS or mark == SYMBOLS[CASTLE]
            if mark not in SYMBOLS and mark not in SEATS:
                problems.append(f"{place}: {mark!r} is no tile; there are C, ., X, and digits and letters for seats.")
            elif mark in SEATS and mark in found:
                problems.append(f"{place}: the seat {mark} stands at {found[mark].lower()} already.")
            elif mark in SEATS:
                found[mark] = place
    if not castles:
        problems.append(f"Line {lines[-1].number}: the map ends without a castle; mark one with C, or with a seat.")
    last = max(found, key=SEATS.index, default=SEATS[0])
    missing = [mark for mark in SEATS[: SEATS.index(last)] if mark not in found]
    if missing:
        problems.append(f"{found[last]}: the seat {last} is there, but not {choices(missing)}.")
    return problems


def read_map(text: str) -> ParsedMap:
    """Parse a map file; `MapError` with what is wrong."""
    problems = check_map(text)
    if problems:
        more = f" And {len(problems) - _SHOWN} more." if len(problems) > _SHOWN else ""
        raise MapError(" ".join(problems[:_SHOWN]) + more)
    lines = read_lines(text)
    code = {**dict.fromkeys(SEATS, CASTLE), **{mark: number for number, mark in enumerate(SYMBOLS)}}
    terrain = np.array([[code[mark] for mark in line.tiles] for line in lines], np.int8)
    seats = {
        mark: (column, row) for row, line in enumerate(lines) for column, mark in enumerate(line.tiles) if mark in SEATS
    }
    return ParsedMap(terrain, [seats[mark] for mark in SEATS if mark in seats])


def write_rows(terrain: npt.NDArray[np.int8]) -> list[str]:
    """The terrain as lines of a map, without seats."""
    symbols = np.frombuffer(SYMBOLS.encode(), np.uint8)
    return [symbols[row].tobytes().decode() for row in terrain]


def read_lines(text: str) -> list[_Line]:
    """The rows of the map with their line numbers, without remarks and without blank lines round it."""
    lines = [_Line(number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [line for line in lines if not line.tiles.startswith("#")]
    filled = [place for place, line in enumerate(lines) if line.tiles]
    return lines[filled[0] : filled[-1] + 1] if filled else []
