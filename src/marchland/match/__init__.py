"""One running match, the same class on a laptop and on the server."""

from marchland.match.audience import crop
from marchland.match.errors import MatchBroken, MatchOver, MatchReloading, TooEarly, TooLate
from marchland.match.log import Closing, Entry, EntryKind, ExtraWrite, MatchLog, MemoryMatchLog, Post, SeatTiming
from marchland.match.match import Match, OnJoin, OnTurn
from marchland.match.orders import PostLimits
from marchland.match.spectator_policy import SpectatorPolicy
from marchland.match.subscription import StreamPosition, Subscription

__all__ = [
    "Closing",
    "Entry",
    "EntryKind",
    "ExtraWrite",
    "Match",
    "MatchBroken",
    "MatchLog",
    "MatchOver",
    "MatchReloading",
    "MemoryMatchLog",
    "OnJoin",
    "OnTurn",
    "Post",
    "PostLimits",
    "SeatTiming",
    "SpectatorPolicy",
    "StreamPosition",
    "Subscription",
    "TooEarly",
    "TooLate",
    "crop",
]
