"""Every team's log of one match: a fold over the reports of its turns (ruling 18), which can always be made again."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.log import Log
from marchland.match import Entry, Match
from marchland.match.history import redo
from marchland.server.wire.datspulse.texts import moment


class Written(NamedTuple):
    """The log up to before an entry of the match."""

    log: Log
    until: int


class Told(NamedTuple):
    """One team's part of it, as the team was told."""

    lines: bytes
    until: int


Rewrite = Callable[[], Coroutine[Any, Any, Written]]


class Chronicle:
    """Notes every turn. One that was not here from the first turn on is written when somebody wants to read it."""

    def __init__(self, match: Match, rewrite: Rewrite) -> None:
        self._match = match
        self._rewrite = rewrite
        self._written: Written | None = None
        self._writing = asyncio.Lock()
        self._told: dict[int, Told] = {}

    def note(self, report: Report) -> None:
        """A turn was played and kept."""
        match = self._match
        assert isinstance(match.game, Datspulse)
        if self._written is None and match.next_index == 1:  # the very first: nothing is missing before it
            self._written = Written(Log(match.game), 0)
        if self._written is not None and self._written.until < match.next_index:
            self._written.log.note(report, moment(match.played_at or time.time()))
            self._written = Written(self._written.log, match.next_index)

    async def lines(self, seat: int) -> bytes:
        """A team's log as JSON."""
        async with self._writing:
            if self._written is None:
                self._written = await self._rewrite()
        told = self._told.get(seat)
        if told is None or told.until != self._written.until:
            self._told[seat] = told = await asyncio.to_thread(_told, self._written, self._match.game, seat)
        return told.lines


def _told(written: Written, game: Game, seat: int) -> Told:
    """Putting a thousand lines into words takes longer than anybody else should wait: this runs beside the loop."""
    assert isinstance(game, Datspulse)
    while True:
        try:
            return Told(msgspec.json.encode(written.log.lines(game, seat)), written.until)
        except RuntimeError:  # a turn was noted just while its lines were gathered
            continue


def rewritten(game: Game, entries: Sequence[Entry], log: Log | None = None) -> tuple[Game, Written]:
    """The log of a match from its first state, or from where ``log`` ends, with the entries put in again."""
    assert isinstance(game, Datspulse)
    log, until = log or Log(game), 0
    for entry in entries:
        report = redo(game, entry)
        until = entry.index + 1
        if report is not None:
            log.note(report, moment(entry.at))
    return game, Written(log, until)
