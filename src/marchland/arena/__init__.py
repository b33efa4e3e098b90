"""Local matches and tournaments between bots by name."""

from typing import TYPE_CHECKING, Any

from marchland.arena.bots import LONGEST_NAME, load_bot, names_of
from marchland.arena.local import BotTeam, Played, play
from marchland.bots import Bot, BotStats, ProcessBot, ProcessOptions, Sandbox, as_bot

if TYPE_CHECKING:
    from marchland.arena.comparison import Comparison, compare
    from marchland.arena.tournament import Tournament


def __getattr__(name: str) -> Any:
    """Load what needs SQLAlchemy on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"marchland.arena.{_HOMES[name]}"), name)


_HOMES = {"Comparison": "comparison", "Tournament": "tournament", "compare": "comparison"}

__all__ = [
    "LONGEST_NAME",
    "Bot",
    "BotStats",
    "BotTeam",
    "Comparison",
    "Played",
    "ProcessBot",
    "ProcessOptions",
    "Sandbox",
    "Tournament",
    "as_bot",
    "compare",
    "load_bot",
    "names_of",
    "play",
]
