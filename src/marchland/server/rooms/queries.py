"""SQL of rooms."""

import time
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import MatchCreate, RoomCreate, RoomInfo
from marchland.server.names import check_distinct
from marchland.store.schema import matches, rooms


def insert_room(connection: Connection, room: RoomCreate) -> RoomInfo:
    """A new room, open, with no match yet."""
    info = RoomInfo(room.name, room.template, room.pause, True, None, room.keep)
    check_distinct(room.name, connection.execute(select(rooms.c.name)).scalars().all(), "room")
    try:
        with connection.begin_nested():
            connection.execute(
                insert(rooms).values(
                    name=room.name,
                    template=msgspec.json.encode(room.template),
                    pause=room.pause,
                    open=True,
                    keep=room.keep,
                    created=time.time(),
                )
            )
    except IntegrityError:
        raise Refused("name_taken", "room_name_taken", room=room.name) from None
    return info


def find_room(connection: Connection, name: str) -> RoomInfo:
    """One room; refused if there is none."""
    row = connection.execute(select(rooms).where(rooms.c.name == name)).first()
    if row is None:
        raise Refused("not_found", "no_such_room", room=name)
    return _info(row)


def list_rooms(connection: Connection) -> list[RoomInfo]:
    """All rooms, by name."""
    return [_info(row) for row in connection.execute(select(rooms).order_by(rooms.c.name))]


def update_room(connection: Connection, room: RoomInfo) -> None:
    """Store a changed room; its match stays."""
    values = {"template": msgspec.json.encode(room.template), "pause": room.pause, "open": room.open}
    values["keep"] = room.keep
    connection.execute(update(rooms).where(rooms.c.name == room.name).values(**values))


def delete_room(connection: Connection, name: str) -> None:
    """Delete a room; its matches stay."""
    connection.execute(delete(rooms).where(rooms.c.name == name))


def end_of_match(connection: Connection, room: RoomInfo) -> float | None:
    """When the room's match ended, 0 if there is none; None while it waits or runs."""
    if room.match is None:
        return 0.0
    row = connection.execute(select(matches.c.state, matches.c.ended).where(matches.c.id == room.match)).first()
    if row is None:
        return 0.0
    return (row.ended or 0.0) if row.state in ("over", "broken") else None


def set_match(connection: Connection, name: str, before: str | None, match: str) -> bool:
    """Compare and set the room's match: False if it is no longer ``before``."""
    changed = connection.execute(
        update(rooms).where(rooms.c.name == name, rooms.c.match.is_not_distinct_from(before)).values(match=match)
    )
    return changed.rowcount == 1


def _info(row: Row[Any]) -> RoomInfo:
    template = msgspec.json.decode(row.template, type=MatchCreate)
    return RoomInfo(row.name, template, row.pause, row.open, row.match, row.keep)
