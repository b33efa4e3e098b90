"""What the original wires keep: rooms with passwords, games by other names, and how players prove who they are."""

import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.store.notify import notify
from marchland.store.schema import matches, wire_chat, wire_games, wire_players, wire_rooms


class WireRoom(msgspec.Struct, frozen=True):
    """A room of a wire, and the match that is on in it."""

    wire: str
    name: str
    body: bytes
    admin: bytes
    join_key: bytes | None
    creator: str | None
    match: str | None
    created: float = 0.0


class WirePlayer(msgspec.Struct, frozen=True):
    """A seat as a wire knows it."""

    seat: int
    number: int
    secret: bytes | None


def add_room(connection: Connection, room: WireRoom, most: int | None = None) -> None:
    """A new room; refused if the name is taken, or its creator has ``most`` already."""
    if most is not None:
        mine = select(func.count()).where(wire_rooms.c.wire == room.wire, wire_rooms.c.creator == room.creator)
        if int(connection.execute(mine).scalar_one()) >= most:
            raise Refused("too_many", f"You have {most} rooms already.")
    values = msgspec.structs.asdict(room) | {"created": time.time()}
    try:
        with connection.begin_nested():
            connection.execute(insert(wire_rooms).values(**values))
    except IntegrityError:
        raise Refused("name_taken", f"There is a room {room.name!r} already.") from None


def room(connection: Connection, wire: str, name: str) -> WireRoom | None:
    """One room."""
    found = connection.execute(select(wire_rooms).where(_this(wire, name))).first()
    return None if found is None else WireRoom(**found._asdict())


def rooms(connection: Connection, wire: str) -> list[WireRoom]:
    """All rooms of a wire, the oldest first."""
    query = select(wire_rooms).where(wire_rooms.c.wire == wire).order_by(wire_rooms.c.created)
    return [WireRoom(**found._asdict()) for found in connection.execute(query)]


def put(connection: Connection, before: WireRoom, match: str, body: bytes) -> bool:
    """Make a match the room's, if the one ``before`` it still is; False if somebody was quicker."""
    changed = connection.execute(
        update(wire_rooms)
        .where(_this(before.wire, before.name), wire_rooms.c.match.is_not_distinct_from(before.match))
        .values(match=match, body=body)
    )
    return changed.rowcount == 1


def remove_room(connection: Connection, wire: str, name: str) -> None:
    """Forget a room."""
    connection.execute(delete(wire_rooms).where(_this(wire, name)))


def _this(wire: str, name: str) -> Any:
    return (wire_rooms.c.wire == wire) & (wire_rooms.c.name == name)


# ---------------------------------------------------------------- games and players


def add_game(connection: Connection, match: str, wire: str, name: str, secret: bytes) -> None:
    """Give a match the name by which a wire knows it; refused if it is taken."""
    try:
        with connection.begin_nested():
            connection.execute(insert(wire_games).values(match=match, wire=wire, name=name, secret=secret))
    except IntegrityError:
        raise Refused("name_taken", f"There is a game {name!r} already.") from None


def game(connection: Connection, wire: str, name: str) -> tuple[str, bytes] | None:
    """The match behind a name, and the secret of whoever sees all of it."""
    query = select(wire_games.c.match, wire_games.c.secret).where(wire_games.c.wire == wire, wire_games.c.name == name)
    found = connection.execute(query).first()
    return None if found is None else (found.match, found.secret)


def games(connection: Connection, wire: str, limit: int = 200) -> list[tuple[str, str]]:
    """The names and matches of a wire's games, the newest first."""
    query = (
        select(wire_games.c.name, wire_games.c.match)
        .join(matches, matches.c.id == wire_games.c.match)
        .where(wire_games.c.wire == wire)
        .order_by(matches.c.created.desc())
        .limit(limit)
    )
    return [(found.name, found.match) for found in connection.execute(query)]


def incomplete(connection: Connection, wire: str, before: float) -> list[str]:
    """Matches from before that moment which still wait for players."""
    query = (
        select(wire_games.c.match)
        .join(matches, matches.c.id == wire_games.c.match)
        .where(wire_games.c.wire == wire, matches.c.state == "lobby", matches.c.created < before)
    )
    return list(connection.execute(query).scalars())


def unfinished(connection: Connection, wire: str) -> int:
    """How many games of a wire have not ended."""
    query = (
        select(func.count())
        .select_from(wire_games.join(matches, matches.c.id == wire_games.c.match))
        .where(wire_games.c.wire == wire, matches.c.state.in_(("lobby", "running")))
    )
    return int(connection.execute(query).scalar_one())


def players(connection: Connection, match: str) -> list[WirePlayer]:
    """The players that a wire knows in a match, by seat."""
    query = select(wire_players).where(wire_players.c.match == match).order_by(wire_players.c.seat)
    return [WirePlayer(row.seat, row.number, row.secret) for row in connection.execute(query)]


def keep_player(connection: Connection, match: str, player: WirePlayer) -> None:
    """Remember who sits there."""
    forget_player(connection, match, player.seat)
    connection.execute(insert(wire_players).values(match=match, **msgspec.structs.asdict(player)))


def forget_player(connection: Connection, match: str, seat: int) -> None:
    """Whoever sat there has left."""
    connection.execute(delete(wire_players).where(wire_players.c.match == match, wire_players.c.seat == seat))


def renumber(connection: Connection, match: str, seated: list[WirePlayer]) -> None:
    """Replace all players of a match."""
    connection.execute(delete(wire_players).where(wire_players.c.match == match))
    if seated:
        connection.execute(insert(wire_players), [{"match": match, **msgspec.structs.asdict(one)} for one in seated])


# ---------------------------------------------------------------- chat


def say(connection: Connection, match: str, line: bytes, most: int, bell: str) -> None:
    """Keep a line of those who play in a match, of which the last so many are kept, and wake whoever listens."""
    try:
        with connection.begin_nested():
            connection.execute(insert(wire_chat).values(match=match, body=line))
    except IntegrityError:
        raise Refused("not_found", f"There is no match {match!r}.") from None
    mine = wire_chat.c.match == match
    older = select(wire_chat.c.number).where(mine).order_by(wire_chat.c.number.desc()).offset(most)
    connection.execute(delete(wire_chat).where(mine, wire_chat.c.number.in_(older.limit(most))))
    notify(connection, bell)


def said(connection: Connection, match: str) -> list[bytes]:
    """The lines of a match, the oldest first."""
    query = select(wire_chat.c.body).where(wire_chat.c.match == match).order_by(wire_chat.c.number)
    return list(connection.execute(query).scalars())
