"""Each team's log of one match, as text."""

import asyncio
from typing import NamedTuple

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.log import Log
from marchland.server.wire.datspulse.errors import format_time
from marchland.server.wire.match_fold import MatchFold


class EncodedLog(NamedTuple):
    """A team's log as JSON, up to an index of the match log."""

    lines: bytes
    next_index: int


class TeamLog:
    """Encodes each team's log once for all requests before the next turn."""

    def __init__(self, fold: MatchFold[Log]) -> None:
        self._fold = fold
        self._encoded: dict[int, EncodedLog] = {}

    async def lines(self, seat: int) -> bytes:
        """A team's log as JSON."""
        log, next_index = await self._fold.value(), self._fold.next_index
        encoded = self._encoded.get(seat)
        if encoded is None or encoded.next_index != next_index:
            lines = await asyncio.to_thread(_encode, log, self._fold.match.game, seat)
            self._encoded[seat] = encoded = EncodedLog(lines, next_index)
        return encoded.lines


def create_log(game: Datspulse, started: float) -> Log:
    """The logs of all teams of a match that began then."""
    return Log(game, format_time(started))


def add_turn(log: Log, game: Game, report: Report, at: float) -> None:
    """Add a turn that was played and committed (ruling 18)."""
    log.note(report, format_time(at))


def _encode(log: Log, game: Game, seat: int) -> bytes:
    """Runs in a thread: a thousand lines would block the event loop for too long."""
    assert isinstance(game, Datspulse)
    while True:
        try:
            return msgspec.json.encode(log.lines(game, seat))
        except RuntimeError:  # a turn was added during the iteration
            continue
