"""Local matches: bots by name, played in this process."""

from marchland.arena.bots import LONGEST_NAME, load_bot, names_of
from marchland.arena.local import BotTeam, Played, play
from marchland.bots import Bot, BotStats, ProcessBot, ProcessOptions, as_bot

__all__ = [
    "LONGEST_NAME",
    "Bot",
    "BotStats",
    "BotTeam",
    "Played",
    "ProcessBot",
    "ProcessOptions",
    "as_bot",
    "load_bot",
    "names_of",
    "play",
]
