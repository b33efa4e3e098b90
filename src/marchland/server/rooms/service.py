"""Rooms: when a match ends in one, the next starts after a pause."""

from collections.abc import Callable
from functools import partial

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import Every, MatchCreate, RoomCreate, RoomInfo, RoomUpdate, SeatRequest
from marchland.registry import find_all
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.http.patch import apply_patch
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import MatchFactory
from marchland.server.rooms import queries
from marchland.server.tasks import RetryingTasks

_DEMO_SEATS = 4


class RoomService:
    """Creates and changes rooms, and starts their matches. ``wake`` makes the scheduler tick at once."""

    def __init__(self, factory: MatchFactory, tasks: RetryingTasks, wake: Callable[[], None]) -> None:
        self._factory = factory
        self._store = factory.store
        self._tasks = tasks
        self._wake = wake

    async def list_rooms(self) -> list[RoomInfo]:
        """All rooms, each with its current match."""
        return await self._store.read(queries.list_rooms)

    async def find(self, name: str) -> RoomInfo:
        """One room; refused if there is none of that name."""
        return await self._store.read(partial(queries.find_room, name=name))

    async def create(self, caller: Caller, request: RoomCreate) -> RoomInfo:
        """Open a room; its first match starts at once."""
        if "/" in request.name:
            raise Refused("bad_request", "room_name_slash")
        await self._validate(request.template)

        def write(connection: Connection) -> RoomInfo:
            record(connection, caller, "create room", request.name, request)
            return queries.insert_room(connection, request)

        room: RoomInfo = await self._store.write(write)
        self._wake()
        return room

    async def update(self, caller: Caller, name: str, change: RoomUpdate) -> RoomInfo:
        """Change what the next matches are, or whether there are any; the current match continues."""
        if (
            isinstance(change.template, MatchCreate) or change.open is True
        ):  # a map may be gone since the room was closed
            await self._validate(apply_patch(await self.find(name), change).template)

        def write(connection: Connection) -> RoomInfo:
            after = apply_patch(queries.find_room(connection, name), change)
            record(connection, caller, "change room", name, change)
            queries.update_room(connection, after)
            return after

        room: RoomInfo = await self._store.write(write)
        self._wake()
        return room

    async def delete(self, caller: Caller, name: str) -> None:
        """Delete a room; its current match runs to its end."""

        def write(connection: Connection) -> None:
            queries.find_room(connection, name)
            record(connection, caller, "remove room", name)
            queries.delete_room(connection, name)

        await self._store.write(write)

    async def _validate(self, template: MatchCreate) -> None:
        if template.password:
            raise Refused("bad_request", "room_password")
        await self._factory.validate(template)

    # ---------------------------------------------------------------- scheduled work

    async def tick(self, now: float) -> None:
        """Start a task for every open room."""
        for room in await self._store.read(queries.list_rooms):
            if room.open and self._factory.games.is_loaded(room.template.game):
                self._tasks.start(f"room {room.name}", partial(self._start_next_match, room, now))

    async def _start_next_match(self, room: RoomInfo, now: float) -> None:
        ended = await self._store.read(partial(queries.end_of_match, room=room))
        if ended is None:
            await self._finish_interrupted_start(room)
        elif now >= ended + room.pause or room.match is None:
            template = msgspec.structs.replace(room.template, name=room.template.name or room.name)
            await self._factory.create_for_slot(
                template,
                room.name,
                lambda connection, match: queries.set_match(connection, room.name, room.match, match),
            )

    async def _finish_interrupted_start(self, room: RoomInfo) -> None:
        """Start a match whose creator died between creation and start."""
        row = await self._store.read(partial(match_queries.find, match=room.match or ""))
        if row is not None and row.state == "lobby" and all(seat.kind != "open" for seat in row.seats):
            await self._factory.start(row.id)

    async def add_demo_rooms(self) -> None:
        """Add a room of every game in which built-in bots play without end."""
        known = {room.name for room in await self._store.read(queries.list_rooms)}
        for room in demo_rooms():
            if room.name not in known:
                await self._store.write(partial(queries.insert_room, room=room))


def demo_rooms() -> list[RoomCreate]:
    """The rooms of a demo server."""
    rooms = []
    for game, kind in find_all().items():
        bot = "greedy" if "greedy" in kind.bots else next(iter(kind.bots))
        seats = [SeatRequest("builtin", bot)] * min(max(_DEMO_SEATS, kind.least_players), kind.most_players)
        template = MatchCreate(game, seats, clock=Every(1.0, early=False), spectator_delay=0)
        rooms.append(RoomCreate(f"{game} demo", template))
    return rooms
