"""Colorfight under ``/colorfight``: starts and restarts the rooms' matches while the server runs."""

import asyncio
import contextlib
import logging
import time
from functools import partial
from typing import Any

from marchland.errors import StorageUnavailable
from marchland.server.http.auth import Authenticator
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire import Wire
from marchland.server.wire.colorfight.matches import GAME
from marchland.server.wire.colorfight.room_feed import RoomFeeds
from marchland.server.wire.colorfight.rooms import RoomDirectory
from marchland.server.wire.colorfight.routes import ENDPOINTS, error_body
from marchland.store import leases

_TICK = 1.0
_LEASE = "wire colorfight"

log = logging.getLogger(__name__)


class ColorfightWire(Wire):
    """A client's base is ``ws://host/colorfight/gameroom/public``.

    The node with the lease opens and starts the rooms' matches; each node sends to its own connections.
    """

    game = GAME
    prefix = "/colorfight"
    endpoints = ENDPOINTS

    def __init__(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        self._manager = manager
        self._rooms = RoomDirectory(manager, service, authenticator)
        self._feeds = RoomFeeds(self._rooms)
        self._task: asyncio.Task[None] | None = None

    def services(self) -> tuple[object, ...]:
        """The rooms and their feeds."""
        return (self._rooms, self._feeds)

    def error_body(self, status: int, message: str) -> Any:
        """The same body as for a refused request."""
        return error_body(message)

    async def begin(self) -> None:
        """Open the public room and start the loop."""
        await self._rooms.open_public()
        self._manager.on_turn.append(self._feeds.on_turn)
        self._manager.on_change.append(self._feeds.on_change)
        self._manager.games.on_loaded.append(lambda game: self._feeds.changed.set())
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the loop and the feeds."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._feeds.close()

    async def _run(self) -> None:
        changed = self._feeds.changed
        while True:
            try:
                await self._tick()
            except StorageUnavailable as error:
                log.warning("wire waits for the database", extra={"wire": GAME, "error": str(error)})
            except Exception:
                log.exception("wire tick failed", extra={"wire": GAME})
            with contextlib.suppress(TimeoutError):
                # not `wait_for`: it loses a cancellation that comes with the event
                async with asyncio.timeout(min(_TICK, self._feeds.next_second) + 0.002):
                    await changed.wait()
            changed.clear()

    async def _tick(self) -> None:
        manager, store = self._manager, self._manager.store
        if not manager.games.is_loaded(GAME):
            return
        acquire = partial(leases.acquire, name=_LEASE, node=manager.node, seconds=manager.settings.lease)
        if not store.is_shared or await store.write(acquire):
            await self._rooms.start_due_matches(time.time())
        await self._feeds.refresh_all()
