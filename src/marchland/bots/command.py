"""Bots that are named by a command line: ``cmd:node bot.js``."""

import re
import shlex
import shutil
import sys
from pathlib import Path

from marchland.errors import UnknownNameError

PREFIX = "cmd:"

# Commas part bots, but not within the quotes of a command.
_ONE = re.compile(r"""\s*(cmd:(?:\\.|'[^']*'|"(?:\\.|[^"])*"|[^,])*|[^,]*),""")
_PROGRAM_FILE = re.compile(r"[^-].*\.[A-Za-z]{1,4}")


def is_command(spec: str) -> bool:
    """Whether the bot is named by a command."""
    return spec.startswith(PREFIX)


def split_specs(text: str) -> list[str]:
    """The bots in a list with commas between them; empty ones are left in."""
    return [found[1].strip() for found in _ONE.finditer(text + ",")]


def words_of(spec: str) -> list[str]:
    """The words of a command, which no shell sees; refused if there is no such program."""
    try:
        words = shlex.split(spec.removeprefix(PREFIX))
    except ValueError:
        raise UnknownNameError(f"The bot {spec} has a quotation mark that is never closed.") from None
    if not words:
        raise UnknownNameError("A bot by command names one, like cmd:node bot.js.")
    if shutil.which(words[0]) is None:
        raise UnknownNameError(f"The bot {spec} cannot be started: there is no program {words[0]}.")
    return words


def stdio_command(path: str) -> list[str]:
    """The command that runs a Python file as a process."""
    return [sys.executable, "-m", "marchland.bots.stdio", path]


def name_of(spec: str) -> str:
    """The name of the bot: that of its file if the command has one, else that of its program."""
    try:
        words = shlex.split(spec.removeprefix(PREFIX))
    except ValueError:
        words = []
    files = [word for word in words[1:] if _PROGRAM_FILE.fullmatch(word)]
    return Path((files or words[:1] or ["bot"])[0]).stem
