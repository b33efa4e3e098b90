"""The result of ``marchland play``, as a table and as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from marchland.arena import Played
from marchland.cli.terminal.layout import TerminalInfo
from marchland.cli.terminal.output import GAP, humanize, table
from marchland.cli.terminal.standings import add_figures, figure_text, figures_that_fit, swatch
from marchland.core.game import Game
from marchland.messages import Standing


class Result(NamedTuple):
    """A finished match."""

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
        """All players, the winner first; by seat if the match is not over."""
        outcome = self.game.outcome
        rows = self.game.picture().players
        places = {standing.player: standing.place for standing in outcome.ranking} if outcome else {}
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
                "sandbox": stats.sandbox,
            }
            for seat in places or range(len(self.specs))
            for stats in [self.played.stats[seat]]
        ]


def as_json(result: Result) -> dict[str, Any]:
    """The result as one JSON object."""
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


def print_result(result: Result, console: Console) -> None:
    """Print why the match ended, the final table, which bots failed, and how to repeat the match."""
    turns = result.played.turns
    players = result.players()
    console.print(f"{result.game.name}, {turns:,} turn{'s' * (turns != 1)}. {result.reason}", soft_wrap=True)
    if result.game.team_figure and result.game.outcome:
        console.print(_team_table(result.game.team_figure, result.game.outcome.ranking))
    console.print(_final_table(result, players, console))
    for player in players:
        if player["failures"]:
            failed = f"{player['name']} failed in {player['failures']:,} of {turns:,} turns"
            console.print(f"{failed}, first {player['first_failure']}", style="danger", soft_wrap=True)
    again = f"To play the same match again, add --seed {result.seed} to the same bots and settings."
    console.print(again, style="muted", soft_wrap=True)
    if result.saved:
        size = result.saved.stat().st_size / 1000
        console.print(f"Saved to {result.saved}, {size:,.1f} kB.", style="muted", soft_wrap=True)


def _team_table(team_figure: str, ranking: Sequence[Standing]) -> Table:
    """Place, players and standing of each team, the winner first."""
    teams: dict[int, list[Standing]] = {}
    for standing in ranking:
        teams.setdefault(standing.figures[team_figure], []).append(standing)
    names = [name for name in ranking[0].figures if name != team_figure]
    shown = table()
    for heading in ("place", "team"):
        shown.add_column(heading, justify="right")
    shown.add_column("players")
    for name in names:
        shown.add_column(humanize(name), justify="right")
    for team, members in teams.items():
        players = ", ".join(member.name for member in members)
        figures = (f"{members[0].figures[name]:,}" for name in names)
        place = 1 + sum(other[0].place < members[0].place for other in teams.values())
        shown.add_row(str(place), str(team), players, *figures)
    return shown


def _final_table(result: Result, players: list[dict[str, Any]], console: Console) -> Table:
    """Place, player and bot on the left, orders on the right, and between them the figures for which there is room."""
    colour = TerminalInfo.of(console).colour
    left = ("place", "player", "bot")
    right = ("orders", "refused")
    sides = {
        name: max(len(name), *(len(str(player["name" if name == "player" else name])) for player in players))
        for name in (*left, *right)
    }
    taken = sum(sides.values()) + len("■ ") + GAP * len(sides)
    names = list(result.game.figures)
    rows = [[player["alive"], *player["figures"].values()] for player in players]
    words = result.game.figure_words
    figures = figures_that_fit(names, rows, console.width - taken, words, result.game.avatar_figure)
    final = table()
    for name in left:
        final.add_column(name, justify="right" if name == "place" else "left", overflow="ellipsis", no_wrap=True)
    add_figures(final, figures)
    for name in right:
        final.add_column(name, justify="right", min_width=sides[name])
    for player, row in zip(players, rows, strict=True):
        final.add_row(
            "-" if player["place"] is None else str(player["place"]),
            swatch(player["player"], player["name"], colour=colour, alive=player["alive"]),
            player["bot"],
            *(figure_text(figure.name, row[1 + figure.number], words) for figure in figures),
            f"{player['orders']:,}",
            f"{player['refused']:,}",
        )
    return final
