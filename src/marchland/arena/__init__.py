"""Where bots meet: bots by name, and a match played in this process."""

from marchland.arena.bots import load_bot
from marchland.arena.local import Played, play
from marchland.arena.minds import Minds
from marchland.arena.names import LONGEST_NAME, names_of
from marchland.bots import Bot, ProcessBot, Tally, bot_from

__all__ = [
    "LONGEST_NAME",
    "Bot",
    "Minds",
    "Played",
    "ProcessBot",
    "Tally",
    "bot_from",
    "load_bot",
    "names_of",
    "play",
]
