"""Map files: plain text, a cell every 4 characters, odd rows indented by 2 (ruling 15).

`.` empty, `F` field, `R` stone, `H0` `B0` `W0` a hive, bee or wall of slot 0 on an empty cell, blank = outside. Which
slots a file uses says how many players it is for.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.map_files import MapFolder
from marchland.errors import MapError, choices
from marchland.games.hive.rules.state import BEE, EMPTY, FIELD, HIVE, STONE, WALL

SLOTS: Final = {1: (0,), 2: (0, 3), 3: (0, 2, 4), 4: (1, 2, 4, 5), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The slots in which so many players sit, in the players' order."""
DEFAULT: Final = "balanced"
MOST_CELLS: Final = 250_000
MOST_PLACES: Final = 1_000_000
"""How many cells the rectangle round a map may have room for."""

_STEP: Final = 4  # characters from cell to cell
_TERRAIN: Final = {".": EMPTY, "F": FIELD, "R": STONE}
_ENTITY: Final = {"H": HIVE, "B": BEE, "W": WALL}
_LETTER: Final = {code: letter for letter, code in _TERRAIN.items()}
_TOKEN: Final = re.compile(r"\S+")
_CELL: Final = re.compile(r"[.FR]|[HBW][0-5]")

MAPS: Final = MapFolder("Hive", __package__, ".txt", name_pattern=r"(?![.FR]$|[HBW]\d+$)[\w-]+")
"""The maps that come with the game. The text of a map with a single cell is no name."""


class Start(NamedTuple):
    """What stands on the map at the start of the game."""

    slot: int
    kind: int
    cell: int


class HiveMap(NamedTuple):
    """A map, read."""

    board: Board
    terrain: npt.NDArray[np.int8]
    starts: tuple[Start, ...]

    @property
    def slots(self) -> list[int]:
        """The slots that have something to start with."""
        return sorted({start.slot for start in self.starts})

    def seats(self, players: int) -> dict[int, int]:
        """Who starts in which slot; `MapError` where the map has no such slots."""
        wanted = SLOTS[players]  # ruling 19
        if missing := [slot for slot in wanted if slot not in self.slots]:
            fits = [str(count) for count, slots in SLOTS.items() if set(slots) <= set(self.slots)]
            raise MapError(
                f"This map is for {' or '.join(fits) or 'no number of'} players, not {players}: "
                f"nothing starts in slot {choices(map(str, missing))}."
            )
        return {slot: player for player, slot in enumerate(wanted)}


class _Token(NamedTuple):
    """A cell as it is written, and where: line and column count from 1."""

    text: str
    line: int
    column: int

    def problem(self) -> str | None:
        """What is wrong with it."""
        first = 1 if self.line % 2 else 1 + _STEP // 2
        if (self.column - first) % _STEP:
            expected = ", ".join(str(first + _STEP * place) for place in range(3))
            what = f"{self.text!r} is out of place; the cells of this line start at columns {expected} and so on"
        elif re.fullmatch(r"[HBW]\d+", self.text) and not _CELL.fullmatch(self.text):
            what = f"{self.text!r} names slot {self.text[1:]}, but slots are 0 to 5"
        elif not _CELL.fullmatch(self.text):
            what = f"{self.text!r} is no cell; a cell is . or F or R, or H, B or W with a slot, like H0"
        else:
            return None
        return f"line {self.line}, column {self.column}: {what}."


def read_tokens(text: str) -> Iterator[_Token]:
    for number, line in enumerate(text.splitlines(), 1):
        if "\t" in line:
            yield _Token("\t", number, line.index("\t") + 1)
        for match in _TOKEN.finditer(line):
            yield _Token(match.group(), number, match.start() + 1)


def mistakes(text: str, *, starts: bool = True) -> list[str]:
    """Everything in the text that is no map, with line and column; ``starts``: something must start on it."""
    tokens = list(read_tokens(text))
    if not tokens:
        return ["line 1, column 1: the map has no cells."]
    if len(tokens) > MOST_CELLS:
        return [f"line 1, column 1: the map has {len(tokens)} cells; at most {MOST_CELLS} are possible."]
    if stray := _stray(tokens):
        limit = f"the rectangle round a map may have room for {MOST_PLACES} cells"
        return [f"line {stray.line}, column {stray.column}: this cell lies too far from the others; {limit}."]
    found = [problem for token in tokens if (problem := token.problem())]
    if starts and not found and not any(token.text[0] in _ENTITY for token in tokens):
        found.append("No player starts here yet. Place a hive or a bee (H0, B0).")
    return found


def _stray(tokens: Sequence[_Token]) -> _Token | None:
    """The first cell with which the rectangle round the map grows too large."""
    left = right = tokens[0].column
    for token in tokens:
        left, right = min(left, token.column), max(right, token.column)
        height, width = token.line - tokens[0].line + 1, (right - left) // _STEP + 1
        if height * width > MOST_PLACES:
            return token
    return None


@functools.lru_cache(maxsize=16)
def parse(text: str) -> HiveMap:
    """The map, or `MapError` with the line and column of the first mistake."""
    if found := mistakes(text):
        raise MapError(found[0])
    return read(text)


def read(text: str) -> HiveMap:
    """The map in a text without mistakes, which may start nothing."""
    tokens = list(read_tokens(text))
    coords = [(token.line - 1, (token.column - 1) // (_STEP // 2)) for token in tokens]
    board = Board.of_cells("hex", coords, dialect="doubled")
    terrain = np.array([_TERRAIN.get(token.text, EMPTY) for token in tokens], np.int8)
    terrain.flags.writeable = False
    starts = tuple(
        Start(int(token.text[1]), _ENTITY[token.text[0]], cell)
        for cell, token in enumerate(tokens)
        if token.text[0] in _ENTITY
    )
    return HiveMap(board, terrain, starts)


def lines(board: Board, terrain: Sequence[int], starts: Sequence[Start] = ()) -> list[str]:
    """The map as text again."""
    letters = [_LETTER[code] for code in terrain]
    kinds = {kind: letter for letter, kind in _ENTITY.items()}
    for start in starts:
        letters[start.cell] = f"{kinds[start.kind]}{start.slot}"
    written = [""] * (int(board.coords[:, 0].max()) + 1)
    for (row, column), letter in zip(board.coords.tolist(), letters, strict=True):
        written[row] = written[row].ljust(column * _STEP // 2) + letter
    return written


def find(map: Any = None) -> HiveMap:
    """The map called so, or the one whose text this is; without either the usual one."""
    text = DEFAULT if map is None else map
    if not isinstance(text, str):
        raise MapError(f"A map is the name of one or the text of a map file, not {type(text).__name__}.")
    return parse(MAPS.resolve(text))


def looks_like_map(text: str) -> bool:
    """Whether the text is meant as a map of Hive, right or wrong: cells with blanks between them."""
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    apart = any(len(row) > 1 for row in rows) or any(re.fullmatch(r"[HBW]\d+", cell) for row in rows for cell in row)
    return apart and not text.lstrip().startswith("{")
