"""Bots of one's own, as people name them: by the path of a Python file or by a command."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

from marchland.bots.blame import blame
from marchland.bots.botfile import is_file, read_bot
from marchland.bots.command import is_command
from marchland.bots.mind import Bot, bot_from
from marchland.bots.process import SECONDS, ProcessBot
from marchland.errors import MarchlandError, UnknownNameError


def is_own(spec: str) -> bool:
    """Whether the name is that of a bot of one's own."""
    return is_command(spec) or is_file(spec)


def own_bot(spec: str, seed: int | None = None, seconds: float = SECONDS) -> Bot:
    """The bot of that name; only one by command can be held to its ``seconds`` a turn."""
    if is_command(spec):
        return bot_from(ProcessBot(spec, seconds=seconds, seed=seed))
    try:
        with redirect_stdout(sys.stderr):  # what a bot prints is talk, not the answer of the program that runs it
            return bot_from(read_bot(Path(spec)), seed)
    except MarchlandError:
        raise
    except (Exception, SystemExit) as error:
        raise UnknownNameError(f"The bot {spec} cannot be set up: {blame(error)}.") from None
