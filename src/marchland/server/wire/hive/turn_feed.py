"""Turn numbers for the clients of the turn socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

from marchland.errors import Refused, StorageUnavailable
from marchland.match import Match
from marchland.server.matches.manager import MatchManager
from marchland.server.wire.feed import FeedReader

_POLL, _POLL_NODES = 1.0, 0.25  # seconds between checks whether a match has started, perhaps on another node
_READER_LIMIT = 10_000  # more than a game has turns


class Turn(NamedTuple):
    """The number of a turn that begins, and whether the game is over."""

    number: int
    over: bool


class TurnFeeds:
    """The readers of each match on this node."""

    def __init__(self, manager: MatchManager) -> None:
        self._manager = manager
        self._poll = _POLL_NODES if manager.store.is_shared else _POLL
        self._readers: dict[str, set[FeedReader[Turn]]] = {}

    @contextlib.contextmanager
    def subscribe(self, match: str) -> Iterator[AsyncIterator[Turn]]:
        """Each turn of a match once, from the current one to the end."""
        reader: FeedReader[Turn] = FeedReader(_READER_LIMIT)
        readers = self._readers.setdefault(match, set())
        readers.add(reader)
        try:
            yield self._read_turns(match, reader)
        finally:
            readers.discard(reader)
            if not readers:
                self._readers.pop(match, None)

    def publish(self, match: Match) -> None:
        """Offer the current turn to all readers of a match."""
        for reader in self._readers.get(match.id, ()):
            reader.offer(Turn(match.game.turn, match.is_over))

    async def _read_turns(self, match: str, reader: FeedReader[Turn]) -> AsyncIterator[Turn]:
        last = await self._first_turn(match, reader)
        yield last
        while not last.over and (turn := await reader.next()) is not None:
            if turn > last:
                last = turn
                yield turn

    async def _first_turn(self, id: str, reader: FeedReader[Turn]) -> Turn:
        """Wait until the match has started."""
        while True:
            with contextlib.suppress(Refused, StorageUnavailable):
                match = await self._manager.match(id)
                return await match.read(lambda game: Turn(game.turn, game.outcome is not None))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._poll):
                    if (turn := await reader.next()) is not None:
                        return turn
