"""Every team's log of one match, in words."""

import asyncio
from typing import NamedTuple

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.log import Log
from marchland.server.wire.datspulse.errors import moment
from marchland.server.wire.match_fold import MatchFold


class Told(NamedTuple):
    """One team's part of it, as the team was told."""

    lines: bytes
    until: int


class Chronicle:
    """The log as teams read it, put into words once for all who ask before the next turn."""

    def __init__(self, telling: MatchFold[Log]) -> None:
        self._telling = telling
        self._told: dict[int, Told] = {}

    async def lines(self, seat: int) -> bytes:
        """A team's log as JSON."""
        log, until = await self._telling.made(), self._telling.until
        told = self._told.get(seat)
        if told is None or told.until != until:
            lines = await asyncio.to_thread(_in_words, log, self._telling.match.game, seat)
            self._told[seat] = told = Told(lines, until)
        return told.lines


def note(log: Log, game: Game, report: Report, at: float) -> None:
    """A turn was played and kept (ruling 18)."""
    log.note(report, moment(at))


def _in_words(log: Log, game: Game, seat: int) -> bytes:
    """A thousand lines take longer than anybody else should wait: this runs beside the loop."""
    assert isinstance(game, Datspulse)
    while True:
        try:
            return msgspec.json.encode(log.lines(game, seat))
        except RuntimeError:  # a turn was noted just while its lines were gathered
            continue
