"""The map as JSON text: as the public server sends it, and in the form of the seed's game info."""

import functools
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.json_text import MOST_DIGITS, NUMBERS, SLACK, Pieces, make_pieces
from marchland.games.colorfight.rules.state import BUILDINGS, HOME, TOP_LEVEL, Cells
from marchland.games.colorfight.wire.map_json import (
    write_objects,
    write_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchland.games.colorfight.game import Colorfight

_LETTERS: Final = " hegf"
_LEVELS: Final = range(TOP_LEVEL + 1)
_BUILDINGS: Final = make_pieces(
    [b'["%c",%d],' % (ord(letter), level if code else 1) for code, letter in enumerate(_LETTERS) for level in _LEVELS]
)
_OBJECT: Final = make_pieces(
    [
        b'{"position":[',
        b'"owner":',
        b'"gold":',
        b'"energy":',
        b'"natural_gold":',
        b'"natural_energy":',
        b'"natural_cost":',
        b'"force_field":',
        b'"owner":null,',
        *(
            b',"building":{"name":"%b","level":%d},"attack_cost":' % (name.encode(), level)
            for name in BUILDINGS
            for level in _LEVELS
        ),
    ]
)

# More bytes than each takes, a Home's cost and income excepted: other numbers have fewer than eight characters.
_A_ROW: Final = 2
_A_CELL: Final = 80
_AN_OBJECT: Final = 280
_A_HOME: Final = 3 * MOST_DIGITS

Bytes = npt.NDArray[np.uint8]


def rows_text(game: "Colorfight", uids: "Sequence[int]") -> memoryview:
    """The cells, [y][x], each a list of values."""
    cells: Cells = game.arrays(Cells)
    out = _room(game, cells, _A_CELL)
    natural = (values.tobytes() for values in (cells.natural_gold, cells.natural_energy, cells.natural_cost))
    end = write_rows(
        game.buffer,
        game.layout.at,
        game.rules,
        game.config.width,
        game.turn > 0,
        np.array(uids, np.int64),
        NUMBERS,
        _BUILDINGS,
        _naturals(game.board, *natural),
        out,
    )
    return memoryview(out.data)[:end]


def objects_text(game: "Colorfight") -> memoryview:
    """The cells, [y][x], each an object."""
    out = _room(game, game.arrays(Cells), _AN_OBJECT)
    end = write_objects(
        game.buffer,
        game.layout.at,
        game.rules,
        game.config.width,
        game.board.coords,
        NUMBERS,
        _OBJECT,
        out,
    )
    return memoryview(out.data)[:end]


def _room(game: "Colorfight", cells: Cells, cell: int) -> Bytes:
    homes = int(np.count_nonzero(cells.building == HOME))
    return np.empty(game.board.size * cell + homes * _A_HOME + game.config.height * _A_ROW + SLACK, np.uint8)


@functools.lru_cache(maxsize=64)
def _naturals(board: Board, gold: bytes, energy: bytes, cost: bytes) -> Pieces:
    """The parts of each cell's list that never change, or only with its building."""
    columns: Any = zip(board.coords.tolist(), gold, energy, np.frombuffer(cost, np.int16).tolist(), strict=True)
    empty, last = b'[" ",1],%d,%d,', b"[%d,%d],%d,%d,%d],"
    texts = ((empty % (gold, energy), last % (x, y, gold, energy, cost)) for (x, y), gold, energy, cost in columns)
    return make_pieces([*chain.from_iterable(texts)])
