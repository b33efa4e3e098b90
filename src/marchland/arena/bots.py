"""What a bot is: anything that turns what a player sees into orders."""

import inspect
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from marchland.arena.blame import blame
from marchland.arena.botfile import read_bot
from marchland.core.game import Game
from marchland.errors import UnknownNameError, choices, did_you_mean


class Bot(NamedTuple):
    """One player's mind."""

    move: Callable[[Any], Any]
    """What it is shown goes in, its orders come out."""
    observes: bool = False
    """Whether it is shown the arrays of `Game.observe` instead of `Game.view`: built-ins do, for speed."""


def bot_from(source: Any, seed: int | None = None) -> Bot:
    """The bot in a function, an object with ``play(view)`` or a class of such objects."""
    made = _constructed(source, seed) if isinstance(source, type) else source
    move = getattr(made, "play", made)
    if not callable(move):
        raise UnknownNameError(f"{made!r} is no bot: it needs play(self, view), or to be a function of a view.")
    return Bot(move, bool(getattr(made, "observes", False)))


def load_bot(spec: str, kind: type[Game], seed: int) -> Bot:
    """The bot that a person names: one that comes with the game, or the path of a Python file."""
    if is_file(spec):
        try:
            with redirect_stdout(sys.stderr):  # what a bot prints is talk, not the answer of the program that runs it
                return bot_from(read_bot(Path(spec)), seed)
        except UnknownNameError:
            raise
        except (Exception, SystemExit) as error:
            raise UnknownNameError(f"The bot {spec} cannot be set up: {blame(error)}.") from None
    if spec not in kind.bots:
        near = did_you_mean(spec, kind.bots)
        raise UnknownNameError(
            f"{kind.name} has no bot {spec!r}; {near} A bot of your own is named by its path, like ./mybot.py."
        )
    return bot_from(kind.bots[spec](seed=seed))


def is_file(spec: str) -> bool:
    """Whether the bot is named by a path."""
    return spec.endswith(".py") or os.sep in spec


def _constructed(kind: type, seed: int | None) -> Any:
    try:
        parameters = inspect.signature(kind).parameters.values()
    except ValueError:  # classes written in C may have no signature
        return kind()
    needed = [
        one.name
        for one in parameters
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    if set(needed) - {"seed"}:
        raise UnknownNameError(
            f"{kind.__name__} is made without arguments or with seed, but it needs {choices(needed)}."
        )
    takes_seed = any(one.name == "seed" or one.kind == one.VAR_KEYWORD for one in parameters)
    return kind(seed=seed) if takes_seed else kind()
