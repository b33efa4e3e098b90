"""Hears from PostgreSQL that matches have moved on."""

import asyncio
import contextlib
import threading
from collections import defaultdict

import psycopg

from marchland.store import Store
from marchland.store.journal import CHANNEL

_POLL = 0.5  # seconds in which the thread notices that it should end, or that its connection is gone


class Listener:
    """A thread that waits for wake-up calls. They carry no news, and who misses one finds out by looking."""

    def __init__(self, store: Store) -> None:
        self._address = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._events: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to listen."""
        self._thread = threading.Thread(target=self._listen, args=(loop,), name="store-listener", daemon=True)
        self._thread.start()

    async def wait(self, match: str, timeout: float) -> None:
        """Wait until a match has moved on, or for so long."""
        event = self._events[match]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), timeout)
        event.clear()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._closing.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    while not self._closing.is_set():
                        for notice in connection.notifies(timeout=_POLL):
                            loop.call_soon_threadsafe(self._wake, notice.payload)
            except psycopg.Error:
                self._closing.wait(_POLL)

    def _wake(self, match: str) -> None:
        if match in self._events:
            self._events[match].set()
