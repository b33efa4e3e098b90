"""HTTP routes of rooms."""

import msgspec

from marchland.messages import RoomCreate, RoomInfo, RoomUpdate
from marchland.server.http.auth import Caller
from marchland.server.http.routing import api_router, delete, get, patch, post
from marchland.server.matches.visibility import redact_template
from marchland.server.rooms.service import RoomService


@get("/rooms")
async def list_rooms(caller: Caller | None, rooms: RoomService) -> list[RoomInfo]:
    """All rooms, each with the match that is on."""
    return [_redact(caller, room) for room in await rooms.list_rooms()]


@get("/rooms/{room}")
async def show_room(room: str, caller: Caller | None, rooms: RoomService) -> RoomInfo:
    """One room."""
    return _redact(caller, await rooms.find(room))


@post("/rooms", role="organiser")
async def create_room(data: RoomCreate, caller: Caller, rooms: RoomService) -> RoomInfo:
    """Open a room; its first match starts at once. For organisers."""
    return await rooms.create(caller, data)


@patch("/rooms/{room}", role="organiser")
async def change_room(room: str, data: RoomUpdate, caller: Caller, rooms: RoomService) -> RoomInfo:
    """Change what a room's next matches are, or close it for a while and open it again. For organisers."""
    return await rooms.update(caller, room, data)


@delete("/rooms/{room}", role="organiser")
async def remove_room(room: str, caller: Caller, rooms: RoomService) -> None:
    """Close a room; the match that is on goes on to its end. For organisers."""
    await rooms.delete(caller, room)


def _redact(caller: Caller | None, room: RoomInfo) -> RoomInfo:
    return msgspec.structs.replace(room, template=redact_template(caller, room.template))


router = api_router(
    "rooms",
    list_rooms,
    show_room,
    create_room,
    change_room,
    remove_room,
)
