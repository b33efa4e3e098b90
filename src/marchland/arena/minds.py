"""The bots of one match: asked for orders, told what became of them, let go at the end."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from types import TracebackType
from typing import Any, Self

import msgspec

from marchland.bots import Bot, Seated, Tally
from marchland.core.game import Game
from marchland.core.report import Report


class Minds:
    """Every seat's bot, from before the first turn until after the last: ``with Minds(game, bots) as minds``.

    A bot that raises loses its turn and nothing else. What it prints is talk, not the answer of the program it runs in.
    """

    def __init__(self, game: Game, bots: Sequence[Bot]) -> None:
        self.tallies = [Tally() for _ in bots]
        self._game = game
        self._seats = [Seated(bot, tally) for bot, tally in zip(bots, self.tallies, strict=True)]

    def __enter__(self) -> Self:
        try:
            with redirect_stdout(sys.stderr):
                for seat, bot in enumerate(self._seats):
                    bot.start(self._info(seat))
        except BaseException:
            self._close()
            raise
        return self

    def orders(self) -> dict[int, Any]:
        """What each bot orders, given what it sees."""
        with redirect_stdout(sys.stderr):
            return {seat: bot.move(self._shown(seat, bot), self._game.turn) for seat, bot in enumerate(self._seats)}

    def tell(self, report: Report) -> None:
        """Tell those who listen what became of their orders."""
        with redirect_stdout(sys.stderr):
            for seat, one in enumerate(self._seats):
                if one.bot.results is not None:
                    one.results(msgspec.to_builtins(report.results.get(seat, [])), report.turn)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if error is None:
                with redirect_stdout(sys.stderr):
                    for one in self._seats:
                        one.end(msgspec.to_builtins(self._game.outcome))
        finally:
            self._close()

    def _close(self) -> None:
        with redirect_stdout(sys.stderr):
            for one in self._seats:
                one.close()

    def _shown(self, seat: int, one: Seated) -> Any:
        # Made anew for each bot: whatever one does to its view, the others do not see it.
        return self._game.observe(seat) if one.bot.observes else self._game.view(seat)

    def _info(self, seat: int) -> dict[str, Any]:
        return {
            "game": self._game.name,
            "seat": seat,
            "name": self._game.players[seat],
            "players": list(self._game.players),
            "config": self._game.config.values(),
        }
