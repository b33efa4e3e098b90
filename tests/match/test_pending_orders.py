"""The limits of posts and orders per seat and turn."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import marchland
from marchland.errors import Refused, StorageUnavailable
from marchland.match import Match, MemoryMatchLog, Post, PostLimits
from marchland.messages import Receipt, SeatInfo
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.store import Database, SqlMatchLog
from marchland.store.match_log import entries_from, insert_post
from tests.support.match_rows import post, row

MOST = 3


def match_of(log: MemoryMatchLog | SqlMatchLog | None = None, name: str = "colorfight", **options: Any) -> Match:
    config = {"width": 8, "height": 8, "max_turn": 20} if name == "colorfight" else None
    game = marchland.new(name, 2, seed=1, config=config)
    seats = [SeatInfo(seat, "bot", player) for seat, player in enumerate(game.players)]
    return Match("m", game, seats, log or MemoryMatchLog(game.turn), **{"post_limits": PostLimits(MOST), **options})


async def stored_match(store: Database, name: str = "colorfight", **options: Any) -> Match:
    match = match_of(None, name)
    made = row(id="m", game=name, seats=match.seats)
    turn = match.open_turn
    await store.write(lambda connection: match_queries.insert_match(connection, made))
    await store.write(lambda connection: match_queries.start(connection, "m", turn, match.game.snapshot(), match.seats))
    epoch = await store.write(lambda connection: cluster_queries.claim(connection, "m", "here", 60))
    return match_of(SqlMatchLog(store, "m", epoch), name, **options)


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


@pytest.mark.parametrize("game", ["boidvoid", "enova"], ids=["orders are appended", "orders replace those of a unit"])
def test_the_posts_of_a_turn_together_have_only_so_many_orders(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        with Database(str(tmp_path / "m.db")) as store:
            match = await stored_match(store, game, post_limits=PostLimits(orders=5))
            first = await match.post(0, [1, 2, 3], "a", turn=match.open_turn, ready=False)
            with pytest.raises(Refused) as problem:
                await match.post(0, [4, 5, 6], "b", ready=False)
            sentence = f"Seat 0 has posted 3 orders for turn {first.turn}, and this post has 3; the most is 5."
            assert (problem.value.error, str(problem.value)) == ("too_large", sentence)
            assert await match.post(0, [1, 2, 3], "a", turn=first.turn, ready=False) == first
            await match.post(0, [4, 5], "c", ready=False)
            await match.post(1, [1, 2, 3, 4, 5], "d", ready=False)
            await match.end_turn()
            await match.post(0, [1, 2, 3, 4, 5], "e", ready=False)

    asyncio.run(play())


def test_posts_that_replace_each_other_do_not_add_up() -> None:
    async def play() -> None:
        match = match_of(post_limits=PostLimits(orders=5))
        for key in "abc":
            await match.post(0, [1, 2, 3], key, ready=False)

    asyncio.run(play())


def test_the_posts_of_a_turn_together_have_only_so_many_bytes() -> None:
    """Also where they replace each other: they are in memory until the turn ends."""

    async def play() -> None:
        match = match_of(post_limits=PostLimits(bytes=1_000))
        await match.post(0, ["x" * 500], "a", ready=False)
        with pytest.raises(Refused, match="Seat 0 has posted 504 bytes for turn 1, and this post has 504; the most is"):
            await match.post(0, ["x" * 500], "b", ready=False)
        await match.post(0, ["x" * 400], "c", ready=False)
        await match.end_turn()
        await match.post(0, ["x" * 500], "d", ready=False)

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
