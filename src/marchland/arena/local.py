"""One match in this process: every bot is asked in turn, then the turn is played."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from marchland.arena.minds import Minds
from marchland.bots import Bot, Tally
from marchland.core.game import Game
from marchland.core.orders import Packed
from marchland.core.replay import Recording
from marchland.core.report import Report
from marchland.match import Match, MemoryMatchLog
from marchland.messages import SeatInfo

OnTurn = Callable[[Game, Report], None]


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
    # `asyncio.run` would make Ctrl-C a cancellation, which a bot that is thinking does not notice.
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(_played(game, bots, turns, on_turn, recording))
    finally:
        loop.close()


async def _played(
    game: Game, bots: Sequence[Bot], turns: int | None, on_turn: OnTurn | None, recording: Recording | None
) -> Played:
    seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(game.players)]
    match = Match("local", game, seats, MemoryMatchLog(game.turn))
    played = 0
    with Minds(game, bots) as minds:
        while not match.is_over and (turns is None or played < turns):
            for seat, orders in minds.orders().items():
                await match.post(seat, orders, "", turn=match.open_turn)
            report = await match.end_turn()
            played += 1
            _count(report.orders, minds.tallies)
            minds.tell(report)
            if recording is not None:
                recording.note(game, report.orders)
            if on_turn is not None:
                on_turn(game, report)
    return Played(played, minds.tallies)


def _count(orders: Packed, tallies: Sequence[Tally]) -> None:
    player, reason = orders.table[0], orders.table[5]
    given = np.bincount(player, minlength=len(tallies))
    refused = np.bincount(player[reason != 0], minlength=len(tallies))
    for seat, tally in enumerate(tallies):
        tally.orders += int(given[seat])
        tally.refused += int(refused[seat])
