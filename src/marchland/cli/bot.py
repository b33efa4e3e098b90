"""``marchland bot``: what a server will do with a bot, on this machine."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marchland.cli.options import NumberRange, OrderedGroup

if TYPE_CHECKING:
    from rich.table import Table

    from marchland.arena.checking import SeatCheck

_FAILED = 1
_MOST_MEGABYTES = 1 << 20


@click.group(cls=OrderedGroup)
def bot() -> None:
    """Check a bot before others play it."""


@bot.command()
@click.argument("path", type=click.Path(path_type=Path), help="A .py file, or a folder, zip or tar with bot.toml.")
@click.option("--game", "games", multiple=True, metavar="GAME", help="Which game; those of bot.toml if none.")
@click.option(
    "--seconds", type=NumberRange(0.01, 3600), default=2.0, metavar="SECONDS", help="Processor time of a turn."
)
@click.option("--memory", type=click.IntRange(16, _MOST_MEGABYTES), default=2048, metavar="MB", help="Its memory.")
@click.option(
    "--sandbox",
    type=click.Choice(("open", "jailed", "contained")),
    default="jailed",
    help="Where it is built and runs.",
)
@click.option("--json", is_flag=True, help="Print one JSON object.")
def check(path: Path, games: Sequence[str], seconds: float, memory: int, sandbox: Any, json: bool) -> int:
    """Unpack, build and jail a bot, and play five turns of each seat."""
    from marchland.arena.checking import check_seats, find_games
    from marchland.bots.process_options import MEGABYTE, ProcessOptions
    from marchland.bots.sandbox import Sandbox, check_jail
    from marchland.bots.submission import build, unpacked
    from marchland.cli.signals import stoppable
    from marchland.cli.terminal.output import print_json, stdout_console
    from marchland.cli.terminal.progress import load_game

    if sandbox == "jailed":
        check_jail()
    options = ProcessOptions(memory=memory * MEGABYTE, sandbox=Sandbox(sandbox))
    with stoppable(), unpacked(path) as submission:
        kinds = find_games(submission, games)
        built = build(submission, options)
        for kind in kinds:
            load_game(kind)
        checks = list(check_seats(submission, kinds, seconds, options))
        if json:
            print_json(
                {
                    "name": submission.description.name,
                    "sha256": submission.sha256,
                    "files": submission.files,
                    "bytes": submission.size,
                    "build_seconds": built and round(built.seconds, 3),
                    "sandbox": sandbox,
                    "seats": [_rounded(check) for check in checks],
                }
            )
        else:
            console = stdout_console()
            files = f"{submission.files} file{'s' if submission.files != 1 else ''}"
            size = f"{files}, {submission.size / 1000:,.0f} kB, sha256 {submission.sha256[:12]}"
            console.print(f"Unpacked {submission.description.name}: {size}.")
            console.print(f"Built in {built.seconds:.1f} s." if built else "There is nothing to build.")
            console.print(f"Played in the sandbox {sandbox!r}:\n")
            console.print(_as_table(checks))
    failed = [check for check in checks if check.problem]
    if not json:
        stdout_console().print(
            f"\n{len(failed)} of {len(checks)} seats failed." if failed else "\nA server will take it."
        )
    return _FAILED if failed else 0


def _rounded(check: "SeatCheck") -> dict[str, Any]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in check._asdict().items()}


def _as_table(checks: Sequence["SeatCheck"]) -> "Table":
    from marchland.cli.terminal.output import table

    shown = table()
    headings = ("game", "seat", "turns", "orders", "refused", "first ms", "slowest ms", "CPU ms", "MB", "problem")
    for heading in headings:
        shown.add_column(heading, justify="left" if heading in ("game", "problem") else "right")
    for check in checks:
        times = (f"{1000 * value:,.1f}" for value in (check.first_answer, check.slowest_turn, check.cpu))
        counts = map(str, (check.seat, check.turns, check.orders, check.refused))
        shown.add_row(check.game, *counts, *times, f"{check.memory / 2**20:,.0f}", check.problem or "none")
    return shown
