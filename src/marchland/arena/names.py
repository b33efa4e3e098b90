"""What players are called."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from marchland.arena.bots import is_file

LONGEST_NAME = 24
"""As much as a table of players can show."""


def names_of(specs: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """A name for each bot, from what it was called on the command line: ``greedy 1``, ``greedy 2``, ``mybot``."""
    bases = [(Path(spec).stem if is_file(spec) else spec)[:longest] for spec in specs]
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
