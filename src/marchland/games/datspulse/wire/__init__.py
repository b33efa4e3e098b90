"""The public server's words (rulings 5, 17, 23, 24): the arena as bytes, ants by UUID, messages about moves."""

from marchland.games.datspulse.wire.arena import EMPTY_ARENA, FORMS, Arenas, arena_bytes, move_bytes
from marchland.games.datspulse.wire.ids import uuid_of, uuids_of
from marchland.games.datspulse.wire.moves import Hex, Judged, Move, judge, ways_of

__all__ = [
    "EMPTY_ARENA",
    "FORMS",
    "Arenas",
    "Hex",
    "Judged",
    "Move",
    "arena_bytes",
    "judge",
    "move_bytes",
    "uuid_of",
    "uuids_of",
    "ways_of",
]
