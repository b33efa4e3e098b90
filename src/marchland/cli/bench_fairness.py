"""``marchland bench fairness``: who wins mirror games and duels."""

from collections.abc import Callable
from typing import Any

import click

from marchland.cli.options import DefaultGroup

_MOST_SEEDS = 100_000
_MOST_PROCESSES = 256


def _run_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that mirror games and duels share."""
    for option in (
        click.option("--json", is_flag=True, help="Print one JSON object a line."),
        click.option(
            "--processes", type=click.IntRange(1, _MOST_PROCESSES), metavar="N", help="As many as cores if not given."
        ),
        click.option("--seeds", type=click.IntRange(1, _MOST_SEEDS), metavar="N", help="Only the first N seeds."),
        click.option("--map", metavar="NAME", help="Only this map."),
    ):
        command = option(command)
    return command


@click.group("fairness", cls=DefaultGroup, default="mirror")
def fairness() -> None:
    """Play many games and test whether seats, places and bots are equal."""


@fairness.command()
@click.argument("game", required=False, help="Which game; every game if none.")
@click.option("--players", type=click.IntRange(2), metavar="N", help="Instead of each map's own number.")
@_run_options
def mirror(
    game: str | None, players: int | None, map: str | None, seeds: int | None, processes: int | None, json: bool
) -> None:
    """Play greedy against itself on every map, seeds 1000 to 1999."""
    from marchland.bench.fairness import (
        MIRROR_SEEDS,
        mirror_figures,
        mirror_tasks,
        play_all,
        select_setups,
        summary_figures,
    )
    from marchland.cli.signals import stoppable
    from marchland.cli.terminal.progress import progress

    measured = []
    for setup in select_setups(game, map, players):
        tasks = mirror_tasks(setup, MIRROR_SEEDS[:seeds])
        with stoppable(), progress(f"Playing {setup.game} {setup.name}", len(tasks), redraws_per_second=1) as advance:
            figures = mirror_figures(setup, play_all(tasks, processes, advance))
        measured.append(figures)
        _print_figures(figures, json)
    _print_figures(summary_figures(measured), json)


@fairness.command()
@click.argument("game", help="Which game.")
@click.option("--bots", metavar="A,B", default="greedy,random", help="Two bots, by name, path or command.")
@_run_options
def duel(game: str, bots: str, map: str | None, seeds: int | None, processes: int | None, json: bool) -> None:
    """Let two bots play each of 100 seeds twice, with seats exchanged."""
    from marchland import registry
    from marchland.arena import load_bot
    from marchland.bench.fairness import DUEL_SEEDS, Setup, duel_figures, duel_tasks, play_all
    from marchland.cli.match_options import bots_of, map_of
    from marchland.cli.signals import stoppable
    from marchland.cli.terminal.progress import progress

    kind = registry.find(game)
    specs = bots_of(bots, kind)
    if len(specs) != 2:
        raise click.UsageError(f"A duel is between two bots, like --bots greedy,random, not {len(specs)}.")
    for spec in specs:
        load_bot(spec, kind, 0)  # refuse an unknown name before any process starts
    tasks = duel_tasks(Setup(game, 2, map_of(map)), (specs[0], specs[1]), DUEL_SEEDS[:seeds])
    with stoppable(), progress(f"Playing {game}", len(tasks), redraws_per_second=1) as advance:
        results = play_all(tasks, processes, advance)
    _print_figures(duel_figures(tasks, results), json)


def _print_figures(figures: dict[str, Any], json: bool) -> None:
    import sys

    from marchland.cli.terminal.output import print_json, stdout_console

    if json:
        print_json(figures)
        sys.stdout.flush()
        return
    shown = {name: value for name, value in figures.items() if name not in ("game", "scenario")}
    words = "  ".join(f"{name.replace('_', ' ')} {_as_text(value)}" for name, value in shown.items())
    stdout_console().print(f"{figures['game']} {figures['scenario']}: {words}")


def _as_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_as_text(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_as_text, value)) or "none"
    return f"{value:,}" if isinstance(value, int | float) else str(value)
