"""Queries of the wires: rooms with passwords, games by their wire's names, players' secrets and chat."""

import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.store.notify import notify
from marchland.store.schema import matches, wire_chat, wire_games, wire_players, wire_rooms


class WireRoom(msgspec.Struct, frozen=True):
    """A room of a wire with its current match."""

    wire: str
    name: str
    body: bytes
    admin: bytes
    join_key: bytes | None
    creator: str | None
    match: str | None
    created: float = 0.0


class WirePlayer(msgspec.Struct, frozen=True):
    """A seat with the number that the wire shows for it and the hash of its password or token."""

    seat: int
    number: int
    secret: bytes | None


# ---------------------------------------------------------------- rooms


def insert_room(connection: Connection, room: WireRoom, most: int | None = None) -> None:
    """Refused if the name is taken, or if the creator has ``most`` rooms already."""
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


def find_room(connection: Connection, wire: str, name: str) -> WireRoom | None:
    """One room."""
    found = connection.execute(select(wire_rooms).where(_is_room(wire, name))).first()
    return None if found is None else WireRoom(**found._asdict())


def list_rooms(connection: Connection, wire: str) -> list[WireRoom]:
    """All rooms of a wire, the oldest first."""
    query = select(wire_rooms).where(wire_rooms.c.wire == wire).order_by(wire_rooms.c.created)
    return [WireRoom(**found._asdict()) for found in connection.execute(query)]


def replace_match(connection: Connection, before: WireRoom, match: str, body: bytes) -> bool:
    """Compare and swap: set a room's match and settings if its match is still that of ``before``."""
    changed = connection.execute(
        update(wire_rooms)
        .where(_is_room(before.wire, before.name), wire_rooms.c.match.is_not_distinct_from(before.match))
        .values(match=match, body=body)
    )
    return changed.rowcount == 1


def delete_room(connection: Connection, wire: str, name: str) -> None:
    """Delete a room; its match stays."""
    connection.execute(delete(wire_rooms).where(_is_room(wire, name)))


def _is_room(wire: str, name: str) -> Any:
    return (wire_rooms.c.wire == wire) & (wire_rooms.c.name == name)


# ---------------------------------------------------------------- games and players


def insert_game(connection: Connection, match: str, wire: str, name: str, secret: bytes) -> None:
    """Give a match its name on a wire; refused if the name is taken."""
    try:
        with connection.begin_nested():
            connection.execute(insert(wire_games).values(match=match, wire=wire, name=name, secret=secret))
    except IntegrityError:
        raise Refused("name_taken", f"There is a game {name!r} already.") from None


def find_game(connection: Connection, wire: str, name: str) -> tuple[str, bytes] | None:
    """The match of a name, and the hash of its admin token."""
    query = select(wire_games.c.match, wire_games.c.secret).where(wire_games.c.wire == wire, wire_games.c.name == name)
    found = connection.execute(query).first()
    return None if found is None else (found.match, found.secret)


def list_games(connection: Connection, wire: str, limit: int = 200) -> list[tuple[str, str]]:
    """The names and matches of a wire's games, the newest first."""
    query = (
        select(wire_games.c.name, wire_games.c.match)
        .join(matches, matches.c.id == wire_games.c.match)
        .where(wire_games.c.wire == wire)
        .order_by(matches.c.created.desc())
        .limit(limit)
    )
    return [(found.name, found.match) for found in connection.execute(query)]


def list_unfilled_games(connection: Connection, wire: str, before: float) -> list[str]:
    """Matches created before that moment which still wait for players."""
    query = (
        select(wire_games.c.match)
        .join(matches, matches.c.id == wire_games.c.match)
        .where(wire_games.c.wire == wire, matches.c.state == "lobby", matches.c.created < before)
    )
    return list(connection.execute(query).scalars())


def count_unfinished_games(connection: Connection, wire: str) -> int:
    """Games of a wire that wait for players or run."""
    query = (
        select(func.count())
        .select_from(wire_games.join(matches, matches.c.id == wire_games.c.match))
        .where(wire_games.c.wire == wire, matches.c.state.in_(("lobby", "running")))
    )
    return int(connection.execute(query).scalar_one())


def list_players(connection: Connection, match: str) -> list[WirePlayer]:
    """The players of a match that a wire has seated, by seat."""
    query = select(wire_players).where(wire_players.c.match == match).order_by(wire_players.c.seat)
    return [WirePlayer(row.seat, row.number, row.secret) for row in connection.execute(query)]


def save_player(connection: Connection, match: str, player: WirePlayer) -> None:
    """Insert a player, or replace the one in the same seat."""
    delete_player(connection, match, player.seat)
    connection.execute(insert(wire_players).values(match=match, **msgspec.structs.asdict(player)))


def delete_player(connection: Connection, match: str, seat: int) -> None:
    """Delete the player in a seat, if there is one."""
    connection.execute(delete(wire_players).where(wire_players.c.match == match, wire_players.c.seat == seat))


def replace_players(connection: Connection, match: str, players: list[WirePlayer]) -> None:
    """Replace all players of a match."""
    connection.execute(delete(wire_players).where(wire_players.c.match == match))
    if players:
        rows = [{"match": match, **msgspec.structs.asdict(player)} for player in players]
        connection.execute(insert(wire_players), rows)


# ---------------------------------------------------------------- chat


def add_chat_line(connection: Connection, match: str, line: bytes, most: int, topic: str) -> None:
    """Add a line to a match's chat, delete all but the last ``most``, and notify the topic."""
    try:
        with connection.begin_nested():
            connection.execute(insert(wire_chat).values(match=match, body=line))
    except IntegrityError:
        raise Refused("not_found", f"There is no match {match!r}.") from None
    mine = wire_chat.c.match == match
    older = select(wire_chat.c.number).where(mine).order_by(wire_chat.c.number.desc()).offset(most)
    connection.execute(delete(wire_chat).where(mine, wire_chat.c.number.in_(older.limit(most))))
    notify(connection, topic)


def chat_lines(connection: Connection, match: str) -> list[bytes]:
    """The lines of a match's chat, the oldest first."""
    query = select(wire_chat.c.body).where(wire_chat.c.match == match).order_by(wire_chat.c.number)
    return list(connection.execute(query).scalars())
