"""``marchland warmup``: compile now what would otherwise be compiled at the first match."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from marchland.core.game import Game

_TURNS = 3


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...", help="Which games; all of them if none is named.")
def warmup(games: Sequence[str]) -> None:
    """Compile the games' rules and bots, once on this machine."""
    from marchland import registry

    wanted = [registry.find(name) for name in games or registry.games()]
    if len(wanted) == 1:
        _exercise(wanted[0])
        _say(1, 1, wanted[0].name)
    else:
        _side_by_side([kind.name for kind in wanted])


def _side_by_side(names: list[str]) -> None:
    """Each game in a process of its own, as many at a time as there are processors."""
    import os
    import subprocess
    import sys
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from marchland.cli.progress import stopwatch
    from marchland.errors import MarchlandError

    def compiled(name: str) -> str:
        command = [sys.executable, "-m", "marchland", "warmup", name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MarchlandError(f"{name} could not be compiled: {done.stderr.strip()}")
        return name

    with ThreadPoolExecutor(os.cpu_count()) as pool, stopwatch("Compiling what is not compiled yet"):
        for number, one in enumerate(as_completed([pool.submit(compiled, name) for name in names]), start=1):
            _say(number, len(names), one.result())


def _say(number: int, total: int, name: str) -> None:
    from marchland.cli.output import answers

    answers().print(f"[{number}/{total}] {name} is ready.")


def _exercise(kind: "type[Game]") -> None:
    """A moment of every bot's play, and everything that is asked of a match besides."""
    from marchland import Batch, arena

    for name in kind.bots:
        bots = [arena.load_bot(name, kind, seed) for seed in range(max(2, kind.least_players))]
        game = kind.new(len(bots), seed=0)
        arena.play(game, bots, turns=_TURNS)
        game.view(0)
        game.legal(0)
        Batch([game], threads=1).step([game.packed({})[0]])
