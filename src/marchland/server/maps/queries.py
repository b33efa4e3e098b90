"""SQL of saved maps."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import MapCreate, MapInfo, MapUpdate, MatchCreate, RoundCreate
from marchland.server.names import check_distinct
from marchland.store.ids import new_id
from marchland.store.schema import accounts, maps, rooms, rounds, season_games


class MapUse(NamedTuple):
    """A room, a round or a season's game that plans matches on a saved map."""

    kind: Literal["room", "round", "season's game"]
    name: str
    template: MatchCreate


def insert_map(connection: Connection, new: MapCreate, author: str) -> MapInfo:
    """A new map; refused if its game has one of that name."""
    map_id, now = new_id(), time.time()
    values = {"id": map_id, "game": new.game, "name": new.name, "author": author, "created": now, "changed": now}
    with _unique_name(connection, new.game, new.name):
        connection.execute(insert(maps).values(data=msgspec.json.encode(new.data), **values))
    return find_map(connection, map_id)


def update_map(connection: Connection, id: str, change: MapUpdate) -> MapInfo:
    """Change the name and the content of a map."""
    before = find_map(connection, id)
    with _unique_name(connection, before.game, change.name, id):
        connection.execute(
            update(maps)
            .where(maps.c.id == id)
            .values(name=change.name, data=msgspec.json.encode(change.data), changed=time.time())
        )
    return find_map(connection, id)


def delete_map(connection: Connection, id: str) -> None:
    """Delete a map; matches on it have their own copy."""
    connection.execute(delete(maps).where(maps.c.id == id))


def find_map(connection: Connection, id: str) -> MapInfo:
    """One map; refused if there is none."""
    row = connection.execute(_select_infos().where(maps.c.id == id)).first()
    if row is None:
        raise Refused("not_found", "no_such_map", map=id)
    return _info(row)


def find_by_name(connection: Connection, game: str, name: str) -> MapInfo | None:
    """The map of a game with that name, or that id."""
    query = _select_infos().where(maps.c.game == game, or_(maps.c.name == name, maps.c.id == name))
    row = connection.execute(query.order_by(maps.c.name != name)).first()
    return None if row is None else _info(row)


def list_maps(connection: Connection, game: str | None = None) -> list[MapInfo]:
    """All maps, or those of one game, by name."""
    query = _select_infos().order_by(maps.c.game, maps.c.name)
    return [_info(row) for row in connection.execute(query if game is None else query.where(maps.c.game == game))]


def load_content(connection: Connection, id: str) -> Any:
    """The content of a map, in its game's own format; refused if there is none."""
    data = connection.execute(select(maps.c.data).where(maps.c.id == id)).scalar_one_or_none()
    if data is None:
        raise Refused("not_found", "no_such_map", map=id)
    return msgspec.json.decode(data)


def uses_of(connection: Connection, id: str) -> list[MapUse]:
    """The open rooms, open rounds and season games without a match that will play on the map."""
    return [use for use in _list_planned(connection) if use.template.map == {"kept": id}]


def _list_planned(connection: Connection) -> Iterator[MapUse]:
    for row in connection.execute(select(rooms.c.name, rooms.c.template).where(rooms.c.open)):
        yield MapUse("room", row.name, msgspec.json.decode(row.template, type=MatchCreate))
    for row in connection.execute(select(rounds.c.name, rounds.c.body).where(rounds.c.open)):
        request = msgspec.json.decode(row.body, type=RoundCreate)
        for map_ in request.maps or (request.template.map,):
            yield MapUse("round", row.name, msgspec.structs.replace(request.template, map=map_))
    for row in connection.execute(
        select(season_games.c.name, season_games.c.template).where(season_games.c.match.is_(None))
    ):
        yield MapUse("season's game", row.name, msgspec.json.decode(row.template, type=MatchCreate))


@contextlib.contextmanager
def _unique_name(connection: Connection, game: str, name: str, id: str = "") -> Iterator[None]:
    """Refuse a name that another map of the game has."""
    others = select(maps.c.name).where(maps.c.game == game, maps.c.id != id, maps.c.name != name)
    check_distinct(name, connection.execute(others).scalars().all(), f"map of {game}")
    try:
        with connection.begin_nested():
            yield
    except IntegrityError:
        raise Refused("name_taken", "map_name_taken", name=name, game=game) from None


def _select_infos() -> Any:
    columns = (maps.c.id, maps.c.game, maps.c.name, accounts.c.name.label("author"), maps.c.created, maps.c.changed)
    return select(*columns).join(accounts, accounts.c.id == maps.c.author, isouter=True)


def _info(row: Row[Any]) -> MapInfo:
    return MapInfo(row.id, row.game, row.name, "kept", row.author, row.created, row.changed)
