"""Queries of the wires: rooms, games, players and chat."""

import asyncio
from functools import partial
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.server.matches import queries as match_queries
from marchland.server.matches.slot_queries import orphaned_matches
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.queries import WirePlayer, WireRoom
from marchland.store import Database
from tests.support.match_rows import row

ROOM = WireRoom("colorfight", "den", b"{}", b"admin", None, None, None)


def _do(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def _insert_match(store: Database, **more: Any) -> str:
    """A match that waits for players; its id."""
    made = row(**more)
    _do(store, partial(match_queries.insert_match, row=made))
    return made.id


def _den(connection: Connection) -> WireRoom:
    found = wire_queries.find_room(connection, "colorfight", "den")
    assert found is not None
    return found


def test_a_rooms_match_is_replaced_once(store: Database) -> None:
    _do(store, partial(wire_queries.insert_room, room=ROOM))
    before = store.read_now(_den)
    assert _do(store, lambda connection: wire_queries.replace_match(connection, before, "one", b"[]"))
    assert not _do(store, lambda connection: wire_queries.replace_match(connection, before, "two", b"[]"))
    assert (store.read_now(_den).match, store.read_now(_den).body) == ("one", b"[]")


def test_a_rooms_name_is_taken_once_on_each_wire(store: Database) -> None:
    _do(store, partial(wire_queries.insert_room, room=ROOM))
    with pytest.raises(Refused):
        _do(store, partial(wire_queries.insert_room, room=ROOM))
    _do(store, partial(wire_queries.insert_room, room=msgspec.structs.replace(ROOM, wire="other")))
    assert [room.name for room in store.read_now(partial(wire_queries.list_rooms, wire="colorfight"))] == ["den"]


def test_a_match_that_waits_in_a_room_is_no_orphan(store: Database) -> None:
    waiting, forgotten = _insert_match(store, room="colorfight den"), _insert_match(store, room="colorfight den")
    _do(store, partial(wire_queries.insert_room, room=msgspec.structs.replace(ROOM, match=waiting)))
    found = store.read_now(lambda connection: orphaned_matches(connection, before=2e12))
    assert (waiting in found, forgotten in found) == (False, True)


def test_games_that_wait_for_players_are_found_by_their_age(store: Database) -> None:
    old, young = _insert_match(store, created=1000.0), _insert_match(store, created=2000.0)
    for match, name in ((old, "old"), (young, "young")):
        _do(
            store,
            lambda connection, match=match, name=name: wire_queries.insert_game(connection, match, "hive", name, b"s"),
        )
    assert store.read_now(lambda connection: wire_queries.list_unfilled_games(connection, "hive", 1500.0)) == [old]
    assert store.read_now(lambda connection: wire_queries.count_unfinished_games(connection, "hive")) == 2
    assert store.read_now(partial(wire_queries.list_games, wire="hive")) == [("young", young), ("old", old)]


def test_players_are_deleted_with_their_match(store: Database) -> None:
    match = _insert_match(store)
    _do(store, lambda connection: wire_queries.insert_game(connection, match, "hive", "a-b-c-1", b"s"))
    for seat in (0, 1):
        _do(store, partial(wire_queries.save_player, match=match, player=WirePlayer(seat, seat + 1, b"x")))
    _do(store, partial(wire_queries.delete_player, match=match, seat=0))
    _do(store, partial(wire_queries.replace_players, match=match, players=[WirePlayer(0, 2, b"x")]))
    assert store.read_now(partial(wire_queries.list_players, match=match)) == [WirePlayer(0, 2, b"x")]
    _do(store, partial(match_queries.delete_match, match=match))
    assert store.read_now(partial(wire_queries.list_players, match=match)) == []
    assert store.read_now(lambda connection: wire_queries.find_game(connection, "hive", "a-b-c-1")) is None


def test_the_last_lines_of_a_chat_are_stored_until_the_match_is_deleted(store: Database) -> None:
    here, elsewhere = _insert_match(store), _insert_match(store)
    for number in range(7):
        for match in (here, elsewhere):
            _do(
                store,
                partial(
                    wire_queries.add_chat_line, match=match, line=f"{match} {number}".encode(), most=3, topic="den"
                ),
            )
    lines = store.read_now(partial(wire_queries.chat_lines, match=here))
    assert lines == [f"{here} {number}".encode() for number in (4, 5, 6)]
    _do(store, partial(match_queries.delete_match, match=here))
    assert store.read_now(partial(wire_queries.chat_lines, match=here)) == []
    assert len(store.read_now(partial(wire_queries.chat_lines, match=elsewhere))) == 3
    with pytest.raises(Refused):
        _do(store, partial(wire_queries.add_chat_line, match=here, line=b"late", most=3, topic="den"))
