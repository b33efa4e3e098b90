"""What a wire tells of a match beyond its state: a fold over its turns, which can always be made again."""

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
from marchland.server.matches.service import MatchService
from marchland.store.match_log import entries_from

Made = TypeVar("Made")


class MatchFold(Generic[Made]):
    """Follows one match, turn by turn. Where turns were played unseen, all are played again, beside everything else.

    ``first`` makes something of the match's first state, ``note`` adds a turn to it: the game after the turn, its
    report, and when it was kept.
    """

    def __init__(
        self,
        manager: MatchManager,
        service: MatchService,
        match: Match,
        first: Callable[[Any], Made],
        note: Callable[[Made, Any, Report, float], None],
    ) -> None:
        self.match = match
        self.until = 0
        """How many inputs of the match it knows."""
        self._manager = manager
        self._service = service
        self._first = first
        self._note = note
        self._made: Made | None = None
        self._making = asyncio.Lock()

    async def begin(self) -> None:
        """Follow the match from here on, if nothing has been played yet."""

        def first(game: Game) -> None:
            if self._made is None and self.match.next_index == 0:
                self._made = self._first(game)

        await self.match.read(first)

    def note(self, report: Report) -> None:
        """A turn was played and kept."""
        match = self.match
        if self._made is not None and self.until < match.next_index:
            self._note(self._made, match.game, report, match.last_entry_at or time.time())
            self.until = match.next_index

    async def made(self) -> Made:
        """What was made of all turns so far."""
        async with self._making:
            if self._made is None:
                await self.begin()
            return await self._made_again() if self._made is None else self._made

    async def _made_again(self) -> Made:
        row = await self._service.row(self.match.id)
        game, made, until = await MatchHistory(self._manager.store, self._manager.games).fold(row, self._retold)
        while until < self.match.next_index:
            more = await self._manager.store.read(partial(entries_from, match=self.match.id, first=until))
            until = await asyncio.to_thread(self._put_in, game, made, more)
        self._made, self.until = made, until
        return made

    def _retold(self, game: Game, entries: Sequence[Entry]) -> tuple[Game, Made, int]:
        made = self._first(game)
        return game, made, self._put_in(game, made, entries)

    def _put_in(self, game: Game, made: Made, entries: Sequence[Entry]) -> int:
        """Play entries again; how many inputs there have been then."""
        until = 0
        for entry in entries:
            report = apply_entry(game, entry)
            until = entry.index + 1
            if report is not None:
                self._note(made, game, report, entry.at)
        return until
