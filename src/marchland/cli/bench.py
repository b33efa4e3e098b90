"""``marchland bench``: benchmarks on this machine."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

_SUITES = {
    "server": ("marchland.bench.server", "marchland.bench.server_crowd"),
    "hostile": ("marchland.bench.hostile",),
    "wire": ("marchland.bench.wire_colorfight", "marchland.bench.wire_datspulse"),
}
_MOST_RUNS = 100


@click.command()
@click.argument("game", required=False, help="Which game, or server, hostile, wire or start; every game if none.")
@click.option("--json", is_flag=True, help="Print one JSON object a line.")
@click.option("--case", "cases", multiple=True, metavar="NAME", help="With start: only this, like cold/hive or cold.")
@click.option("--runs", type=click.IntRange(1, _MOST_RUNS), metavar="N", help="With start: fresh processes a case.")
def bench(game: str | None, json: bool, cases: Sequence[str], runs: int | None) -> None:
    """Measure the games' turns, the server, the wires or a start."""
    if game == "start":
        from marchland.cli.bench_start import bench_start

        bench_start(cases, runs, json)
        return
    if cases or runs:
        raise click.UsageError("--case and --runs go with marchland bench start.", click.get_current_context())

    from marchland import registry
    from marchland.cli.terminal.output import print_json, stdout_console
    from marchland.cli.terminal.progress import load_game, stopwatch

    names = [game] if game else list(registry.find_all())
    for name in names:
        if name not in _SUITES:
            load_game(registry.find(name))
    for name in names:
        scenarios = _scenarios(name)
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
