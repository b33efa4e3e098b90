"""The bots of a local match: built-in ones by name, user bots by path or command, and the players' names."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from marchland.bots import (
    DEFAULT_OPTIONS,
    SECONDS,
    Bot,
    ProcessOptions,
    as_bot,
    is_command,
    is_file,
    is_user_bot,
    load_user_bot,
    name_of,
)
from marchland.core.game import Game
from marchland.errors import UnknownNameError, did_you_mean

LONGEST_NAME = 24
"""What a table of players has room for."""


def load_bot(
    spec: str,
    kind: type[Game],
    seed: int,
    seconds: float = SECONDS,
    options: ProcessOptions = DEFAULT_OPTIONS,
) -> Bot:
    """Load a bot of the game by name, a Python file by path, or ``cmd:`` and a command.

    A bot by command has ``seconds`` for each turn, and ``options`` limit its process.
    """
    if is_user_bot(spec):
        return load_user_bot(spec, seed, seconds, options)
    if spec not in kind.bots:
        near = did_you_mean(spec, kind.bots)
        raise UnknownNameError(
            f"{kind.name} has no bot {spec!r}; {near} A bot of your own is named by its path, like ./mybot.py."
        )
    return as_bot(kind.bots[spec](seed=seed))


def names_of(specs: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """A unique name for each bot, from its name on the command line: ``greedy 1``, ``greedy 2``, ``mybot``."""
    bases = [_base(spec)[:longest] for spec in specs]
    unique = {base for base, count in Counter(bases).items() if count == 1}
    taken = set(unique)
    names = []
    for base in bases:
        name, number = base, 0
        while base not in unique and (name in taken or number == 0):
            number += 1
            ending = f" {number}"
            name = base[: longest - len(ending)] + ending
        taken.add(name)
        names.append(name)
    return names


def _base(spec: str) -> str:
    if is_command(spec):
        return name_of(spec)
    return Path(spec).stem if is_file(spec) else spec
