"""PostgreSQL LISTEN → asyncio events: other nodes announce new entries, calls and answers."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from marchland.store import Database
from marchland.store.notify import CHANNEL

_POLL = 0.5
"""Seconds after which the thread notices that it should stop or has lost its connection."""


class PgListener:
    """A thread that receives notifications. They carry no data; subscribers also poll, since one may be missed."""

    def __init__(self, store: Database) -> None:
        self._address = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._events: dict[str, asyncio.Event] = {}
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._listen, args=(loop,), name="store-listener", daemon=True)
        self._thread.start()

    @contextlib.contextmanager
    def subscribe(self, topic: str) -> Iterator[asyncio.Event]:
        """An event that every notification of a topic sets from now on."""
        woken = self._events[topic] = asyncio.Event()
        try:
            yield woken
        finally:
            if self._events.get(topic) is woken:
                del self._events[topic]

    def close(self) -> None:
        """Stop the thread."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        import psycopg  # only with PostgreSQL: importing it takes 0.05 s

        while not self._closing.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    while not self._closing.is_set():
                        for notification in connection.notifies(timeout=_POLL):
                            loop.call_soon_threadsafe(self._wake, notification.payload)
            except psycopg.Error:
                self._closing.wait(_POLL)

    def _wake(self, topic: str) -> None:
        if topic in self._events:
            self._events[topic].set()


def subscribe(listener: PgListener | None, topic: str) -> contextlib.AbstractContextManager[asyncio.Event]:
    """An event that notifications set; on a single node one that is never set."""
    return contextlib.nullcontext(asyncio.Event()) if listener is None else listener.subscribe(topic)


async def wait_for(woken: asyncio.Event, seconds: float) -> None:
    """Wait for a notification, at most so long, and clear the event."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(woken.wait(), seconds)
    woken.clear()
