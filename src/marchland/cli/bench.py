"""``marchland bench``: benchmarks on this machine."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from marchland.cli.bench_fairness import fairness
from marchland.cli.options import DefaultGroup

_SUITES = {
    "server": ("marchland.bench.server", "marchland.bench.server_crowd", "marchland.bench.server_season"),
    "hostile": ("marchland.bench.hostile",),
    "wire": ("marchland.bench.wire_colorfight", "marchland.bench.wire_datspulse"),
}
_MOST_RUNS = 100


@click.group(cls=DefaultGroup, default="turns")
def bench() -> None:
    """Measure the games' turns, the server, the wires, a start, tournaments or fairness."""


bench.add_command(fairness)


@bench.command()
@click.option("--json", is_flag=True, help="Print one JSON object a line.")
@click.option("--case", "cases", multiple=True, metavar="NAME", help="Only this, like cold/hive or cold.")
@click.option("--runs", type=click.IntRange(1, _MOST_RUNS), metavar="N", help="Fresh processes a case.")
def start(json: bool, cases: Sequence[str], runs: int | None) -> None:
    """Measure a start with an empty and with a warm cache."""
    from marchland.cli.bench_start import bench_start

    bench_start(cases, runs, json)


@bench.command()
@click.argument("games", nargs=-1, help="Which games; every game if none.")
@click.option("--json", is_flag=True, help="Print one JSON object a line.")
@click.option(
    "--sandbox", "levels", type=click.Choice(("open", "jailed")), multiple=True, help="Only this sandbox, not both."
)
@click.option("--matches", type=click.IntRange(1, 10_000), default=5, metavar="N", help="Matches on each processor.")
def tournament(games: Sequence[str], json: bool, levels: Sequence[Any], matches: int) -> None:
    """Measure rated matches between bots in C."""
    from marchland import registry
    from marchland.bench.tournament import measure_tournaments
    from marchland.cli.terminal.progress import load_game

    names = list(games or registry.find_all())
    for name in names:
        load_game(registry.find(name))
    _print_all("tournaments", measure_tournaments(names, levels or ("open", "jailed"), matches), json)


@bench.command()
@click.argument("game", required=False, help="Which game, or server, hostile or wire; every game if none.")
@click.option("--json", is_flag=True, help="Print one JSON object a line.")
def turns(game: str | None, json: bool) -> None:
    """Measure the games' turns, the server or the wires."""
    from marchland import registry
    from marchland.cli.terminal.progress import load_game

    names = [game] if game else list(registry.find_all())
    for name in names:
        if name not in _SUITES:
            load_game(registry.find(name))
    for name in names:
        _print_all(name, _scenarios(name), json)


def _print_all(name: str, scenarios: Iterator[Mapping[str, Any]], json: bool) -> None:
    """Print the figures of each scenario as soon as they are known."""
    from marchland.cli.terminal.output import print_json, stdout_console
    from marchland.cli.terminal.progress import stopwatch

    while True:
        with stopwatch(f"Measuring {name}"):
            figures = next(scenarios, None)
        if figures is None:
            break
        if json:
            print_json(figures)
        else:
            stdout_console().print(_figures_line(figures))


def _scenarios(name: str) -> Iterator[Mapping[str, Any]]:
    import importlib

    from marchland import registry

    if name not in _SUITES:
        yield from registry.find(name).benchmarks()
    for module in _SUITES.get(name, ()):
        yield from importlib.import_module(module).scenarios()


def _figures_line(figures: Mapping[str, Any]) -> str:
    """One line: the scenario, then each number with its name."""
    shown = {name: value for name, value in figures.items() if name not in ("game", "scenario")}
    numbers = "  ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in shown.items())
    return f"{figures['game']} {figures['scenario']}: {numbers}"
