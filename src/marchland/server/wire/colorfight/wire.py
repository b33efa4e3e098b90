"""Colorfight's rooms as long as the server runs: their clock before and after a game, and who is connected."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterator
from functools import partial

from marchland.core.report import Report
from marchland.errors import Refused, StorageUnavailable
from marchland.match import Match
from marchland.server.http.auth import Authenticator
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire import Wire
from marchland.server.wire.colorfight.matches import WIRE
from marchland.server.wire.colorfight.room_feed import Channel
from marchland.server.wire.colorfight.rooms import Hall, bell_of
from marchland.store import leases

_TICK = 1.0
_LEASE = "wire colorfight"

log = logging.getLogger(__name__)


class Rooms(Wire):
    """Looks after the rooms: one node at a time opens and starts their games, each tells its own listeners."""

    def __init__(self) -> None:
        self.hall: Hall
        self._channels: dict[str, Channel] = {}
        self._users: dict[str, int] = {}
        self._hearing: dict[str, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def begin(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        """Open the public room and start the clock."""
        self.hall = Hall(manager, service)
        await self.hall.open_public()
        manager.on_turn.append(self._on_turn)
        manager.on_change.append(self._on_change)
        manager.games.on_loaded.append(lambda game: self._woken.set())
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the clock, and listen no more."""
        tasks = [*self._hearing.values(), *([] if self._task is None else [self._task])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @contextlib.contextmanager
    def connected(self, room: str) -> Iterator[Channel]:
        """A room's channel, for as long as somebody is connected to it."""
        channel = self._channels.get(room)
        if channel is None:
            channel = self._channels[room] = Channel(room, self.hall)
            self._hearing[room] = asyncio.create_task(self._hear(channel))
        self._users[room] = self._users.get(room, 0) + 1
        try:
            yield channel
        finally:
            self._users[room] -= 1
            if not self._users[room]:
                del self._users[room], self._channels[room]
                self._hearing.pop(room).cancel()

    async def _hear(self, channel: Channel) -> None:
        """Tell what is said in a room at another node."""
        with self.hall.manager.subscribe(bell_of(channel.name)) as rung:
            while True:
                await rung.wait()
                rung.clear()
                with contextlib.suppress(Refused, StorageUnavailable):
                    await channel.look()

    async def look_at(self, room: str) -> None:
        """Something has changed there: do what is due, and tell whoever listens."""
        self._woken.set()
        if room in self._channels:
            await self._channels[room].look()

    def _on_turn(self, match: Match, report: Report) -> None:
        for channel in self._channels.values():
            channel.follow(match, report)

    def _on_change(self, match: Match) -> None:
        for channel in self._channels.values():
            if channel.room is not None and channel.room.match == match.id:
                self.hall.manager.spawn(channel.look())

    async def _run(self) -> None:
        while True:
            try:
                await self._tick()
            except StorageUnavailable as problem:
                log.warning("waits for the database", extra={"why": str(problem)})
            except Exception:
                log.exception("colorfight's rooms could not be looked after")
            pause = min((channel.next_second for channel in self._channels.values()), default=_TICK)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause + 0.002):  # `wait_for` loses a cancellation that comes with the event
                    await self._woken.wait()
            self._woken.clear()

    async def _tick(self) -> None:
        store, manager = self.hall.store, self.hall.manager
        if not manager.games.is_loaded(WIRE):
            return
        hold = partial(leases.acquire, name=_LEASE, node=manager.node, seconds=manager.settings.lease)
        if not store.many_nodes or await store.write(hold):
            await self.hall.tend(time.time())
        for channel in list(self._channels.values()):
            with contextlib.suppress(Refused):
                await channel.look()
