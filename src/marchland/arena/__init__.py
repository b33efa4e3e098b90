"""Where bots meet: what a bot is, where it comes from, and a match played in this process."""

from marchland.arena.bots import Bot, bot_from, load_bot
from marchland.arena.local import Played, Tally, play
from marchland.arena.names import LONGEST_NAME, names_of

__all__ = ["LONGEST_NAME", "Bot", "Played", "Tally", "bot_from", "load_bot", "names_of", "play"]
