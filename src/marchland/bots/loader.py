"""User bots: a Python file with a class ``Bot``, or a function ``play`` or ``bot``; or a command."""

import itertools
import os
import sys
import types
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from marchland.bots.bot import Bot, as_bot
from marchland.bots.command import is_command, stdio_command
from marchland.bots.errors import describe_error
from marchland.bots.process import SECONDS, ProcessBot
from marchland.bots.process_options import DEFAULT_OPTIONS, ProcessOptions
from marchland.bots.submission import open_submission
from marchland.errors import MarchlandError, UnknownNameError

_ATTRIBUTES = ("Bot", "play", "bot")
_counter = itertools.count(1)


def is_file(spec: str) -> bool:
    """Whether the bot is named by a path."""
    return spec.endswith(".py") or os.sep in spec


def is_user_bot(spec: str) -> bool:
    """Whether the bot is named by a path or a command, not a built-in one."""
    return is_command(spec) or is_file(spec)


def load_user_bot(
    spec: str, seed: int | None = None, seconds: float = SECONDS, options: ProcessOptions = DEFAULT_OPTIONS
) -> Bot:
    """Load a bot by path or command.

    A process, and only a process, is limited to ``seconds`` a turn and by ``options``: a bot by command, a folder with
    ``bot.toml``, and any bot in a sandbox or in a rated match.
    """
    if is_command(spec):
        return as_bot(ProcessBot(spec, seconds=seconds, seed=seed, options=options))
    if Path(spec).is_dir():
        submission = open_submission(Path(spec))
        in_folder = options._replace(sandbox=options.sandbox._replace(folder=submission.folder))
        return as_bot(ProcessBot(submission.command(), seconds=seconds, seed=seed, options=in_folder))
    if options.sandbox.level != "open" or options.counts_cpu:
        return as_bot(ProcessBot(stdio_command(spec), seconds=seconds, seed=seed, options=options))
    try:
        with redirect_stdout(sys.stderr):  # stdout is for the answer of the program that runs the bot
            return as_bot(read_bot(Path(spec)), seed)
    except MarchlandError:
        raise
    except (Exception, SystemExit) as error:
        raise UnknownNameError(f"The bot {spec} cannot be set up: {describe_error(error)}.") from None


def read_bot(path: Path) -> Any:
    """The class or function that the file defines as its bot. Each call executes the file, so seats share nothing."""
    try:
        source = path.read_bytes()
    except OSError as problem:
        raise UnknownNameError(f"The bot {path} cannot be read: {problem.strerror}.") from None
    module = types.ModuleType(f"{path.stem}_{next(_counter)}")
    module.__file__ = str(path)
    # Dataclasses and pickling look a class's module up by name.
    sys.modules[module.__name__] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # for the bot's own helpers, also those it imports while it plays
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise UnknownNameError(f"The bot {path} cannot be loaded: {describe_error(error)}.") from None
    for name in _ATTRIBUTES:
        if callable(module.__dict__.get(name)):
            return module.__dict__[name]
    raise UnknownNameError(f"{path} has no bot: it needs a class Bot with play(self, view), or a function play(view).")
