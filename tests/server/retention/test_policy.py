"""What the policy deletes, and what it spares. On SQLite and PostgreSQL."""

import asyncio
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from marchland.messages import MatchCreate, RoomCreate, SeatInfo, SeatRequest
from marchland.server.matches import queries as match_queries
from marchland.server.retention import queries
from marchland.server.retention.service import RetentionService
from marchland.server.rooms import queries as room_queries
from marchland.server.settings import Settings
from marchland.store import Database
from marchland.store.schema import matches, posts, rooms
from tests.support.growth import file_bytes
from tests.support.match_rows import row

DAY = 86_400.0
NOW = 1_900_000_000.0
BOTS = [SeatInfo(0, "builtin", "greedy", bot="greedy"), SeatInfo(1, "builtin", "random", bot="random")]
PEOPLE = [SeatInfo(0, "human", "ann"), SeatInfo(1, "builtin", "random", bot="random")]


def settings(**more: Any) -> Settings:
    return Settings(db="", **more)


def add(connection: Connection, days: float, *, state: str = "broken", **more: Any) -> str:
    """A match that ended so many days ago; broken, so that nothing has to be replayed."""
    made = row(created=NOW - days * DAY - 60, **{"seats": BOTS, **more})
    match_queries.insert_match(connection, made)
    ended = None if state in ("lobby", "running") else NOW - days * DAY
    connection.execute(update(matches).where(matches.c.id == made.id).values(state=state, ended=ended))
    return made.id


def open_room(connection: Connection, name: str, keep: int | None = None) -> None:
    room_queries.insert_room(connection, RoomCreate(name, MatchCreate("colorfight", [SeatRequest()]), keep=keep))


def expired(store: Database, **more: Any) -> set[str]:
    found = store.read_now(lambda connection: queries.list_expired(connection, settings(**more), NOW))
    return {one.match for one in found}


def write(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def test_a_room_keeps_its_last_matches(store: Database) -> None:
    def work(connection: Connection) -> list[str]:
        open_room(connection, "den")
        return [add(connection, days, room="den") for days in range(6)]

    made = write(store, work)
    assert expired(store, room_matches=4, days_without_people=1.0) == set(made[4:])


def test_a_room_keeps_twenty_matches_by_default(store: Database) -> None:
    def work(connection: Connection) -> list[str]:
        open_room(connection, "den")
        return [add(connection, days, room="den") for days in range(22)]

    made = write(store, work)
    assert expired(store) == set(made[20:])


def test_a_limit_of_the_server_spares_matches_with_people(store: Database) -> None:
    def work(connection: Connection) -> list[str]:
        open_room(connection, "den")
        return [add(connection, days, room="den", seats=PEOPLE if days < 3 else BOTS) for days in range(6)]

    made = write(store, work)
    assert expired(store, room_matches=1) == set(made[4:])


def test_a_limit_of_the_room_counts_all_its_matches(store: Database) -> None:
    def work(connection: Connection) -> list[str]:
        open_room(connection, "den", keep=2)
        return [add(connection, days, room="den", seats=PEOPLE if days % 2 else BOTS) for days in range(5)]

    made = write(store, work)
    assert expired(store, room_matches=100, days_with_people=0.1) == set(made[2:])


def test_the_match_that_a_room_shows_stays(store: Database) -> None:
    def work(connection: Connection) -> str:
        open_room(connection, "den", keep=0)
        shown = add(connection, 9, room="den")
        connection.execute(update(rooms).values(match=shown))
        return shown

    write(store, work)
    assert expired(store) == set()


def test_matches_without_people_stay_some_days(store: Database) -> None:
    old, _, _ = write(
        store, lambda connection: (add(connection, 31), add(connection, 29), add(connection, 31, seats=PEOPLE))
    )
    assert expired(store) == {old}
    assert expired(store, days_without_people=None) == set()


def test_matches_with_people_stay_unless_an_organiser_says_otherwise(store: Database) -> None:
    old = write(store, lambda connection: add(connection, 4_000, seats=PEOPLE))
    assert expired(store) == set()
    assert expired(store, days_with_people=100.0) == {old}


def test_matches_of_rounds_and_seasons_stay(store: Database) -> None:
    def work(connection: Connection) -> None:
        for slot in ("round/a", "season/b"):
            add(connection, 4_000, room=slot, seats=PEOPLE)
            add(connection, 4_000, room=slot)

    write(store, work)
    assert expired(store, room_matches=0, days_with_people=1.0) == set()


def test_matches_that_are_not_over_stay(store: Database) -> None:
    write(store, lambda connection: [add(connection, 99, state=state) for state in ("lobby", "running")])
    assert expired(store) == set()


def test_the_origin_of_a_match_that_is_still_played_stays(store: Database) -> None:
    def work(connection: Connection) -> tuple[str, str]:
        origin = add(connection, 99)
        return origin, add(connection, 98, state="running", forked_from=origin)

    origin, fork = write(store, work)
    assert expired(store) == set()
    assert not write(store, lambda connection: queries.mark(connection, origin, "deleting"))
    write(store, lambda connection: connection.execute(update(matches).values(state="broken", ended=NOW - 98 * DAY)))
    assert expired(store) == {origin, fork}


def test_a_deleted_match_leaves_no_row_and_its_fork_its_origin(store: Database) -> None:
    def work(connection: Connection) -> list[str]:
        hidden = add(connection, 99, state="running", seats=PEOPLE)
        between = add(connection, 90, forked_from=hidden)
        last = add(connection, 1, forked_from=between)
        values = {"match": between, "seat": 0, "orders": b"[]", "size": 0, "ready": True, "received": 0.0, "turn": 1}
        connection.execute(insert(posts), [{**values, "key": str(key), "number": key} for key in range(2_500)])
        return [hidden, between, last]

    async def scene() -> None:
        hidden, between, last = await store.write(work)
        done = await RetentionService(store, settings()).apply(NOW)
        assert done.deleted == 1
        found = await store.read(lambda connection: match_queries.find_several(connection, [hidden, between, last]))
        assert {one.id: one.forked_from for one in found} == {hidden: None, last: hidden}
        assert await store.read(lambda connection: connection.execute(select(posts)).first()) is None

    asyncio.run(scene())


def test_the_space_of_a_deleted_match_is_returned(tmp_path: Path) -> None:
    def work(connection: Connection) -> None:
        match = add(connection, 99)
        values = {"match": match, "seat": 0, "orders": bytes(1_000), "size": 0, "ready": True, "received": 0.0}
        rows = [{**values, "turn": 1, "key": str(key), "number": key} for key in range(5_000)]
        connection.execute(insert(posts), rows)

    async def scene(store: Database) -> None:
        empty = file_bytes(store)
        await store.write(work)
        assert file_bytes(store) > empty + 5_000_000
        await RetentionService(store, settings()).apply(NOW)
        assert file_bytes(store) < empty + 50_000

    with Database(str(tmp_path / "march.db")) as store:
        asyncio.run(scene(store))


def test_a_match_with_readers_is_not_deleted_under_them(store: Database) -> None:
    async def scene() -> None:
        read, unread = await store.write(lambda connection: (add(connection, 99), add(connection, 99)))
        deleted: list[str] = []
        service = RetentionService(store, settings(), is_read=lambda match: match == read, on_deleted=deleted.append)
        await service.apply(NOW)
        assert deleted == [unread]

    asyncio.run(scene())


def test_one_pass_of_the_background_task_is_bounded(store: Database) -> None:
    async def scene() -> None:
        await store.write(lambda connection: [add(connection, 99) for _ in range(30)])
        service = RetentionService(store, settings())
        service._next_pass = time.monotonic()
        await service.tick(NOW)
        assert len(await store.read(lambda connection: match_queries.list_matches(connection))) == 10

    asyncio.run(scene())
