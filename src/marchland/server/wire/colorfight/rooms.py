"""Colorfight's rooms: create, start, restart and delete them; after a match ends, the next one opens."""

import asyncio
import contextlib
import math
import re
import secrets
import time
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused, StorageUnavailable
from marchland.messages import SeatInfo
from marchland.server.accounts import passwords
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import MatchFactory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.service import MatchService
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.settings import DEFAULT_PRESET, PRESETS, RoomSettings
from marchland.server.wire.queries import WirePlayer, WireRoom

PUBLIC = "public"
_MOST_ROOMS = 20
"""Rooms that an account may own, unless it is an organiser's."""
_NAME = re.compile(r"[\w-]{1,24}")
_NEW_NAME = re.compile(r"[\w-]{1,24}", re.ASCII)
"""Without letters that look like those of another room's name."""
_CHAT_LINES, _CHAT_LENGTH = 20, 200
_WAITING = 9999
"""The public server's countdown in a room that waits for players or for its admin."""


class RoomDirectory:
    """All rooms, stored in the database."""

    def __init__(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        self.manager = manager
        self.authenticator = authenticator
        self.store = manager.store
        self.match_service = service
        self._factory = MatchFactory(manager.store, service, manager.games)
        self._opening: dict[str, asyncio.Lock] = {}
        self._starts: dict[str, float] = {}
        """By match: the next time to start, if the room was empty at the last one."""
        manager.owner_calls.register("colorfight join", self._take_seat_for_other_node)

    async def open_public(self) -> None:
        """Create the public room if it does not exist; the server's organisers manage it."""
        if await self.find(PUBLIC) is None:
            admin = await passwords.hash_in_thread(secrets.token_hex())
            assert admin is not None
            room = WireRoom(matches.GAME, PUBLIC, msgspec.json.encode(PRESETS[DEFAULT_PRESET]), admin, None, None, None)
            with contextlib.suppress(Refused):  # another node was quicker
                await self.store.write(partial(wire_queries.insert_room, room=room))

    async def find(self, name: str) -> WireRoom | None:
        """One room."""
        if not _NAME.fullmatch(name):
            return None
        return await self.store.read(partial(wire_queries.find_room, wire=matches.GAME, name=name))

    async def require(self, name: str) -> WireRoom:
        """One room; refused if it does not exist."""
        room = await self.find(name)
        if room is None:
            raise Refused("not_found", f"There is no room {name}")
        return room

    async def list_rooms(self) -> list[tuple[WireRoom, MatchRow | None]]:
        """All rooms, each with its current match."""

        def work(connection: Connection) -> list[tuple[WireRoom, MatchRow | None]]:
            rooms = wire_queries.list_rooms(connection, matches.GAME)
            rows = {
                row.id: row
                for row in match_queries.find_several(connection, [room.match for room in rooms if room.match])
            }
            return [(room, rows.get(room.match or "")) for room in rooms]

        return await self.store.read(work)

    async def match_row(self, room: WireRoom) -> MatchRow | None:
        """The current match of a room."""
        return await self.store.read(partial(match_queries.find, match=room.match or ""))

    async def create(self, name: str, settings: RoomSettings, admin: str, join_key: str, caller: Caller) -> None:
        """Create a room that the caller owns."""
        if not _NEW_NAME.fullmatch(name):
            raise Refused("bad_request", "The gameroom_id has to be 1 to 24 letters, digits, _ or -")
        secret, key = await passwords.hash_in_thread(admin), await passwords.hash_in_thread(join_key)
        if secret is None:
            raise Refused("bad_request", "The admin password can't be empty")
        room = WireRoom(matches.GAME, name, msgspec.json.encode(settings), secret, key, caller.id, None)
        most = None if caller.may("organiser") else _MOST_ROOMS
        await self.store.write(partial(wire_queries.insert_room, room=room, most=most))

    async def open_match(self, room: WireRoom, settings: RoomSettings) -> None:
        """Create the room's next match, unless the room has changed meanwhile."""
        async with self._opening.setdefault(room.name, asyncio.Lock()):
            if await self.require(room.name) != room:
                return
            body = msgspec.json.encode(settings)
            request = await matches.new_match(room.name, settings)

            def claim(connection: Connection, match: str) -> bool:
                return wire_queries.replace_match(connection, room, match, body)

            await self._factory.create_for_slot(request, matches.slot_name(room.name), claim)

    async def take_seat(self, match: str, name: str, secret: bytes, *, has_account: bool) -> SeatInfo:
        """Give a new player a seat; in a running match, by a call to the owner node."""
        try:
            return await self._take_seat(match, name, secret, has_account)
        except Refused as problem:
            if problem.error != "other_node":
                raise
        arguments = {"name": name, "secret": secret.hex(), "has_account": has_account}
        seat = await self.manager.call_owner("colorfight join", await self.manager.match(match), arguments)
        return msgspec.convert(seat, SeatInfo)

    async def _take_seat(self, match: str, name: str, secret: bytes, has_account: bool) -> SeatInfo:
        def save(connection: Connection, seat: SeatInfo) -> None:
            numbers = matches.uids(wire_queries.list_players(connection, match), seat.seat + 1)
            wire_queries.save_player(connection, match, WirePlayer(seat.seat, numbers[seat.seat], secret))

        return await self.match_service.seats.assign(match, name, save, has_account=has_account)

    async def _take_seat_for_other_node(self, match: str, arguments: Any) -> SeatInfo:
        """Owner call, idempotent: a repeated request with the same secret gets the same seat."""
        await self.manager.require_owned(match)
        name, secret = arguments["name"], bytes.fromhex(arguments["secret"])
        players = await self.store.read(partial(wire_queries.list_players, match=match))
        seat = next((player.seat for player in players if player.secret == secret), None)
        if seat is not None:
            return SeatInfo(seat, "bot", name)
        return await self._take_seat(match, name, secret, arguments["has_account"])

    async def add_chat_line(self, room: WireRoom, user: str, msg: str) -> None:
        """Add a line that all readers of the room see, on every node, until its next match."""
        line = msgspec.json.encode({"user": user, "msg": msg[:_CHAT_LENGTH]})
        match, topic = room.match or "", topic_of(room.name)
        await self.store.write(
            partial(wire_queries.add_chat_line, match=match, line=line, most=_CHAT_LINES, topic=topic)
        )

    async def start(self, room: WireRoom) -> None:
        """Start the room's match with the seats that are taken."""
        self._starts.pop(room.match or "", None)
        await self.match_service.start(room.match or "", matches.plan_start)

    async def restart(self, room: WireRoom, settings: RoomSettings) -> None:
        """Replace the room's match by a new one, also while it runs."""
        before = await self.match_row(room)
        await self.open_match(room, settings)
        await self._discard_match(room, before)

    async def delete(self, room: WireRoom) -> None:
        """Delete a room, with its match unless that is over and the room stores replays."""
        if room.name == PUBLIC:
            raise Refused("not_allowed", "The public room always exists")
        before = await self.match_row(room)
        await self.store.write(partial(wire_queries.delete_room, wire=matches.GAME, name=room.name))
        await self._discard_match(room, before)

    async def _discard_match(self, room: WireRoom, row: MatchRow | None) -> None:
        """Delete the match that was the room's, unless it is over and the room stores replays."""
        if row is not None and (row.state in ("lobby", "running") or not settings_of(room).stores_replays):
            await self.match_service.remove(row.id)

    async def start_due_matches(self, now: float) -> None:
        """Open, start or replace the match of every room where that is due."""
        for room, row in await self.list_rooms():
            if room.match is not None:
                with contextlib.suppress(Refused, StorageUnavailable):
                    await self._start_if_due(room, row, now)

    async def _start_if_due(self, room: WireRoom, row: MatchRow | None, now: float) -> None:
        settings = settings_of(room)
        if row is None:
            await self.open_match(room, settings)
        elif row.state == "lobby" and self._is_due(row, settings, now):
            await self.start(room)
        elif (
            row.state in ("over", "broken") and settings.finish_time and now >= (row.ended or 0) + settings.finish_time
        ):
            await self.restart(room, settings)

    def _is_due(self, row: MatchRow, settings: RoomSettings, now: float) -> bool:
        taken, first = matches.taken_seats(row), settings.first_round_time
        if first == "never":
            return False
        if first == "full":
            return len(taken) == len(row.seats)
        starts = self._starts.get(row.id, row.created + first)
        if now < starts:
            return False
        if not taken and first:
            self._starts[row.id] = now + first - (now - row.created) % first
        return bool(taken)


def topic_of(room: str) -> str:
    """The notification topic of a room, for nodes with connections to it."""
    return f"colorfight {room}"


def settings_of(room: WireRoom) -> RoomSettings:
    """Decode a room's settings."""
    return msgspec.json.decode(room.body, type=RoomSettings)


def count_down(row: MatchRow, settings: RoomSettings) -> int:
    """Seconds until the match starts by the clock; in an empty room the countdown repeats."""
    first = settings.first_round_time
    if isinstance(first, str):
        return _WAITING
    if not first:
        return 0
    elapsed = time.time() - row.created
    return math.ceil(first - elapsed % first)
