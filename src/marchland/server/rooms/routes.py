"""Rooms: when a match ends in one, the next starts."""

from functools import partial

import msgspec
from litestar import Router
from litestar.datastructures import State
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import Every, NewMatch, NewRoom, RoomChange, RoomInfo, SeatWish
from marchland.registry import find, games
from marchland.server.audit import note
from marchland.server.http.auth import Caller, caller_of, require, somebody
from marchland.server.http.patch import changed
from marchland.server.http.routing import delete, get, patch, post
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import Opener
from marchland.server.matches.visibility import template_for
from marchland.server.rooms import queries
from marchland.server.tasks import Beside
from marchland.store import Store

_DEMO_SEATS = 4


class Rooms:
    """Keeps a match going in every room that is open."""

    def __init__(self, opener: Opener, beside: Beside) -> None:
        self._beside = beside
        self._opener = opener
        self._store = opener.store

    async def tick(self, now: float) -> None:
        """Open what is due."""
        for room in await self._store.read(queries.listed):
            if room.open and self._opener.games.is_loaded(room.template.game):
                self._beside.do(f"room {room.name}", partial(self._tend, room, now))

    async def _tend(self, room: RoomInfo, now: float) -> None:
        ended = await self._store.read(partial(queries.ended, room=room))
        if ended is None:
            await self._begin_if_it_should(room)
        elif now >= ended + room.pause or room.match is None:
            wish = msgspec.structs.replace(room.template, name=room.template.name or room.name)
            await self._opener.open(
                wish, room.name, lambda connection, match: queries.put(connection, room.name, room.match, match)
            )

    async def _begin_if_it_should(self, room: RoomInfo) -> None:
        """The end may have come between the making of a match and its start."""
        row = await self._store.read(partial(match_queries.find, match=room.match or ""))
        if row is not None and row.state == "lobby" and all(seat.kind != "open" for seat in row.seats):
            await self._opener.begin(row.id)

    async def add_demos(self) -> None:
        """A room of every game in which its own bots play for ever."""
        known = {room.name for room in await self._store.read(queries.listed)}
        for demo in demo_rooms():
            if demo.name not in known:
                await self._store.write(partial(queries.create, room=demo))


def demo_rooms() -> list[NewRoom]:
    """What is on where nobody has organised anything yet."""
    made = []
    for game in games():
        kind = find(game)
        bot = "greedy" if "greedy" in kind.bots else next(iter(kind.bots))
        seats = [SeatWish("builtin", bot)] * min(max(_DEMO_SEATS, kind.least_players), kind.most_players)
        template = NewMatch(game, seats, clock=Every(1.0, early=False), spectator_delay=0)
        made.append(NewRoom(f"{game} demo", template))
    return made


@get("/rooms")
async def list_rooms(scope: Scope, store: Store) -> list[RoomInfo]:
    """All rooms, each with the match that is on."""
    caller = somebody(scope)
    return [_shown(caller, room) for room in await store.read(queries.listed)]


@get("/rooms/{room:str}")
async def show_room(room: str, scope: Scope, store: Store) -> RoomInfo:
    """One room."""
    return _shown(somebody(scope), await store.read(partial(queries.find, name=room)))


@post("/rooms")
async def create_room(data: NewRoom, scope: Scope, store: Store, state: State) -> RoomInfo:
    """Open a room; its first match starts at once. For organisers."""
    caller = caller_of(scope)
    require(caller, "organiser")
    if "/" in data.name or not data.name.isprintable():
        raise Refused("bad_request", "A room's name has letters that can be shown, and no slash.")
    await _check(data.template, state)

    def work(connection: Connection) -> RoomInfo:
        note(connection, caller, "create room", data.name, data)
        return queries.create(connection, data)

    made: RoomInfo = await store.write(work)
    state.organiser.wake()
    return made


@patch("/rooms/{room:str}")
async def change_room(room: str, data: RoomChange, scope: Scope, store: Store, state: State) -> RoomInfo:
    """Change what a room's next matches are, or close it for a while and open it again. For organisers."""
    caller = caller_of(scope)
    require(caller, "organiser")
    if isinstance(data.template, NewMatch) or data.open is True:  # a map may have gone while the room was closed
        await _check(changed(await store.read(partial(queries.find, name=room)), data).template, state)

    def work(connection: Connection) -> RoomInfo:
        after = changed(queries.find(connection, room), data)
        note(connection, caller, "change room", room, data)
        queries.change(connection, after)
        return after

    made: RoomInfo = await store.write(work)
    state.organiser.wake()
    return made


@delete("/rooms/{room:str}")
async def remove_room(room: str, scope: Scope, store: Store) -> None:
    """Close a room; the match that is on goes on to its end. For organisers."""
    caller = caller_of(scope)
    require(caller, "organiser")

    def work(connection: Connection) -> None:
        queries.find(connection, room)
        note(connection, caller, "remove room", room)
        queries.remove(connection, room)

    await store.write(work)


def _shown(caller: Caller | None, room: RoomInfo) -> RoomInfo:
    return msgspec.structs.replace(room, template=template_for(caller, room.template))


async def _check(template: NewMatch, state: State) -> None:
    if template.password:
        raise Refused("bad_request", "A room's matches are for everybody: they have no password.")
    await state.organiser.opener.check(template)


router = Router("/", route_handlers=[list_rooms, show_room, create_room, change_room, remove_room], tags=["rooms"])
