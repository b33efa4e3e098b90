"""One reader of a match's news."""

import asyncio
from collections import deque

import msgspec

from marchland.match.recent import Moment
from marchland.messages import Skipped

ROOM = 16
"""How many messages may wait for a reader before it counts as slow."""
HEAVY = 4_000_000
"""How many bytes, where there is more than one message."""


class Subscription:
    """What waits for one reader, bounded: whoever reads too slowly is told how much was left out, never waited for."""

    def __init__(self, seat: int | None, *, frames: bool = True, views: bool = False, results: bool = False) -> None:
        self.seat = seat
        self.frames = frames
        self.views = views
        self.results = results
        self.chunks: frozenset[int] | None = None
        self.since: Moment | None = None
        """Where the reader was when its connection broke."""
        self.stale = True
        """The reader's last frame is unknown or too old: the next one must be a key frame."""
        self.closed: str | None = None
        """Why nothing more will come."""
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._left_out = 0
        self._some = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def offer(self, message: bytes, *, news: bool = True) -> None:
        """Put a message in the reader's queue; where that is full, news make room and answers are still told."""
        if news and not self.has_room:
            self.skip()
            return
        if self._left_out and news:
            told = msgspec.json.encode(Skipped(self._left_out))
            self._waiting.append(told)
            self._bytes += len(told)
            self._left_out = 0
        self._waiting.append(message)
        self._bytes += len(message)
        self._some.set()

    @property
    def has_room(self) -> bool:
        """Whether news offered now would be kept."""
        return len(self._waiting) < ROOM and (not self._waiting or self._bytes < HEAVY)

    @property
    def behind(self) -> bool:
        """Whether news were left out and nothing waits any more."""
        return self._left_out > 0 and not self._waiting

    def skip(self) -> None:
        """Leave one piece of news out: the reader has no room for it."""
        self._left_out += 1
        self.stale = True

    def close(self, why: str) -> None:
        """Let the reader finish what waits, then stop."""
        self.closed = self.closed or why
        self._some.set()

    async def next(self) -> bytes | None:
        """The next message, or None when there will be no more."""
        while not self._waiting:
            if self.closed is not None:
                return None
            self._some.clear()
            await self._some.wait()
        message = self._waiting.popleft()
        self._bytes -= len(message)
        return message
