"""One match in this process: every bot is asked in turn, then the turn is played."""

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from marchland.arena.blame import blame
from marchland.arena.bots import Bot
from marchland.core.game import Game
from marchland.core.orders import Packed
from marchland.core.replay import Recording
from marchland.core.report import Report

OnTurn = Callable[[Game, Report], None]


@dataclass
class Tally:
    """What one bot did in a match."""

    orders: int = 0
    refused: int = 0
    failures: int = 0
    """Turns in which the bot raised; it gave no orders then."""
    first_failure: str = ""


class Played(NamedTuple):
    """How a match was played."""

    turns: int
    tallies: list[Tally]


def play(
    game: Game,
    bots: Sequence[Bot],
    *,
    turns: int | None = None,
    on_turn: OnTurn | None = None,
    recording: Recording | None = None,
) -> Played:
    """Play to the end, or for ``turns`` turns. A bot that raises loses its turn and nothing else."""
    tallies = [Tally() for _ in bots]
    played = 0
    while game.outcome is None and (turns is None or played < turns):
        orders = {seat: _asked(game, seat, bot, tallies[seat]) for seat, bot in enumerate(bots)}
        report = game.step(orders)
        played += 1
        _count(report.orders, tallies)
        if recording is not None:
            recording.note(game, report.orders)
        if on_turn is not None:
            on_turn(game, report)
    return Played(played, tallies)


def _asked(game: Game, seat: int, bot: Bot, tally: Tally) -> Any:
    # Made anew for each bot: whatever one does to its view, the others do not see it.
    shown = game.observe(seat) if bot.observes else game.view(seat)
    try:
        with redirect_stdout(sys.stderr):  # what a bot prints is talk, not the answer of the program that runs it
            return bot.move(shown)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        tally.failures += 1
        tally.first_failure = tally.first_failure or f"in turn {game.turn}: {blame(error)}"
        return []


def _count(orders: Packed, tallies: Sequence[Tally]) -> None:
    player, reason = orders.table[0], orders.table[5]
    given = np.bincount(player, minlength=len(tallies))
    refused = np.bincount(player[reason != 0], minlength=len(tallies))
    for seat, tally in enumerate(tallies):
        tally.orders += int(given[seat])
        tally.refused += int(refused[seat])
