"""Admission control by capacity: how large the running matches of an account and of a node may be.

The size of a match is its cells times its seats: so much is computed for its players in a turn.
"""

import bisect
from typing import Any, NamedTuple

from marchland.core.config import Config
from marchland.core.game import Game
from marchland.errors import Refused
from marchland.messages import AccountInfo
from marchland.server.settings import Settings


class _Admitted(NamedTuple):
    """A match that runs or is about to."""

    creator: str | None
    size: int


def size_of(game: Game) -> int:
    """Cells times seats."""
    return game.board.size * len(game.players)


class Capacity:
    """Adds up the sizes of the matches in this node's memory."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._matches: dict[str, _Admitted] = {}

    @property
    def total(self) -> int:
        """The size of all matches together."""
        return sum(match.size for match in self._matches.values())

    def admit(self, match: str, game: Game, creator: AccountInfo | None) -> None:
        """Count a match that is about to start; refused if it is beyond a limit."""
        if creator is not None and creator.role == "player":
            self._check_match(game.board.size, len(game.players))
            self._check_account(game, creator)
        size, limit = size_of(game), self._settings.node_size
        if self.total + size > limit:
            raise Refused("node_full", "node_full", used=self.total, limit=limit, size=size)
        self.add(match, game, creator.id if creator else None)

    def check_request(self, kind: type[Game], config: Config, seats: int, map: Any) -> None:
        """Refuse a player's match that could not start, as far as its board is known before."""
        cells = kind.count_cells(config, seats, map)
        if cells is not None:
            self._check_match(cells, seats)

    def most_seats(self, kind: type[Game]) -> int:
        """The seats that a player's match may have on the usual board."""
        config = kind.config_type.build()
        counts = range(kind.least_players, kind.most_players + 1)
        fitting = bisect.bisect_left(counts, True, key=lambda seats: not self._fits(kind, config, seats))
        return counts[max(fitting - 1, 0)]

    def _fits(self, kind: type[Game], config: Config, seats: int) -> bool:
        try:
            self.check_request(kind, config, seats, None)
        except Refused:
            return False
        return True

    def add(self, match: str, game: Game, creator: str | None) -> None:
        """Count a match that was loaded, whatever the limits."""
        self._matches[match] = _Admitted(creator, size_of(game))

    def remove(self, match: str) -> None:
        """A match has ended, did not start, or is no longer in memory."""
        self._matches.pop(match, None)

    def _check_match(self, cells: int, seats: int) -> None:
        limit = self._settings.cells_limit
        if cells > limit:
            raise Refused("cannot_start", "board_too_large", cells=cells, limit=limit)
        size, limit = cells * seats, self._settings.match_size
        if size > limit:
            raise Refused("match_too_large", "match_too_large", cells=cells, seats=seats, size=size, limit=limit)

    def _check_account(self, game: Game, creator: AccountInfo) -> None:
        size, limit = size_of(game), self._settings.account_size
        running = sum(match.size for match in self._matches.values() if match.creator == creator.id)
        if running + size > limit:
            raise Refused("account_too_large", "account_too_large", running=running, size=size, limit=limit)
