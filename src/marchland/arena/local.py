"""Play one match in this process: ask every bot for orders, then play the turn."""

import asyncio
import copy
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np

from marchland.bots import Bot, BotStats, GuardedBot
from marchland.core.game import Game
from marchland.core.orders import Packed
from marchland.core.recording import Recording
from marchland.core.report import Report
from marchland.match import Match, MemoryMatchLog
from marchland.match.views import EncodedViews, ViewEncoder
from marchland.messages import SeatInfo

OnTurn = Callable[[Game, Report], None]


class Played(NamedTuple):
    """How a match was played."""

    turns: int
    stats: list[BotStats]


class BotTeam:
    """The bots of one match, from before the first turn until after the last: ``with BotTeam(game, bots) as team``.

    A bot that raises loses its turn and nothing else. Its prints go to stderr: stdout is for the program's answer.
    """

    def __init__(self, game: Game, bots: Sequence[Bot]) -> None:
        self.stats = [BotStats() for _ in bots]
        self._game = game
        self._views = EncodedViews(game, ViewEncoder())
        self._bots = [GuardedBot(bot, stats) for bot, stats in zip(bots, self.stats, strict=True)]

    def __enter__(self) -> Self:
        try:
            with redirect_stdout(sys.stderr):
                for seat, bot in enumerate(self._bots):
                    bot.start(self._info(seat))
        except BaseException:
            self._close()
            raise
        return self

    def orders(self) -> dict[int, Any]:
        """The orders of each bot."""
        with redirect_stdout(sys.stderr):
            return {seat: self._move(seat, bot) for seat, bot in enumerate(self._bots)}

    def deliver_results(self, report: Report) -> None:
        """Pass the results of their orders, and the game's reports, to the bots that take them."""
        with redirect_stdout(sys.stderr):
            for seat, bot in enumerate(self._bots):
                # Built for each bot separately, since it may change them, unless it only encodes them.
                is_encoder = bot.bot.move_encoded is not None
                if bot.bot.results is not None:
                    results = report.results.get(seat, [])
                    bot.results(results if is_encoder else msgspec.to_builtins(results), report.turn)
                if bot.bot.reports is not None and (reports := report.player_reports.get(seat)):
                    given = list(reports) if is_encoder else copy.deepcopy(msgspec.to_builtins(reports))
                    bot.reports(given, report.turn)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if error is None:
                with redirect_stdout(sys.stderr):
                    for bot in self._bots:
                        bot.end(msgspec.to_builtins(self._game.outcome))
        finally:
            self._close()

    def _close(self) -> None:
        with redirect_stdout(sys.stderr):
            for bot in self._bots:
                bot.close()

    def _move(self, seat: int, bot: GuardedBot) -> list[Any]:
        turn = self._game.turn
        if bot.bot.move_encoded is not None:
            return bot.move_encoded(self._views.get(seat), turn)
        # Built for each bot separately: a bot may change its view.
        return bot.move(self._game.observe(seat) if bot.bot.observes else self._game.view(seat), turn)

    def _info(self, seat: int) -> dict[str, Any]:
        return {
            "game": self._game.name,
            "seat": seat,
            "name": self._game.players[seat],
            "players": list(self._game.players),
            "config": self._game.config.values(),
        }


def play(
    game: Game,
    bots: Sequence[Bot],
    *,
    turns: int | None = None,
    on_turn: OnTurn | None = None,
    recording: Recording | None = None,
) -> Played:
    """Play to the end, or for ``turns`` turns. A bot that raises loses its turn and nothing else."""
    # `asyncio.run` would turn Ctrl-C into a cancellation, which does not interrupt a bot's computation.
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(_play(game, bots, turns, on_turn, recording))
    finally:
        loop.close()


async def _play(
    game: Game, bots: Sequence[Bot], turns: int | None, on_turn: OnTurn | None, recording: Recording | None
) -> Played:
    seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(game.players)]
    match = Match("local", game, seats, MemoryMatchLog(game.turn))
    played = 0
    with BotTeam(game, bots) as team:
        while not match.is_over and (turns is None or played < turns):
            for seat, orders in team.orders().items():
                await match.post(seat, orders, "", turn=match.open_turn)
            report = await match.end_turn()
            played += 1
            _count(report.orders, team.stats)
            team.deliver_results(report)
            if recording is not None:
                recording.note(game, report.orders)
            if on_turn is not None:
                on_turn(game, report)
    return Played(played, team.stats)


def _count(orders: Packed, stats: Sequence[BotStats]) -> None:
    player, reason = orders.table[0], orders.table[5]
    sent = np.bincount(player, minlength=len(stats))
    refused = np.bincount(player[reason != 0], minlength=len(stats))
    for seat, of_seat in enumerate(stats):
        of_seat.orders += int(sent[seat])
        of_seat.refused += int(refused[seat])
