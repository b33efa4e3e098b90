"""The state as the public server sent it: one JSON text a turn for all clients."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from marchland.games.colorfight.rules.config import ColorfightConfig
from marchland.games.colorfight.wire.map_text import rows_text
from marchland.games.colorfight.wire.users_text import users_text
from marchland.messages import Raw

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

HEADERS: Final = (
    "attack_cost",
    "force_field",
    "building",
    "gold",
    "energy",
    "owner",
    "position",
    "natural_gold",
    "natural_energy",
    "natural_cost",
)
_HEAD: Final = b',"game_map":{"headers":' + msgspec.json.encode(HEADERS) + b',"data":['
_VERSION: Final = 2

_encode = msgspec.json.Encoder().encode


class Room(NamedTuple):
    """What the state holds besides the match."""

    game_id: str
    max_player: int
    round_time: float
    start_count_down: int
    allow_manual_mode: bool
    chat: Sequence[Mapping[str, str] | Raw]
    uids: Sequence[int]
    """By seat, the number that the wire shows; 0 means no player."""
    verified: Sequence[bool]


def before_start(config: ColorfightConfig, names: Sequence[str], map: Mapping[str, Any]) -> "Colorfight":
    """The match before it begins, at turn 0: every player has a home and no income yet."""
    from marchland.games.colorfight.game import Colorfight

    return Colorfight._create(config, names, map, (0, 0))


def state_bytes(game: "Colorfight", room: Room, errors: Mapping[int, Sequence[str]]) -> bytes:
    """The state; ``errors`` by seat. Once turns are played every player has a list, which may be empty."""
    config: ColorfightConfig = game.config
    info = {
        "max_turn": config.max_turn,
        "max_player": room.max_player,
        "width": config.width,
        "height": config.height,
        "round_time": float(room.round_time),
        "start_count_down": room.start_count_down,
        "allow_manual_mode": room.allow_manual_mode,
        "game_id": room.game_id,
        "replay_version": _VERSION,
        "game_version": _VERSION,
    }
    listed = {str(room.uids[seat]): errors.get(seat, ()) for seat in range(len(game.players) if game.turn else 0)}
    return b"".join(
        (
            b'{"turn":%d,"info":%b,"chat":%b,"error":%b'
            % (game.turn, _encode(info), _encode(room.chat), _encode(listed)),
            _HEAD,
            rows_text(game, room.uids),
            b']},"users":',
            users_text(game, room.uids, room.verified),
            b"}",
        )
    )
