"""SQL of saved maps."""

import asyncio
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import MapCreate, MapInfo, MapUpdate, MatchCreate, RoomCreate, RoundCreate, SeatRequest
from marchland.server.accounts import queries as account_queries
from marchland.server.maps import queries as map_queries
from marchland.server.rooms import queries as room_queries
from marchland.server.rounds import queries as round_queries
from marchland.store import Database

ISLAND = "0..1\n"


def written(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def read(store: Database, work: Any) -> Any:
    return asyncio.run(store.read(work))


def insert_island(connection: Connection, name: str = "island", game: str = "enova") -> MapInfo:
    author = account_queries.create(connection, f"ann of {game} {name}").id
    return map_queries.insert_map(connection, MapCreate(game, name, ISLAND), author)


def test_a_map_is_stored_with_its_author_and_times(store: Database) -> None:
    made = written(store, insert_island)
    assert read(store, map_queries.list_maps) == [made]
    assert made.author == "ann of enova island" and made.created == made.changed
    assert read(store, partial(map_queries.load_content, id=made.id)) == ISLAND


def test_a_game_has_one_map_of_a_name(store: Database) -> None:
    written(store, insert_island)
    other = written(store, partial(insert_island, game="hive"))
    with pytest.raises(Refused, match="a map 'island' of enova already"):
        written(store, lambda connection: map_queries.insert_map(connection, MapCreate("enova", "island", "0\n"), ""))
    assert read(store, partial(map_queries.list_maps, game="hive")) == [other]


def test_a_map_changes_its_content_and_name(store: Database) -> None:
    made, other = written(store, insert_island), written(store, partial(insert_island, name="other"))
    changed = written(store, partial(map_queries.update_map, id=made.id, change=MapUpdate("coast", {"a": [1]})))
    assert (changed.name, changed.created) == ("coast", made.created) and changed.changed >= made.changed
    assert read(store, partial(map_queries.load_content, id=made.id)) == {"a": [1]}
    with pytest.raises(Refused, match="'other' of enova already"):
        written(store, partial(map_queries.update_map, id=made.id, change=MapUpdate(other.name, "")))


def test_a_map_outlives_the_account_of_its_author(store: Database) -> None:
    made = written(store, insert_island)
    written(store, lambda connection: connection.exec_driver_sql("DELETE FROM accounts"))
    assert read(store, partial(map_queries.find_map, id=made.id)).author is None


def test_a_map_that_is_gone_is_not_found(store: Database) -> None:
    made = written(store, insert_island)
    written(store, partial(map_queries.delete_map, id=made.id))
    for look in (map_queries.find_map, map_queries.load_content):
        with pytest.raises(Refused, match="no map"):
            read(store, partial(look, id=made.id))


def test_rooms_and_rounds_that_play_on_a_map_are_known(store: Database) -> None:
    made = written(store, insert_island)
    on = MatchCreate("enova", [SeatRequest()], map={"kept": made.id})
    off = MatchCreate("enova", [SeatRequest()])

    def plan(connection: Connection) -> None:
        room_queries.insert_room(connection, RoomCreate("den", on))
        room_queries.insert_room(connection, RoomCreate("elsewhere", off))
        round_queries.insert_round(connection, RoundCreate("cup", off, 1e10, maps=("torus", {"kept": made.id})))

    written(store, plan)
    users = read(store, partial(map_queries.uses_of, id=made.id))
    assert [(user.kind, user.name) for user in users] == [("room", "den"), ("round", "cup")]
