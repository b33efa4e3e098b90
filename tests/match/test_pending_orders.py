"""The limit of posts per seat and turn."""

import asyncio
from pathlib import Path

import pytest

import marchland
from marchland.errors import Refused, StorageUnavailable
from marchland.match import Match, MemoryMatchLog, Post
from marchland.messages import Receipt, SeatInfo
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.store import Database, SqlMatchLog
from marchland.store.match_log import entries_from, insert_post
from tests.support.match_rows import post, row

MOST = 3


def match_of(log: MemoryMatchLog | SqlMatchLog | None = None, *, is_replica: bool = False) -> Match:
    game = marchland.new("colorfight", 2, seed=1, config={"width": 8, "height": 8, "max_turn": 20})
    seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(game.players)]
    return Match("m", game, seats, log or MemoryMatchLog(game.turn), posts_per_turn=MOST, is_replica=is_replica)


async def stored_match(store: Database) -> Match:
    match = match_of()
    made = row(id="m", game="colorfight", seats=match.seats)
    await store.write(lambda connection: match_queries.insert_match(connection, made))
    await store.write(lambda connection: match_queries.start(connection, "m", 1, match.game.snapshot(), match.seats))
    epoch = await store.write(lambda connection: cluster_queries.claim(connection, "m", "here", 60))
    return match_of(SqlMatchLog(store, "m", epoch))


async def fill(match: Match, seat: int = 0) -> list[Receipt]:
    return [await match.post(seat, [], f"k{number}", turn=match.open_turn, ready=False) for number in range(MOST)]


async def refused(match: Match, seat: int = 0) -> Refused:
    with pytest.raises(Refused) as problem:
        await match.post(seat, [], "one more", ready=False)
    return problem.value


def test_a_seat_that_has_posted_too_often_is_refused_until_the_next_turn() -> None:
    async def play() -> None:
        match = match_of()
        await fill(match)
        problem = await refused(match)
        assert problem.error == "too_many_posts" and problem.retry == 1
        assert str(problem) == "Seat 0 has posted 3 times for turn 1, which is the most; the next turn takes more."
        await fill(match, seat=1)
        await match.end_turn()
        await fill(match)

    asyncio.run(play())


def test_a_stored_post_still_gets_its_receipt(tmp_path: Path) -> None:
    async def play() -> None:
        with Database(str(tmp_path / "m.db")) as store:
            match = await stored_match(store)
            receipts = await fill(match)
            await refused(match)
            for number, receipt in enumerate(receipts):
                for turn in (1, None):
                    assert await match.post(0, [1, 2], f"k{number}", turn=turn) == receipt
            assert len(await store.read(lambda connection: cluster_queries.list_ready_seats(connection, ["m"]))) == 0

    asyncio.run(play())


def test_repetitions_do_not_count(tmp_path: Path) -> None:
    async def play() -> None:
        with Database(str(tmp_path / "m.db")) as store:
            match = await stored_match(store)
            for _ in range(5 * MOST):
                await match.post(0, [], "k0", turn=1)
            await fill(match)
            await refused(match)

    asyncio.run(play())


def test_concurrent_posts_are_counted_before_they_are_stored(tmp_path: Path) -> None:
    async def play() -> None:
        with Database(str(tmp_path / "m.db")) as store:
            match = await stored_match(store)
            posting = (match.post(0, [], f"k{number}", turn=1, ready=False) for number in range(50))
            results = await asyncio.gather(*posting, return_exceptions=True)
            assert sum(isinstance(one, Receipt) for one in results) == MOST
            assert sum(isinstance(one, Refused) for one in results) == 50 - MOST

    asyncio.run(play())


def test_a_node_that_shows_another_ones_match_counts_what_it_takes(tmp_path: Path) -> None:
    async def play() -> None:
        with Database(str(tmp_path / "m.db")) as store:
            owner = await stored_match(store)
            follower = match_of(SqlMatchLog(store, "m", -1), is_replica=True)
            receipts = await fill(follower)
            await refused(follower)
            assert await follower.post(0, [], "k0", turn=1) == receipts[0]
            await owner.end_turn()
            for entry in await store.read(lambda connection: entries_from(connection, "m", 0)):
                await follower.apply_entry(entry)
            await fill(follower)

    asyncio.run(play())


def test_a_match_that_is_taken_up_again_knows_who_has_posted_how_often(tmp_path: Path) -> None:
    async def play() -> None:
        with Database(str(tmp_path / "m.db")) as store:
            await stored_match(store)
            for number in range(MOST):
                await insert_post(store, "m", post(1, f"k{number}"))
            match = match_of(SqlMatchLog(store, "m", 1))
            await match.load_posts()
            await refused(match)
            await fill(match, seat=1)

    asyncio.run(play())


def test_a_post_that_could_not_be_stored_does_not_count() -> None:
    class Failing(MemoryMatchLog):
        failures = 2 * MOST

        async def add_post(self, post: Post) -> Receipt:
            self.failures -= 1
            if self.failures >= 0:
                raise StorageUnavailable("The disk is full.")
            return await super().add_post(post)

    async def play() -> None:
        match = match_of(Failing(1))
        for _ in range(2 * MOST):
            with pytest.raises(StorageUnavailable):
                await match.post(0, [], "k0")
        await fill(match)
        await refused(match)

    asyncio.run(play())
