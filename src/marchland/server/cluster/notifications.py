"""Hears from PostgreSQL that matches have moved on, and that something is asked or answered."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from marchland.store import Store
from marchland.store.notify import CHANNEL

_POLL = 0.5  # seconds in which the thread notices that it should end, or that its connection is gone


class Listener:
    """A thread that waits for wake-up calls. They carry no news, and who misses one finds out by looking."""

    def __init__(self, store: Store) -> None:
        self._address = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._events: dict[str, asyncio.Event] = {}
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to listen."""
        self._thread = threading.Thread(target=self._listen, args=(loop,), name="store-listener", daemon=True)
        self._thread.start()

    @contextlib.contextmanager
    def expecting(self, whom: str) -> Iterator[asyncio.Event]:
        """An event that is set by every call for a match, or for whom else it is, from now on."""
        rung = self._events[whom] = asyncio.Event()
        try:
            yield rung
        finally:
            if self._events.get(whom) is rung:
                del self._events[whom]

    def close(self) -> None:
        """Stop."""
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
                        for notice in connection.notifies(timeout=_POLL):
                            loop.call_soon_threadsafe(self._wake, notice.payload)
            except psycopg.Error:
                self._closing.wait(_POLL)

    def _wake(self, whom: str) -> None:
        if whom in self._events:
            self._events[whom].set()


def expecting(listener: Listener | None, whom: str) -> contextlib.AbstractContextManager[asyncio.Event]:
    """An event that calls set, if there are other nodes that might call."""
    return contextlib.nullcontext(asyncio.Event()) if listener is None else listener.expecting(whom)


async def wait(rung: asyncio.Event, seconds: float) -> None:
    """Wait until somebody calls, or for so long."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(rung.wait(), seconds)
    rung.clear()
