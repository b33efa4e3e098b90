"""Sending to WebSocket clients: a bounded queue for each reader, and work that ends when the client disconnects."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from starlette.websockets import WebSocket

from marchland.server.http.websockets import CLOSED

Item = TypeVar("Item")


class FeedReader(Generic[Item]):
    """A bounded queue for one client: when it is full, the oldest item is dropped."""

    def __init__(self, limit: int) -> None:
        self._items: deque[Item] = deque(maxlen=limit)
        self._changed = asyncio.Event()
        self._closed = False

    def offer(self, item: Item) -> None:
        """Append an item without waiting."""
        self._items.append(item)
        self._changed.set()

    def close(self) -> None:
        """End the feed after the items in the queue."""
        self._closed = True
        self._changed.set()

    async def next(self) -> Item | None:
        """Wait for the next item; None after the last."""
        while not self._items:
            if self._closed:
                return None
            self._changed.clear()
            await self._changed.wait()
        return self._items.popleft()


async def run_until_disconnect(socket: WebSocket, work: Coroutine[Any, Any, None]) -> None:
    """Run ``work`` until it ends or the client disconnects; failures to send count as a disconnect."""
    working = asyncio.create_task(work)
    receiving = asyncio.create_task(_wait_for_disconnect(socket))
    try:
        await asyncio.wait((working, receiving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            with contextlib.suppress(*CLOSED, OSError):
                working.result()
    finally:
        working.cancel()
        receiving.cancel()
        await asyncio.gather(working, receiving, return_exceptions=True)


async def _wait_for_disconnect(socket: WebSocket) -> None:
    """Read and ignore messages until the client disconnects."""
    with contextlib.suppress(*CLOSED, OSError):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
