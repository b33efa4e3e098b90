"""What a bot is and where it comes from: an object, a file, a process. Imports neither the engine nor the network."""

from marchland.bots.bot import Bot, as_bot
from marchland.bots.command import is_command, name_of, split_specs
from marchland.bots.errors import describe_error
from marchland.bots.guarded import BotStats, GuardedBot
from marchland.bots.loader import is_file, is_user_bot, load_user_bot
from marchland.bots.process import FIRST_SECONDS, SECONDS, ProcessBot
from marchland.bots.process_options import DEFAULT_OPTIONS, ProcessOptions
from marchland.bots.sandbox import LEVELS, Level, Sandbox, SandboxError, can_jail, check_jail

__all__ = [
    "DEFAULT_OPTIONS",
    "FIRST_SECONDS",
    "LEVELS",
    "SECONDS",
    "Bot",
    "BotStats",
    "GuardedBot",
    "Level",
    "ProcessBot",
    "ProcessOptions",
    "Sandbox",
    "SandboxError",
    "as_bot",
    "can_jail",
    "check_jail",
    "describe_error",
    "is_command",
    "is_file",
    "is_user_bot",
    "load_user_bot",
    "name_of",
    "split_specs",
]
