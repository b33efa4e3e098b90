"""One reader of a match: a bounded queue of encoded messages. News of a large board come from another thread."""

import asyncio
import threading
from collections import deque
from typing import NamedTuple

import msgspec

from marchland.messages import Skipped

MAX_MESSAGES = 16
"""Messages that may wait before the reader counts as slow."""
MAX_BYTES = 4_000_000
"""Bytes that may wait, if it is more than one message."""


class StreamPosition(NamedTuple):
    """How far a match has come: the turn that awaits orders, and the number of actions in it."""

    turn: int
    seq: int


class Subscription:
    """The queue of one reader. A slow reader loses news, learns how many, and is never waited for."""

    def __init__(
        self,
        seat: int | None,
        *,
        frames: bool = True,
        views: bool = False,
        results: bool = False,
        is_own: bool = True,
    ) -> None:
        self.seat = seat
        self.is_own = is_own
        """Whether the reader plays that seat; others get views without its private part."""
        self.frames = frames
        self.views = views
        self.results = results
        self.chunks: frozenset[int] | None = None
        self.resume_at: StreamPosition | None = None
        """What the reader had received when its connection broke."""
        self.needs_key_frame = True
        """The reader's last frame is unknown or too old for a delta."""
        self.closed: str | None = None
        """Why nothing more will come."""
        self.unpaid_views = 0.0
        """The price of views that the reader has taken and that are not yet charged to its rate limit."""
        self.is_paused = False
        """The reader cannot pay for another view now; until it can, news are dropped."""
        self._queue: deque[tuple[bytes, float]] = deque()
        """Messages, and the price of each: 1 for a view, 0 without one."""
        self._bytes = 0
        self._skipped = 0
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        """The loop in which the reader waits, once it has begun to."""
        self._reader_thread = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._queue)

    def offer(self, message: bytes, *, is_news: bool = True, price: float = 0.0) -> None:
        """Queue a message. News are dropped when the queue is full, replies to requests are not."""
        if is_news and not self.has_room:
            self.skip()
            return
        with self._lock:
            if self._skipped and is_news:
                skipped = msgspec.json.encode(Skipped(self._skipped))
                self._queue.append((skipped, 0.0))
                self._bytes += len(skipped)
                self._skipped = 0
            self._queue.append((message, price))
            self._bytes += len(message)
        self._wake_reader()

    @property
    def has_room(self) -> bool:
        """Whether news would be queued now."""
        if self.is_paused:
            return False
        return len(self._queue) < MAX_MESSAGES and (not self._queue or self._bytes < MAX_BYTES)

    @property
    def needs_refresh(self) -> bool:
        """Whether news were skipped, the queue is empty again and the reader can pay."""
        return self._skipped > 0 and not self._queue and not self.is_paused

    def skip(self) -> None:
        """Drop one piece of news; the next frame must be a key frame."""
        self._skipped += 1
        self.needs_key_frame = True

    def close(self, reason: str) -> None:
        """End the stream after what is queued."""
        self.closed = self.closed or reason
        self._wake_reader()

    async def next(self) -> bytes | None:
        """The next message, or None at the end of the stream."""
        self._loop, self._reader_thread = asyncio.get_running_loop(), threading.get_ident()
        while not self._queue:
            if self.closed is not None:
                return None
            self._wake.clear()
            if not self._queue:  # another thread may have added a message since
                await self._wake.wait()
        with self._lock:
            message, price = self._queue.popleft()
            self._bytes -= len(message)
        self.unpaid_views += price
        return message

    def _wake_reader(self) -> None:
        if self._loop is None or threading.get_ident() == self._reader_thread:
            self._wake.set()
        else:
            self._loop.call_soon_threadsafe(self._wake.set)
