"""The players as JSON text: as the public server sends them, and in the form of the seed's game info."""

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from marchland.core.json_text import MOST_DIGITS, NUMBERS, SLACK, Pieces, make_pieces
from marchland.games.colorfight.rules.state import BUILDINGS
from marchland.games.colorfight.wire.users_json import KINDS, write_players, write_users

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

_PIECES: Final = make_pieces(
    [
        b'"energy":',
        b'"gold":',
        b'"dead":false,',
        b'"dead":true,',
        b'"energy_source":',
        b'"gold_source":',
        b'"tech_level":',
        b'"tax_level":',
        b'"tax_amount":',
        b'"building_number":{',
        b'},"cell_number":',
        b'"cells":[',
        b"]},",
        *(b'"%b":' % name.encode() for name in BUILDINGS[1:]),
    ]
)

# More bytes than each takes.
_A_PLAYER: Final = 300 + 14 * MOST_DIGITS
_A_PLACE: Final = 16


def users_text(game: "Colorfight", uids: Sequence[int], verified: Sequence[bool]) -> bytes:
    """The players by the numbers of the room, each with the positions of its cells, column by column."""
    heads = _user_heads(tuple(game.players), tuple(uids[: len(game.players)]), tuple(verified))
    out, order, bounds, counts = _arrays(game, heads)
    end = write_users(
        game.buffer,
        game.layout.at,
        game.config.width,
        game.turn > 0,
        game.board.coords,
        NUMBERS,
        heads,
        _PIECES,
        order,
        bounds,
        counts,
        out,
    )
    return b"{%b}" % out[: max(end, 0)].tobytes()


def players_text(game: "Colorfight") -> bytes:
    """The players by seat, each with the positions of its cells, row by row."""
    heads = _player_heads(tuple(game.players))
    out, order, bounds, counts = _arrays(game, heads)
    end = write_players(
        game.buffer,
        game.layout.at,
        game.config.width,
        game.board.coords,
        NUMBERS,
        heads,
        _PIECES,
        order,
        bounds,
        counts,
        out,
    )
    return b"{%b}" % out[: max(end, 0)].tobytes()


def _arrays(game: "Colorfight", heads: Pieces) -> tuple[Any, ...]:
    """The array to write to, and the kernels' scratch."""
    players, cells = len(game.players), game.board.size
    out = np.empty(cells * _A_PLACE + players * _A_PLAYER + len(heads.texts) + SLACK, np.uint8)
    return out, np.empty(cells, np.int32), np.empty(players + 1, np.int64), np.empty(players * KINDS, np.int64)


@functools.lru_cache(maxsize=64)
def _user_heads(names: Sequence[str], uids: Sequence[int], verified: Sequence[bool]) -> Pieces:
    """How the text of each player begins."""
    head = b'"%d":{"uid":%d,"username":%b,"verified":%b,"ranking":'
    encode = msgspec.json.encode
    players = zip(names, uids, verified, strict=True)
    return make_pieces([head % (uid, uid, encode(name), encode(known)) for name, uid, known in players])


@functools.lru_cache(maxsize=64)
def _player_heads(names: Sequence[str]) -> Pieces:
    head = b'"%d":{"uid":%d,"username":%b,'
    return make_pieces([head % (seat, seat, msgspec.json.encode(name)) for seat, name in enumerate(names)])
