"""The matches that teams play through this wire."""

import asyncio
from collections import OrderedDict
from functools import partial

from marchland.core.report import Report
from marchland.match import Match
from marchland.server.history import History
from marchland.server.host import Host
from marchland.server.lobby import Lobby
from marchland.server.wire.datspulse.chronicle import Written, rewritten
from marchland.server.wire.datspulse.table import Table
from marchland.store import matches as stored

_MOST_OVER = 4
"""Matches that are over and whose logs somebody may still want to read."""


class Tables:
    """Finds the table of a match, and tells it of every turn."""

    def __init__(self, host: Host, lobby: Lobby) -> None:
        self._host = host
        self._lobby = lobby
        self._history = History(host.store)
        self._known: OrderedDict[str, Table] = OrderedDict()

    async def find(self, id: str) -> Table:
        """The table of a match that has started."""
        return self._of(await self._host.match(id))

    def _of(self, match: Match) -> Table:
        table = self._known.get(match.id)
        if table is None or table.match is not match:  # taken up anew
            self._known[match.id] = table = Table(match, partial(self._rewrite, match))
            over = [known.match.id for known in self._known.values() if known.match.over]
            for old in over[:-_MOST_OVER]:
                del self._known[old]
        return table

    def on_turn(self, match: Match, report: Report) -> None:
        """Called for every turn of every match; those that nobody has asked for here are not kept."""
        table = self._known.get(match.id)
        if table is not None and table.match is match:
            table.note(report)

    async def _rewrite(self, match: Match) -> Written:
        """The log of a match whose turns were not all seen here, beside everything else; then it is kept up."""
        row = await self._lobby.row(match.id)
        game, written = await self._history.fold(row, rewritten)
        while written.until < match.next_index:
            first = written.until
            more = await self._host.store.read(partial(stored.entries_from, match=match.id, first=first))
            game, written = await asyncio.to_thread(rewritten, game, more, written.log)
        return written
