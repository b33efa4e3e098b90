"""``marchland bench``: how fast the games are on this machine."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

_BESIDE_GAMES = {"server": "marchland.server", "wire": "marchland.server.wire"}


def bench(
    game: Annotated[str | None, typer.Argument(help="Which game, or server, or wire; every game if none.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Measure turns, steps and batches, beside the time to copy the state."""
    from marchland import registry
    from marchland.cli.output import answer_json, answers
    from marchland.cli.progress import load_game, stopwatch

    names = [game] if game else registry.games()
    for name in names:
        if name not in _BESIDE_GAMES:
            load_game(registry.find(name))
    for name in names:
        scenarios = _scenarios(name)
        while True:
            with stopwatch(f"Measuring {name}"):
                figures = next(scenarios, None)
            if figures is None:
                break
            if json:
                answer_json(figures)
            else:
                answers().print(_sentence(figures))


def _scenarios(name: str) -> Iterator[dict[str, Any]]:
    import importlib

    home = _BESIDE_GAMES.get(name, f"marchland.games.{name}")
    yield from importlib.import_module(f"{home}.bench").scenarios()


def _sentence(figures: dict[str, Any]) -> str:
    """The figures for people: the scenario, then each number with its name."""
    shown = {name: value for name, value in figures.items() if name not in ("game", "scenario")}
    numbers = "  ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in shown.items())
    return f"{figures['game']} {figures['scenario']}: {numbers}"
