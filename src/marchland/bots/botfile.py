"""Bots that people write: a Python file with a class ``Bot``, or a function ``play`` or ``bot``."""

import itertools
import os
import sys
import types
from pathlib import Path
from typing import Any

from marchland.bots.blame import blame
from marchland.errors import UnknownNameError

_OFFERS = ("Bot", "play", "bot")
_counter = itertools.count(1)


def is_file(spec: str) -> bool:
    """Whether the bot is named by a path."""
    return spec.endswith(".py") or os.sep in spec


def read_bot(path: Path) -> Any:
    """What the file offers as its bot. Every call runs the file anew, so two seats share nothing."""
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
        raise UnknownNameError(f"The bot {path} cannot be loaded: {blame(error)}.") from None
    for name in _OFFERS:
        if callable(module.__dict__.get(name)):
            return module.__dict__[name]
    raise UnknownNameError(f"{path} has no bot: it needs a class Bot with play(self, view), or a function play(view).")
