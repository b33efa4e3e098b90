"""Colorfight's rooms: made, started, restarted and deleted; when a game ends in one, the next begins."""

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
from marchland.server.http.auth import Caller
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import MatchFactory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.service import MatchService
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.settings import PRESETS, USUAL, RoomSettings
from marchland.server.wire.queries import WirePlayer, WireRoom

PUBLIC = "public"
_MOST_ROOMS = 20
"""Rooms of one player; organisers may have more."""
_NAME = re.compile(r"[\w-]{1,24}")
_CHAT_LINES, _CHAT_LENGTH = 20, 200


class Hall:
    """All rooms, as they are kept."""

    def __init__(self, manager: MatchManager, service: MatchService) -> None:
        self.manager = manager
        self.store = manager.store
        self.lobby = service
        self._factory = MatchFactory(manager.store, service, manager.games)
        self._opening: dict[str, asyncio.Lock] = {}
        self._starts: dict[str, float] = {}
        """For matches whose time has come while nobody was there, when it comes again."""
        manager.owner_calls.register("colorfight join", self._sit_here)

    async def open_public(self) -> None:
        """The public room always exists; it belongs to the server's organisers."""
        if await self.find(PUBLIC) is None:
            admin = await asyncio.to_thread(passwords.kept, secrets.token_hex())
            assert admin is not None
            room = WireRoom(matches.WIRE, PUBLIC, msgspec.json.encode(PRESETS[USUAL]), admin, None, None, None)
            with contextlib.suppress(Refused):  # another node was quicker
                await self.store.write(partial(wire_queries.add_room, room=room))

    async def find(self, name: str) -> WireRoom | None:
        """A room."""
        if not _NAME.fullmatch(name):
            return None
        return await self.store.read(partial(wire_queries.room, wire=matches.WIRE, name=name))

    async def known(self, name: str) -> WireRoom:
        """A room; refused if there is none."""
        room = await self.find(name)
        if room is None:
            raise Refused("not_found", f"There is no room {name}")
        return room

    async def rooms(self) -> list[tuple[WireRoom, MatchRow | None]]:
        """All rooms, each with the match that is on."""

        def work(connection: Connection) -> list[tuple[WireRoom, MatchRow | None]]:
            rooms = wire_queries.rooms(connection, matches.WIRE)
            rows = {
                row.id: row
                for row in match_queries.find_several(connection, [room.match for room in rooms if room.match])
            }
            return [(room, rows.get(room.match or "")) for room in rooms]

        return await self.store.read(work)

    async def row(self, room: WireRoom) -> MatchRow | None:
        """The match that is on."""
        return await self.store.read(partial(match_queries.find, match=room.match or ""))

    async def create(self, name: str, settings: RoomSettings, admin: str, join_key: str, caller: Caller) -> None:
        """A new room of the caller's."""
        if not _NAME.fullmatch(name):
            raise Refused("bad_request", "The gameroom_id has to be 1 to 24 letters, digits, _ or -")
        secret, key = await asyncio.to_thread(lambda: (passwords.kept(admin), passwords.kept(join_key)))
        if secret is None:
            raise Refused("bad_request", "The admin password can't be empty")
        room = WireRoom(matches.WIRE, name, msgspec.json.encode(settings), secret, key, caller.id, None)
        most = None if caller.may("organiser") else _MOST_ROOMS
        await self.store.write(partial(wire_queries.add_room, room=room, most=most))

    async def open(self, room: WireRoom, settings: RoomSettings) -> None:
        """Put a new match into a room, unless somebody else has just done so."""
        async with self._opening.setdefault(room.name, asyncio.Lock()):
            if await self.known(room.name) != room:
                return
            body = msgspec.json.encode(settings)
            wish = await matches.new_match(room.name, settings)

            def claim(connection: Connection, match: str) -> bool:
                return wire_queries.put(connection, room, match, body)

            await self._factory.create_for_slot(wish, matches.place_of(room.name), claim)

    async def sit(self, match: str, name: str, secret: bytes) -> SeatInfo:
        """Give a new player a seat; once the match runs, the node that runs it does."""
        try:
            return await self._sit(match, name, secret)
        except Refused as problem:
            if problem.error != "other_node":
                raise
        asked = {"name": name, "secret": secret.hex()}
        told = await self.manager.call_owner("colorfight join", await self.manager.match(match), asked)
        return msgspec.convert(told, SeatInfo)

    async def _sit(self, match: str, name: str, secret: bytes) -> SeatInfo:
        def keep(connection: Connection, seat: SeatInfo) -> None:
            numbers = matches.uids(wire_queries.players(connection, match), seat.seat + 1)
            wire_queries.keep_player(connection, match, WirePlayer(seat.seat, numbers[seat.seat], secret))

        return await self.lobby.seating.sit(match, name, keep)

    async def _sit_here(self, match: str, asked: Any) -> SeatInfo:
        """A player who came to another node; one who was let in by the same request before keeps the seat."""
        await self.manager.owned(match)
        name, secret = asked["name"], bytes.fromhex(asked["secret"])
        players = await self.store.read(partial(wire_queries.players, match=match))
        has = next((player.seat for player in players if player.secret == secret), None)
        return await self._sit(match, name, secret) if has is None else SeatInfo(has, "bot", name)

    async def say(self, room: WireRoom, user: str, msg: str) -> None:
        """A line for everybody who listens to the room, at whichever node, until its next game."""
        line = msgspec.json.encode({"user": user, "msg": msg[:_CHAT_LENGTH]})
        work = partial(wire_queries.say, match=room.match or "", line=line, most=_CHAT_LINES, bell=bell_of(room.name))
        await self.store.write(work)

    async def start(self, room: WireRoom) -> None:
        """Begin with those who are there."""
        self._starts.pop(room.match or "", None)
        await self.lobby.start(room.match or "", matches.cast)

    async def restart(self, room: WireRoom, settings: RoomSettings) -> None:
        """End the room's match wherever it stands, or leave it behind if it has ended, and have another."""
        before = await self.row(room)
        await self.open(room, settings)
        await self._leave_behind(room, before)

    async def delete(self, room: WireRoom) -> None:
        """Forget a room, and its match unless that is over and to be kept."""
        if room.name == PUBLIC:
            raise Refused("not_allowed", "The public room always exists")
        before = await self.row(room)
        await self.store.write(partial(wire_queries.remove_room, wire=matches.WIRE, name=room.name))
        await self._leave_behind(room, before)

    async def _leave_behind(self, room: WireRoom, row: MatchRow | None) -> None:
        """Keep of a match what the room keeps: nothing unless it has ended."""
        if row is not None and (row.state in ("lobby", "running") or not settings_of(room).keeps_replays):
            await self.lobby.remove(row.id)

    async def tend(self, now: float) -> set[str]:
        """Open and start what is due; the rooms in which something was."""
        changed = set()
        for room, row in await self.rooms():
            with contextlib.suppress(Refused, StorageUnavailable):
                if room.match is not None and await self._tend(room, row, now):
                    changed.add(room.name)
        return changed

    async def _tend(self, room: WireRoom, row: MatchRow | None, now: float) -> bool:
        settings = settings_of(room)
        if row is None:
            await self.open(room, settings)
        elif row.state == "lobby" and self._is_due(row, settings, now):
            await self.start(room)
        elif (
            row.state in ("over", "broken") and settings.finish_time and now >= (row.ended or 0) + settings.finish_time
        ):
            await self.restart(room, settings)
        else:
            return False
        return True

    def _is_due(self, row: MatchRow, settings: RoomSettings, now: float) -> bool:
        present, first = matches.present(row), settings.first_round_time
        if first == "never":
            return False
        if first == "full":
            return len(present) == len(row.seats)
        starts = self._starts.get(row.id, row.created + first)
        if now < starts:
            return False
        if not present and first:
            self._starts[row.id] = now + first - (now - row.created) % first
        return bool(present)


def bell_of(room: str) -> str:
    """What the nodes at which somebody listens to a room are woken with."""
    return f"colorfight {room}"


def settings_of(room: WireRoom) -> RoomSettings:
    """How a room is set."""
    return msgspec.json.decode(room.body, type=RoomSettings)


def count_down(row: MatchRow, settings: RoomSettings) -> int:
    """Seconds until the match starts, as far as a clock says so; while nobody is there it counts again and again."""
    first = settings.first_round_time
    if isinstance(first, str) or not first:
        return 0
    elapsed = time.time() - row.created
    return math.ceil(first - elapsed % first)
