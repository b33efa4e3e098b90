"""Consoles, tables and JSON: results go to stdout, everything else to stderr."""

import sys
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from marchland.cli.terminal.colours import THEME

_UNBOUNDED = 10_000

GAP = 2
"""Spaces between the columns of a table."""


def stdout_console() -> Console:
    """For results. A file or a pipe gets whole lines, whatever the terminal's width."""
    return _console(stderr=False)


def stderr_console() -> Console:
    """For progress and notes."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, theme=THEME, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    return console


def print_json(value: Any) -> None:
    """Print one JSON object on a line."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def table() -> Table:
    """A table without lines."""
    return Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="head")


def humanize(name: str) -> str:
    """A name for people: ``gold_source`` becomes gold source."""
    return name.replace("_", " ")
