"""The guarantees of the match log: acknowledged posts are durable, closed turns stay closed, only the owner writes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from marchland.errors import OwnershipLost
from marchland.match import Closing, TooEarly, TooLate
from marchland.match.log import BOT_KEY
from marchland.messages import Standing
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.store import Database, SqlMatchLog
from marchland.store.match_log import entries_from, insert_post
from marchland.store.snapshots import CHUNK_BYTES, insert_chunk, latest, split
from tests.support.match_rows import FIRST_STATE, entry, outcome, post, started
from tests.support.postgres import Cluster


async def owned(store: Database, node: str = "a", match: str = "") -> SqlMatchLog:
    match = match or await started(store)
    epoch = await store.write(lambda connection: cluster_queries.claim(connection, match, node, 60))
    return SqlMatchLog(store, match, epoch)


def match_of(match_log: SqlMatchLog) -> str:
    return match_log._match


def test_a_repeated_key_gets_the_first_receipt(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        first = await match_log.add_post(post(1, "k", orders=[{"do": "a"}]))
        again = await match_log.add_post(post(1, "k", orders=[{"do": "b"}, {"do": "c"}]))
        assert again == first == await match_log.receipt(0, "k", 1, 1)
        assert [one.orders for one in await match_log.posts(1)] == [[{"do": "a"}]]

    asyncio.run(scene())


def test_a_key_belongs_to_its_seat(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        await match_log.add_post(post(1, "k", seat=0))
        await match_log.add_post(post(1, "k", seat=1))
        assert [one.seat for one in await match_log.posts(1)] == [0, 1]
        assert await match_log.receipt(2, "k", 0, 99) is None

    asyncio.run(scene())


def test_concurrent_posts_of_one_key_are_stored_once(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        receipts = await asyncio.gather(*(match_log.add_post(post(1, "k", orders=[number])) for number in range(50)))
        assert len(set(map(repr, receipts))) == 1
        assert len(await match_log.posts(1)) == 1

    asyncio.run(scene())


def test_a_post_for_a_closed_turn_is_too_late_and_its_repetition_is_not(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        receipt = await match_log.add_post(post(1, "in time"))
        await match_log.close_turn(1, None)
        with pytest.raises(TooLate, match="turn 2 is open"):
            await match_log.add_post(post(1, "late"))
        assert await match_log.add_post(post(1, "in time")) == receipt
        assert await match_log.receipt(0, "late", 0, 99) is None

    asyncio.run(scene())


def test_a_post_for_a_match_that_does_not_run_is_refused(store: Database) -> None:
    async def scene() -> None:
        with pytest.raises(TooLate):
            await insert_post(store, "nowhere", post(1, "k"))

    asyncio.run(scene())


def test_closing_fixes_the_list_in_the_order_of_arrival(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        for number in range(20):
            await match_log.add_post(post(1, f"k{number}", seat=number % 2))
        fixed = await match_log.close_turn(1, 123.0)
        assert [one.key for one in fixed] == [f"k{number}" for number in range(20)]
        await match_log.add_post(post(2, "next"))
        assert await match_log.posts(1) == fixed
        row = await store.read(lambda connection: match_queries.find(connection, match_of(match_log)))
        assert row is not None and (row.open_turn, row.closes) == (2, 123.0)

    asyncio.run(scene())


def test_a_turn_is_closed_once(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        await match_log.close_turn(1, None)
        with pytest.raises(OwnershipLost):
            await match_log.close_turn(1, None)

    asyncio.run(scene())


def test_a_log_knows_all_posts_of_a_turn_after_it_has_closed_the_one_before(tmp_path: Path) -> None:
    async def scene(store: Database) -> None:
        match_log = await owned(store)
        assert match_log.known_posts(1) is None
        await match_log.close_turn(1, None)
        posting = [asyncio.ensure_future(match_log.add_post(post(2, f"k{number % 3}"))) for number in range(6)]
        await asyncio.sleep(0)  # queued, not written
        known = match_log.known_posts(2)
        assert known is not None and [one.key for one in known] == ["k0", "k1", "k2"]
        await asyncio.gather(*posting)
        await match_log.append(entry(0, 2), closing=Closing(known, 5.0))
        assert await match_log.posts(2) == known and match_log.known_posts(3) == []
        row = await store.read(lambda connection: match_queries.find(connection, match_of(match_log)))
        assert row is not None and (row.open_turn, row.closes, row.entries) == (3, 5.0, 1)

    with Database(str(tmp_path / "m.db")) as store:
        asyncio.run(scene(store))


def test_a_shared_database_may_have_posts_that_the_log_does_not_know(cluster: Cluster) -> None:
    async def scene(store: Database) -> None:
        match_log = await owned(store)
        await match_log.close_turn(1, None)
        assert match_log.known_posts(2) is None

    with Database(cluster.new_database()) as store:
        asyncio.run(scene(store))


def test_posts_for_the_next_turn_are_acknowledged_after_the_entry_that_closes_this_one(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        appending = asyncio.ensure_future(match_log.append(entry(0, 1), closing=Closing([], None)))
        await asyncio.sleep(0)
        assert (await match_log.add_post(post(2, "next"))).turn == 2
        await appending

    asyncio.run(scene())


def test_an_entry_that_closes_a_turn_is_refused_if_the_log_has_other_posts(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        await insert_post(store, match_of(match_log), post(1, "unknown"))
        with pytest.raises(OwnershipLost):
            await match_log.append(entry(0, 1), closing=Closing([], None))
        row = await store.read(lambda connection: match_queries.find(connection, match_of(match_log)))
        assert row is not None and (row.open_turn, row.entries) == (1, 0)

    asyncio.run(scene())


def test_a_post_for_a_turn_that_the_log_has_not_opened_is_too_early(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        with pytest.raises(TooEarly, match="Turn 2 is not open yet; turn 1 is"):
            await match_log.add_post(post(2, "k"))
        assert match_log.known_posts(2) is None

    asyncio.run(scene())


def test_bots_orders_come_before_the_posts_and_go_with_the_entry(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        await match_log.add_post(post(1, "k", seat=0))
        bots = [post(1, BOT_KEY, seat=1, orders=[1])]
        closed = await match_log.close_turn(1, None, bots)
        assert [one.seat for one in closed] == [1, 0]
        assert await match_log.posts(1) == closed
        await match_log.append(entry(0, 1))
        assert [one.seat for one in await match_log.posts(1)] == [0]

    asyncio.run(scene())


def test_a_former_owner_cannot_write(store: Database) -> None:
    async def scene() -> None:
        old = await owned(store)
        match = match_of(old)
        await old.append(entry(0, 1))
        await store.write(lambda connection: cluster_queries.release(connection, "a"))
        new = await owned(store, "b", match)
        with pytest.raises(OwnershipLost):
            await old.close_turn(1, None)
        with pytest.raises(OwnershipLost):
            await old.append(entry(1, 1, late=(True, True)))
        assert await store.read(lambda connection: len(entries_from(connection, match, 0))) == 1
        row = await store.read(lambda connection: match_queries.find(connection, match))
        assert row is not None and (row.entries, row.open_turn) == (1, 1)
        assert [seat.missed for seat in row.seats] == [0, 0]
        await new.append(entry(1, 1))

    asyncio.run(scene())


def test_an_entry_is_stored_once(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        await match_log.append(entry(0, 1))
        with pytest.raises(OwnershipLost):
            await match_log.append(entry(0, 1))

    asyncio.run(scene())


def test_the_answer_to_an_action_is_found_by_its_key(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        await match_log.append(entry(0, 1, seat=1, key="act", answer=b"done"))
        assert await match_log.answer(1, "act") == b"done"
        assert await match_log.answer(0, "act") is None

    asyncio.run(scene())


def test_late_seats_are_counted(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        await match_log.append(entry(0, 1, late=(True, False)))
        await match_log.append(entry(1, 2, late=(True, True)))
        row = await store.read(lambda connection: match_queries.find(connection, match_of(match_log)))
        assert row is not None and [seat.missed for seat in row.seats] == [2, 1]

    asyncio.run(scene())


def test_the_last_entry_ends_the_match_with_its_results(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        ended = outcome(Standing(1, "bob", 1, {"cells": 9}), Standing(0, "ann", 2, {"cells": 3}))
        await match_log.append(entry(0, 1, outcome=ended))
        row = await store.read(lambda connection: match_queries.find(connection, match_of(match_log)))
        assert row is not None and (row.state, row.outcome) == ("over", ended)
        with pytest.raises(TooLate):
            await match_log.add_post(post(1, "k"))

    asyncio.run(scene())


def test_a_match_is_taken_up_from_its_last_whole_state(store: Database) -> None:
    async def scene() -> None:
        match_log = await owned(store)
        match = match_of(match_log)
        large = bytes(range(256)) * (3 * CHUNK_BYTES // 256 + 7)
        for number in range(3):
            await match_log.append(entry(number, number + 1), large if number == 1 else None)
        while (taken := await store.read(lambda connection: match_queries.load(connection, match))) is not None:
            if taken.state.number == 2:  # the pieces follow in their own time
                break
        assert taken is not None
        assert (taken.state.turn, taken.state.data) == (3, large)
        assert [one.index for one in taken.entries] == [2]
        first = await store.read(lambda connection: latest(connection, match, turn=2))
        assert first is not None and first.data == FIRST_STATE

    asyncio.run(scene())


def test_a_state_that_lacks_a_piece_is_not_used(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        pieces = split(match, 5, 6, b"x" * (2 * CHUNK_BYTES + 1))
        assert len(pieces) == 3

        def found(connection: Any) -> bytes | None:
            state = latest(connection, match)
            return state and state.data

        for piece in (pieces[2], pieces[0]):
            await store.write(insert_chunk(piece))
            assert await store.read(found) == FIRST_STATE
        await store.write(insert_chunk(pieces[1]))
        assert await store.read(found) == b"x" * (2 * CHUNK_BYTES + 1)

    asyncio.run(scene())
