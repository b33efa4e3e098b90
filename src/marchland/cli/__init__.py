"""The ``marchland`` command. Each command has a file of its own; to add one, write it and name it in `COMMANDS`.

Nothing that needs NumPy is imported before a command runs, so that ``marchland --help`` answers at once.
"""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from marchland.cli import bench, games, join, maps, play, replay, serve, warmup
from marchland.cli.complaints import exit_code_of

COMMANDS = (games.games, play.play, serve.serve, join.join, bench.bench, warmup.warmup)

app = typer.Typer(
    name="marchland",
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(replay.app)
app.add_typer(maps.app)


def _version(wanted: bool) -> None:
    if wanted:
        from marchland import __version__

        typer.echo(f"marchland {__version__}")
        raise typer.Exit


@app.callback()
def marchland(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """An arena for simultaneous-turn territory games on hexes and squares."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    sys.exit(exit_code_of(lambda: app(given, prog_name="marchland", standalone_mode=False)))


__all__ = ["main"]
