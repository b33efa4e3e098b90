"""One running match, wherever it runs."""

from marchland.match.cropping import cropped
from marchland.match.journal import Also, Entry, EntryKind, Journal, Post, Punctuality
from marchland.match.match import Match, OnJoin, OnTurn
from marchland.match.memory import MemoryJournal
from marchland.match.refusals import Lost, MatchOver, Refused, TooLate, Unavailable
from marchland.match.subscription import Subscription

__all__ = [
    "Also",
    "Entry",
    "EntryKind",
    "Journal",
    "Lost",
    "Match",
    "MatchOver",
    "MemoryJournal",
    "OnJoin",
    "OnTurn",
    "Post",
    "Punctuality",
    "Refused",
    "Subscription",
    "TooLate",
    "Unavailable",
    "cropped",
]
