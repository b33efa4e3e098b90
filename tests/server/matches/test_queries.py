"""Matches in the database: begun once, owned by one node at a time, found by what they are."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, update
from sqlalchemy.event import listens_for

from marchland.messages import MatchCreate, SeatInfo, SeatRequest
from marchland.server.accounts import queries as account_queries
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.store import Database, leases
from marchland.store.migrations.upgrade import upgrade
from marchland.store.schema import matches as table
from tests.support.match_rows import row, started


def expire(match: str) -> Any:
    """The lease as it is when its time is over."""
    return lambda connection: connection.execute(update(table).where(table.c.id == match).values(lease=1.0))


def test_a_match_is_found_as_it_was_made(store: Database) -> None:
    made = row(password=b"salt and hash", config={"teams": 2}, name="Ärger um \N{HONEYBEE}")

    async def scene() -> None:
        await store.write(lambda connection: match_queries.insert_match(connection, made))
        assert await store.read(lambda connection: match_queries.find(connection, made.id)) == made
        assert await store.read(lambda connection: match_queries.find(connection, "nothing")) is None

    asyncio.run(scene())


def test_a_match_begins_once(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        again = await store.write(lambda connection: match_queries.start(connection, match, 9, b"other", []))
        assert again is False
        found = await store.read(lambda connection: match_queries.find(connection, match))
        assert found is not None and (found.state, found.open_turn, len(found.seats)) == ("running", 1, 2)

    asyncio.run(scene())


def test_a_server_that_has_its_database_to_itself_waits_for_no_lease_of_a_dead_one(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        await store.write(partial(cluster_queries.claim, match=match, node="dead", lease=60))
        await store.write(partial(leases.acquire, name="scheduler", node="dead", seconds=60))
        await store.write(cluster_queries.release_all)
        assert await store.write(partial(cluster_queries.claim, match=match, node="alive", lease=60)) is not None
        assert await store.write(partial(leases.acquire, name="scheduler", node="alive", seconds=60))

    asyncio.run(scene())


def test_a_match_belongs_to_one_node_until_its_lease_is_over(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        assert await store.read(lambda connection: cluster_queries.list_claimable(connection, "a")) == [match]
        assert await store.write(lambda connection: cluster_queries.claim(connection, match, "a", 60)) == 1
        assert await store.write(lambda connection: cluster_queries.claim(connection, match, "b", 60)) is None
        assert await store.read(lambda connection: cluster_queries.list_claimable(connection, "b")) == []
        await store.write(expire(match))
        assert await store.read(lambda connection: cluster_queries.list_claimable(connection, "b")) == [match]
        assert await store.write(lambda connection: cluster_queries.claim(connection, match, "b", 60)) == 2
        assert await store.write(lambda connection: cluster_queries.renew(connection, "a", 60)) == set()
        assert await store.write(lambda connection: cluster_queries.claim(connection, match, "a", 60)) is None

    asyncio.run(scene())


def test_renewing_holds_on_to_everything_that_runs(store: Database) -> None:
    async def scene() -> None:
        first, second, ended = [await started(store) for _ in range(3)]
        for match in (first, second, ended):
            await store.write(partial(cluster_queries.claim, match=match, node="a", lease=60))
        await store.write(expire(first))
        await store.write(lambda connection: cluster_queries.mark_broken(connection, ended, "a"))
        assert await store.write(lambda connection: cluster_queries.renew(connection, "a", 60)) == {first, second}
        assert await store.write(lambda connection: cluster_queries.claim(connection, first, "b", 60)) is None

    asyncio.run(scene())


def test_what_is_let_go_can_be_taken_at_once(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        await store.write(lambda connection: cluster_queries.claim(connection, match, "a", 60))
        await store.write(lambda connection: cluster_queries.release(connection, "a"))
        assert await store.write(lambda connection: cluster_queries.claim(connection, match, "b", 60)) == 2

    asyncio.run(scene())


def test_only_a_running_match_can_be_claimed(store: Database) -> None:
    made = row()

    async def scene() -> None:
        await store.write(lambda connection: match_queries.insert_match(connection, made))
        assert await store.write(lambda connection: cluster_queries.claim(connection, made.id, "a", 60)) is None
        assert await store.read(lambda connection: cluster_queries.list_claimable(connection, "a")) == []

    asyncio.run(scene())


def test_matches_are_listed_newest_first_by_what_they_are(store: Database) -> None:
    old = row(created=1.0, game="hive")
    young = row(created=3.0, room="demo")
    middle = row(created=2.0)

    async def scene() -> None:
        for made in (old, young, middle):
            await store.write(partial(match_queries.insert_match, row=made))

        async def ids(**wanted: Any) -> list[str]:
            found = await store.read(lambda connection: match_queries.list_matches(connection, **wanted))
            return [one.id for one in found]

        assert await ids() == [young.id, middle.id, old.id]
        assert await ids(game="hive") == [old.id]
        assert await ids(room="demo") == [young.id]
        assert await ids(before=3.0, limit=1) == [middle.id]
        assert await ids(state="over") == []

    asyncio.run(scene())


def test_a_list_does_without_maps_which_may_be_large(store: Database) -> None:
    request = MatchCreate("enova", [SeatRequest()] * 2, map="0..1\n")
    made = row(request=request)

    async def scene() -> None:
        await store.write(partial(match_queries.insert_match, row=made))
        found = await store.read(partial(match_queries.find, match=made.id))
        assert found is not None and found.request == request
        (listed,) = await store.read(match_queries.list_matches)
        assert listed.request.map is None
        await store.write(partial(match_queries.save_request, match=made.id, request=request))
        assert (await store.read(partial(match_queries.find, match=made.id))) == found

    asyncio.run(scene())


def test_seats_are_replaced_as_a_whole(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        sitting = [SeatInfo(0, "human", "eve"), SeatInfo(1, "empty"), SeatInfo(2, "builtin", "greedy", None, "greedy")]
        await store.write(lambda connection: match_queries.save_seats(connection, match, sitting))
        found = await store.read(lambda connection: match_queries.find(connection, match))
        assert found is not None and found.seats == sitting

    asyncio.run(scene())


def test_nothing_is_left_of_a_match_that_is_removed(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        await store.write(lambda connection: match_queries.delete_match(connection, match))
        assert await store.read(lambda connection: match_queries.find(connection, match)) is None
        assert await store.read(lambda connection: match_queries.load(connection, match)) is None

    asyncio.run(scene())


def test_only_the_owner_of_a_match_breaks_it_off(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        await store.write(partial(cluster_queries.claim, match=match, node="a", lease=60))
        for node, state in (("b", "running"), ("a", "broken")):
            await store.write(partial(cluster_queries.mark_broken, match=match, node=node))
            row = await store.read(partial(match_queries.find, match=match))
            assert row is not None and row.state == state

    asyncio.run(scene())


def test_matches_are_found_by_player_and_date_page_by_page(store: Database) -> None:
    def found(connection: Any, **wanted: Any) -> list[float]:
        return [match.created for match in match_queries.list_matches(connection, **wanted)]

    async def scene() -> None:
        anna = await store.write(partial(account_queries.create, name="Anna B"))
        for day in range(1, 7):
            seated = [SeatInfo(0, "human", "Anna B", anna.id if day % 2 else None)]
            await store.write(partial(match_queries.insert_match, row=row(created=float(day), seats=seated)))
        assert await store.read(partial(found, player="anna b")) == [5.0, 3.0, 1.0]
        assert await store.read(partial(found, player="anna")) == []
        assert await store.read(partial(found, since=2.0, before=5.0)) == [4.0, 3.0, 2.0]
        assert await store.read(partial(found, player="ANNA B", before=5.0, limit=1)) == [3.0]

    asyncio.run(scene())


def test_a_search_by_player_and_game_reads_indexes_alone(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/server.db")
    upgrade(engine)
    plans: list[str] = []

    @listens_for(engine, "before_cursor_execute", retval=True)
    def explain(connection: Any, cursor: Any, statement: str, parameters: Any, *more: Any) -> tuple[str, Any]:
        plans.append(str(cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()))
        return statement, parameters

    with engine.connect() as connection:
        match_queries.list_matches(connection, state="over", player="Anna", unlisted=True)
        match_queries.list_matches(connection, state="over", game="hive", unlisted=True)
    engine.dispose()
    assert "ix_seats_account" in plans[0] and "ix_accounts_skeleton" in plans[0]
    assert any("ix_matches_state_game_created" in plan for plan in plans[1:])
    assert not any("SCAN matches" in plan for plan in plans)
