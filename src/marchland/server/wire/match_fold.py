"""A fold over a match's turns, for what a wire shows beyond the state; rebuilt from the match log when needed."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.match import Entry, Match
from marchland.match.history import apply_entry
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.service import MatchService
from marchland.store.match_log import entries_from

Folded = TypeVar("Folded")


class MatchFold(Generic[Folded]):
    """Follows one match turn by turn. If it missed turns, it replays the whole match in a thread.

    ``create`` makes the value from the match's first state and the time of its start. ``update`` adds a turn to it:
    the game after the turn, its report, and when it was committed.
    """

    def __init__(
        self,
        manager: MatchManager,
        service: MatchService,
        match: Match,
        create: Callable[[Any, float], Folded],
        update: Callable[[Folded, Any, Report, float], None],
    ) -> None:
        self.match = match
        self.next_index = 0
        """How many log entries of the match the value covers."""
        self._manager = manager
        self._service = service
        self._create = create
        self._update = update
        self._value: Folded | None = None
        self._building = asyncio.Lock()

    async def begin(self) -> None:
        """Follow the match from its first state, if no turn has been played yet."""
        started = _start_of(await self._service.row(self.match.id))

        def create(game: Game) -> None:
            if self._value is None and self.match.next_index == 0:
                self._value = self._create(game, started)

        await self.match.read(create)

    def add_turn(self, report: Report) -> None:
        """Add a turn that was played and committed."""
        match = self.match
        if self._value is not None and self.next_index < match.next_index:
            appended = time.time() if match.last_entry is None else match.last_entry.at
            self._update(self._value, match.game, report, appended)
            self.next_index = match.next_index

    async def value(self) -> Folded:
        """The value after all turns so far."""
        async with self._building:
            if self._value is None:
                await self.begin()
            return await self._rebuild() if self._value is None else self._value

    async def _rebuild(self) -> Folded:
        row = await self._service.row(self.match.id)
        history = MatchHistory(self._manager.store, self._manager.games)
        game, value, next_index = await history.fold(row, partial(self._fold_all, _start_of(row)))
        while next_index < self.match.next_index:
            more = await self._manager.store.read(partial(entries_from, match=self.match.id, first=next_index))
            next_index = await asyncio.to_thread(self._add_entries, game, value, more)
        self._value, self.next_index = value, next_index
        return value

    def _fold_all(self, started: float, game: Game, entries: Sequence[Entry]) -> tuple[Game, Folded, int]:
        value = self._create(game, started)
        return game, value, self._add_entries(game, value, entries)

    def _add_entries(self, game: Game, value: Folded, entries: Sequence[Entry]) -> int:
        """Replay entries; returns the index after the last."""
        next_index = 0
        for entry in entries:
            report = apply_entry(game, entry)
            next_index = entry.index + 1
            if report is not None:
                self._update(value, game, report, entry.at)
        return next_index


def _start_of(row: MatchRow) -> float:
    return row.created if row.started is None else row.started
