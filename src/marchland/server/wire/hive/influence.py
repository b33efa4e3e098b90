"""When influence changed in each match: part of the protocol, not of the game's state."""

from collections import OrderedDict
from typing import Any

from marchland.core.report import Report
from marchland.games.hive.wire import InfluenceLog
from marchland.match import Match
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire.match_fold import MatchFold

_CACHE_LIMIT = 1000
"""Matches that are followed; the logs of others are rebuilt when a client asks."""


class InfluenceLogs:
    """The influence logs of the matches that clients asked for, updated each turn."""

    def __init__(self, manager: MatchManager, service: MatchService) -> None:
        self._manager = manager
        self._service = service
        self._folds: OrderedDict[str, MatchFold[InfluenceLog]] = OrderedDict()

    async def load(self, match: Match) -> InfluenceLog:
        """The log of a match."""
        fold = self._folds.get(match.id)
        if fold is None or fold.match is not match:  # the match was loaded again
            fold = MatchFold(self._manager, self._service, match, _create_log, _add_turn)
            self._folds[match.id] = fold
            if len(self._folds) > _CACHE_LIMIT:
                self._folds.popitem(last=False)
        return await fold.value()

    def on_turn(self, match: Match, report: Report) -> None:
        """Called after each turn of each match."""
        fold = self._folds.get(match.id)
        if fold is not None and fold.match is match:
            fold.add_turn(report)


def _create_log(game: Any, started: float) -> InfluenceLog:
    return InfluenceLog(game)


def _add_turn(log: InfluenceLog, game: Any, report: Report, at: float) -> None:
    log.note(game)
