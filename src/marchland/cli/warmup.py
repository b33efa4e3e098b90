"""``marchland warmup``: compile now what would otherwise be compiled at the first match."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from marchland.core.game import Game

_TURNS = 3


def warmup(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all of them if none is named.")
    ] = None,
) -> None:
    """Compile the games' rules and bots, once on this machine."""
    import time

    from marchland import registry
    from marchland.cli.output import answers

    console = answers()
    wanted = [registry.find(name) for name in games or registry.games()]
    for number, kind in enumerate(wanted, start=1):
        start = time.perf_counter()
        _exercise(kind)
        console.print(f"[{number}/{len(wanted)}] {kind.name} is ready, after {time.perf_counter() - start:.1f} s.")


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
