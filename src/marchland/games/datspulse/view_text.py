"""The view of a team as JSON text: what `views.view` holds, written from the state."""

import functools
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from marchland.board import Board
from marchland.core.json_text import MOST_DIGITS, NUMBERS, SLACK, Pieces, make_pieces
from marchland.games.datspulse.rules.state import FOODS, KINDS, MOST_STEPS, TERRAINS, Ants, Teams
from marchland.games.datspulse.view_json import write_lists
from marchland.games.datspulse.views import Numbers, Sight, food_by_hex, look_around, standing, view

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse

_PIECES: Final = make_pieces(
    [
        b'"ants":[',
        b'],"enemies":[',
        b'],"map":[',
        b'],"food":[',
        b"],",
        b'{"id":',
        b'"at":',
        b'{"at":',
        b'"food":null,',
        b'"lastMove":[',
        b'"move":[',
        b"],",
        b'"lastAttack":',
        b'"lastAttack":null,',
        b'"lastEnemyAnt":',
        b'"lastEnemyAnt":null,',
        *(b'"type":"%b","health":' % kind.encode() for kind in KINDS),
        *(b'"food":{"type":"%b","amount":' % food.encode() for food in FOODS),
        *(b'"type":"%b"},' % terrain.encode() for terrain in TERRAINS),
        *(b'"type":"%b","amount":' % food.encode() for food in FOODS),
    ]
)

# More bytes than each takes.
_A_PLACE: Final = 2 * MOST_DIGITS
_A_HEX: Final = _A_PLACE + 30
_A_PILE: Final = _A_PLACE + MOST_DIGITS + 40
_AN_ANT: Final = 200 + 4 * MOST_DIGITS + 2 * _A_PLACE
_A_WAY: Final = (2 * MOST_STEPS + 1) * _A_PLACE


def encode_view(game: "Datspulse", team: int | None) -> bytes:
    """The JSON of `view`."""
    if team is None:
        return msgspec.json.encode(view(game, None))
    errors = msgspec.json.encode([entry["sentence"] for entry in game.errors(team)])
    info = msgspec.json.encode(game.config.values())
    head = b'{"turn":%d,"me":%d,"info":%b,"radius":%d,' % (game.turn, team, info, game.radius)
    rest = memoryview(msgspec.json.encode(standing(game, team)))[1:]
    return b"".join((head, _lists(game, team), b'"errors":', errors, b",", rest))


def _lists(game: "Datspulse", team: int) -> memoryview:
    """The ants, the enemies, the map and the food that a team sees."""
    sight = look_around(game, team)
    first = team * game.slots
    own = np.arange(first, first + int(game.arrays(Teams).ants[team]), dtype=np.int64)
    others = _enemies_in_sight(game, team, sight)
    room = (len(own) + len(others)) * _AN_ANT + len(own) * _A_WAY + len(sight.cells) * (_A_HEX + _A_PILE)
    out = np.empty(room + len(_PIECES.texts) + SLACK, np.uint8)
    food, amount = food_by_hex(game)
    end = write_lists(
        game.buffer,
        game.layout.at,
        game.board.arrays,
        own,
        others,
        sight.cells,
        food,
        amount,
        NUMBERS,
        _places(game.board),
        _PIECES,
        out,
    )
    return memoryview(out.data)[:end]


def _enemies_in_sight(game: "Datspulse", team: int, sight: Sight) -> Numbers:
    """The rows of other teams' ants on hexes in sight, by id: another order would reveal the owner (ruling 29)."""
    ants: Ants = game.arrays(Ants)
    place = np.arange(len(ants.id), dtype=np.int64)
    owner = place // game.slots
    listed = (place % game.slots < game.arrays(Teams).ants[owner]) & (owner != team)
    rows: Numbers = place[listed]
    rows = rows[sight.seen[ants.cell[rows]] != 0]
    by_id: Numbers = rows[np.argsort(ants.id[rows], kind="stable")]
    return by_id


@functools.lru_cache(maxsize=16)
def _places(board: Board) -> Pieces:
    """The coordinates of each hex."""
    return make_pieces([b"[%d,%d]," % (x, y) for x, y in board.coords.tolist()])
