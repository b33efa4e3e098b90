"""The ``marchland`` command. One file a command; `COMMANDS` lists them.

Commands import what they need when they run, so that ``marchland --help`` answers at once.
"""

import sys
from collections.abc import Sequence

import click

from marchland import __version__
from marchland.cli.bench import bench
from marchland.cli.bot import bot
from marchland.cli.compare import compare
from marchland.cli.db import database
from marchland.cli.errors import exit_code_of
from marchland.cli.games import games
from marchland.cli.join import join
from marchland.cli.maps import maps
from marchland.cli.options import OrderedGroup
from marchland.cli.play import play
from marchland.cli.replay import replays
from marchland.cli.serve import serve
from marchland.cli.tournament import tournament
from marchland.cli.warmup import warmup

COMMANDS = (games, play, tournament, compare, serve, join, bot, database, bench, warmup, replays, maps)


@click.group(
    cls=OrderedGroup,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, message="%(prog)s %(version)s", help="Show the version.")
def marchland() -> None:
    """An arena for simultaneous-turn territory games on hexes and squares."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    sys.exit(exit_code_of(lambda: _run(words)))


def _run(arguments: list[str]) -> object:
    """Parse and run. Not `click.Command.main`, which ends the process on a broken pipe and on Ctrl-C by itself."""
    try:
        with marchland.make_context("marchland", arguments) as context:
            return marchland.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code


__all__ = ["main"]
