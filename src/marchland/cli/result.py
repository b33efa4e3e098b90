"""How a match went, for people and for programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from marchland.arena import Played
from marchland.cli.layout import Room
from marchland.cli.output import GAP, table
from marchland.cli.standings import add_figures, figures_that_fit, swatch
from marchland.core.game import Game


class Result(NamedTuple):
    """A match that was played."""

    game: Game
    specs: Sequence[str]
    seed: int
    played: Played
    saved: Path | None

    @property
    def reason(self) -> str:
        """Why it ended."""
        outcome = self.game.outcome
        return outcome.reason if outcome else "Stopped; the match is not over."

    def players(self) -> list[dict[str, Any]]:
        """Everybody, the winner first; by seat where the match is not over."""
        outcome = self.game.outcome
        rows = self.game.picture().players
        places = {one.player: one.place for one in outcome.ranking} if outcome else {}
        return [
            {
                "player": seat,
                "name": self.game.players[seat],
                "bot": self.specs[seat],
                "place": places.get(seat),
                "alive": bool(rows[seat][0]),
                "figures": dict(zip(self.game.figures, rows[seat][1:], strict=True)),
                "orders": stats.orders,
                "refused": stats.refused,
                "failures": stats.failures,
                "first_failure": stats.first_failure or None,
            }
            for seat in places or range(len(self.specs))
            for stats in [self.played.stats[seat]]
        ]


def as_json(result: Result) -> dict[str, Any]:
    """Everything, as one object."""
    game = result.game
    return {
        "game": game.name,
        "version": game.version,
        "config": game.config.values(),
        "seed": result.seed,
        "turns": result.played.turns,
        "outcome": msgspec.to_builtins(game.outcome),
        "digest": game.digest(),
        "players": result.players(),
        "saved": str(result.saved) if result.saved else None,
    }


def tell(result: Result, console: Console) -> None:
    """Why the match ended, the final table, whose bot failed, and how to play the same match again."""
    turns = result.played.turns
    everybody = result.players()
    console.print(f"{result.game.name}, {turns:,} turn{'s' * (turns != 1)}. {result.reason}", soft_wrap=True)
    console.print(_final_table(result, everybody, console))
    for one in everybody:
        if one["failures"]:
            failed = f"{one['name']} failed in {one['failures']:,} of {turns:,} turns, first {one['first_failure']}"
            console.print(failed, style="danger", soft_wrap=True)
    again = f"To play the same match again, add --seed {result.seed} to the same bots and settings."
    console.print(again, style="muted", soft_wrap=True)
    if result.saved:
        size = result.saved.stat().st_size / 1000
        console.print(f"Saved to {result.saved}, {size:,.1f} kB.", style="muted", soft_wrap=True)


def _final_table(result: Result, everybody: list[dict[str, Any]], console: Console) -> Table:
    """Place, player and bot on the left, orders on the right, and between them the figures for which there is room."""
    colour = Room.of(console).colour
    left = ("place", "player", "bot")
    right = ("orders", "refused")
    sides = {
        name: max(len(name), *(len(str(one["name" if name == "player" else name])) for one in everybody))
        for name in (*left, *right)
    }
    taken = sum(sides.values()) + len("■ ") + GAP * len(sides)
    names = list(result.game.figures)
    rows = [[one["alive"], *one["figures"].values()] for one in everybody]
    figures = figures_that_fit(names, rows, console.width - taken)
    final = table()
    for name in left:
        final.add_column(name, justify="right" if name == "place" else "left", overflow="ellipsis", no_wrap=True)
    add_figures(final, figures)
    for name in right:
        final.add_column(name, justify="right", min_width=sides[name])
    for one, row in zip(everybody, rows, strict=True):
        final.add_row(
            "-" if one["place"] is None else str(one["place"]),
            swatch(one["player"], one["name"], colour=colour, alive=one["alive"]),
            one["bot"],
            *(f"{row[1 + figure.number]:,}" for figure in figures),
            f"{one['orders']:,}",
            f"{one['refused']:,}",
        )
    return final
