"""What players are called."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from marchland.bots import is_command, is_file, name_of

LONGEST_NAME = 24
"""As much as a table of players can show."""


def names_of(specs: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """A name for each bot, from what it was called on the command line: ``greedy 1``, ``greedy 2``, ``mybot``."""
    bases = [_base(spec)[:longest] for spec in specs]
    alone = {base for base, count in Counter(bases).items() if count == 1}
    taken = set(alone)
    names = []
    for base in bases:
        name, number = base, 0
        while base not in alone and (name in taken or number == 0):
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
