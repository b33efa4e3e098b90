"""Maps in the database."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import MapCreate, MapInfo, MapUpdate, MatchCreate, RoundCreate
from marchland.store.ids import new_id
from marchland.store.schema import accounts, maps, rooms, rounds, season_games


class User(NamedTuple):
    """What will play on a kept map, and how."""

    kind: Literal["room", "round", "season's game"]
    name: str
    template: MatchCreate


def create(connection: Connection, new: MapCreate, author: str) -> MapInfo:
    """A new map; refused if its game has one of that name."""
    made, now = new_id(), time.time()
    values = {"id": made, "game": new.game, "name": new.name, "author": author, "created": now, "changed": now}
    with _one_of_a_name(connection, new.game, new.name):
        connection.execute(insert(maps).values(data=msgspec.json.encode(new.data), **values))
    return find(connection, made)


def change(connection: Connection, id: str, changed: MapUpdate) -> MapInfo:
    """Give a map another name or content."""
    before = find(connection, id)
    with _one_of_a_name(connection, before.game, changed.name):
        connection.execute(
            update(maps)
            .where(maps.c.id == id)
            .values(name=changed.name, data=msgspec.json.encode(changed.data), changed=time.time())
        )
    return find(connection, id)


def remove(connection: Connection, id: str) -> None:
    """Forget a map; matches on it have their own copy."""
    connection.execute(delete(maps).where(maps.c.id == id))


def find(connection: Connection, id: str) -> MapInfo:
    """One map; refused if there is none."""
    row = connection.execute(_listing().where(maps.c.id == id)).first()
    if row is None:
        raise Refused("not_found", f"There is no map {id!r}.")
    return _info(row)


def listed(connection: Connection, game: str | None = None) -> list[MapInfo]:
    """All maps, or those of one game, by name."""
    query = _listing().order_by(maps.c.game, maps.c.name)
    return [_info(row) for row in connection.execute(query if game is None else query.where(maps.c.game == game))]


def content(connection: Connection, id: str) -> Any:
    """What a map holds, in its game's own form; refused if there is none."""
    data = connection.execute(select(maps.c.data).where(maps.c.id == id)).scalar_one_or_none()
    if data is None:
        raise Refused("not_found", f"There is no map {id!r}.")
    return msgspec.json.decode(data)


def users(connection: Connection, id: str) -> list[User]:
    """What is open and will play on the map: rooms, rounds, games of seasons that have not begun."""
    return [user for user in _planned(connection) if user.template.map == {"kept": id}]


def _planned(connection: Connection) -> Iterator[User]:
    for row in connection.execute(select(rooms.c.name, rooms.c.template).where(rooms.c.open)):
        yield User("room", row.name, msgspec.json.decode(row.template, type=MatchCreate))
    for row in connection.execute(select(rounds.c.name, rounds.c.body).where(rounds.c.open)):
        wish = msgspec.json.decode(row.body, type=RoundCreate)
        for one in wish.maps or (wish.template.map,):
            yield User("round", row.name, msgspec.structs.replace(wish.template, map=one))
    for row in connection.execute(
        select(season_games.c.name, season_games.c.template).where(season_games.c.match.is_(None))
    ):
        yield User("season's game", row.name, msgspec.json.decode(row.template, type=MatchCreate))


@contextlib.contextmanager
def _one_of_a_name(connection: Connection, game: str, name: str) -> Iterator[None]:
    """Refuse a name that another map of the game has."""
    try:
        with connection.begin_nested():
            yield
    except IntegrityError:
        raise Refused("name_taken", f"There is a map {name!r} of {game} already.") from None


def _listing() -> Any:
    columns = (maps.c.id, maps.c.game, maps.c.name, accounts.c.name.label("author"), maps.c.created, maps.c.changed)
    return select(*columns).join(accounts, accounts.c.id == maps.c.author, isouter=True)


def _info(row: Row[Any]) -> MapInfo:
    return MapInfo(row.id, row.game, row.name, "kept", row.author, row.created, row.changed)
