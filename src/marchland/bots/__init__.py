"""What a bot is and where it comes from: an object, a file, a process. Knows no engine and no network."""

from marchland.bots.blame import blame
from marchland.bots.botfile import is_file
from marchland.bots.command import is_command, name_of, split_specs
from marchland.bots.loading import is_own, own_bot
from marchland.bots.mind import Bot, bot_from
from marchland.bots.process import FIRST_SECONDS, SECONDS, ProcessBot
from marchland.bots.seated import Seated, Tally

__all__ = [
    "FIRST_SECONDS",
    "SECONDS",
    "Bot",
    "ProcessBot",
    "Seated",
    "Tally",
    "blame",
    "bot_from",
    "is_command",
    "is_file",
    "is_own",
    "name_of",
    "own_bot",
    "split_specs",
]
