"""Where words and figures go: answers to stdout, everything else to stderr."""

import sys
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from marchland.cli.look import THEME

_UNBOUNDED = 10_000

GAP = 2
"""Spaces between the columns of a table."""


def answers() -> Console:
    """For what was asked. A file or a pipe gets whole lines, whatever the terminal's width is."""
    return _console(stderr=False)


def asides() -> Console:
    """For what is said meanwhile."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, theme=THEME, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    return console


def answer_json(value: Any) -> None:
    """One JSON object, and nothing else on stdout."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def table() -> Table:
    """A table without lines: alignment is enough."""
    return Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="head")


def spoken(name: str) -> str:
    """A name as people say it: ``gold_source`` is gold source."""
    return name.replace("_", " ")
