"""A letter for every thing that can stand on a cell."""

import string
from collections.abc import Iterable

from marchland.cli.terminal.output import humanize
from marchland.messages import Legend


def letters(words: Iterable[str]) -> dict[str, str]:
    """A letter of its own for each word, from the word itself as far as that goes."""
    chosen: dict[str, str] = {}
    for word in words:
        if word not in chosen:
            own = [letter for letter in word.upper() if letter.isalnum()]
            free = (letter for letter in (*own, *string.ascii_letters, "?") if letter not in chosen.values())
            chosen[word] = next(free, "?")
    return chosen


def words_of(legend: Legend) -> list[str]:
    """Everything a letter stands for. The first word of a palette is the usual state of a cell and stays blank."""
    codes = [word for layer in legend.layers if layer.type == "code" for word in layer.palette[1:]]
    return codes + [kind.name for kind in legend.kinds]


def key_line(legend: Legend) -> str:
    """``H home  E energy well``."""
    return "  ".join(f"{letter} {humanize(word)}" for word, letter in letters(words_of(legend)).items())
