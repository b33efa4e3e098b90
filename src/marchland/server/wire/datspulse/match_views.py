"""The matches that teams play through this wire."""

from collections import OrderedDict

from marchland.core.report import Report
from marchland.games.datspulse.log import Log
from marchland.match import Match
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire.datspulse.match_view import Table
from marchland.server.wire.datspulse.team_log import note
from marchland.server.wire.match_fold import MatchFold

_MOST_OVER = 4
"""Matches that are over and whose logs somebody may still want to read."""


class Tables:
    """Finds the table of a match, and tells it of every turn."""

    def __init__(self, manager: MatchManager, service: MatchService) -> None:
        self._manager = manager
        self._service = service
        self._known: OrderedDict[str, Table] = OrderedDict()

    async def find(self, id: str) -> Table:
        """The table of a match that has started."""
        match = await self._manager.match(id)
        table = self._known.get(id)
        if table is None or table.match is not match:  # taken up anew
            self._known[id] = table = self._laid(match)
            await table.log.begin()
        return table

    def _laid(self, match: Match) -> Table:
        over = [known.match.id for known in self._known.values() if known.match.is_over]
        for old in over[:-_MOST_OVER]:
            del self._known[old]
        return Table(self._manager.store, match, MatchFold(self._manager, self._service, match, Log, note))

    def on_turn(self, match: Match, report: Report) -> None:
        """Called for every turn of every match; those that nobody has asked for here are not kept."""
        table = self._known.get(match.id)
        if table is not None and table.match is match:
            table.note(report)
