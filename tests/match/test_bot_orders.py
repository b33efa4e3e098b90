"""Orders of built-in bots: in the entry of their turn, and nowhere else."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

import marchland
from marchland.match import Match, MemoryMatchLog, history
from marchland.messages import SeatInfo
from marchland.store import Database
from marchland.store.match_log import entries_from, posts_between, posts_of
from tests.support.killed_turns import BOT, MATCH, PERSON, SEATS, create, load, orders_of, post_both


def local() -> Match:
    game = marchland.new("colorfight", 2, seed=1, config={"width": 8, "height": 8, "max_turn": 20})
    return Match("m", game, SEATS, MemoryMatchLog(game.turn))


def on_sqlite(folder: Path, scene: Callable[[Database, Match], Awaitable[None]]) -> None:
    async def run() -> None:
        with Database(str(folder / "march.db")) as store:
            await create(store)
            await scene(store, await load(store))

    asyncio.run(run())


@pytest.mark.parametrize("turns", [1, 2], ids=["two commits", "one commit"])
def test_a_bots_orders_are_played_and_are_no_posts(tmp_path: Path, turns: int) -> None:
    async def scene(store: Database, match: Match) -> None:
        for _ in range(turns):
            turn = match.open_turn
            await post_both(match)
            report = await match.end_turn()
        assert len(report.results[BOT]) == len(report.results[PERSON]) > 0
        assert {post.seat for post in await store.read(partial(posts_of, match=MATCH, turn=turn))} == {PERSON}
        entry = (await store.read(partial(entries_from, match=MATCH, first=0)))[-1]
        assert int((entry.decode_orders().table[0] == BOT).sum()) == len(report.results[BOT])

    on_sqlite(tmp_path, scene)


def test_the_log_of_a_bots_seat_shows_its_orders(tmp_path: Path) -> None:
    async def scene(store: Database, match: Match) -> None:
        first = match.game.snapshot()
        await post_both(match)
        results = (await match.end_turn()).results[BOT]
        entries = await store.read(partial(entries_from, match=MATCH, first=0))
        posts = await store.read(partial(posts_between, match=MATCH, seat=BOT, first=0, last=99))
        again = marchland.restore(first)
        (log,) = history.turn_logs(again, entries, posts, BOT, again.turn, 1)
        assert [msgspec.to_builtins(one.order) for one in log.results] == [one.order for one in results]
        assert [one.reason for one in log.results] == [one.reason for one in results]

    on_sqlite(tmp_path, scene)


def test_a_bot_is_ready_with_its_orders_and_not_late() -> None:
    async def play() -> None:
        match = local()
        match.set_bot_orders(BOT, [], match.open_turn)
        await match.end_turn()
        assert match.late_seats == {PERSON}

    asyncio.run(play())


def test_the_first_answer_of_a_bot_counts() -> None:
    async def play() -> None:
        match = local()
        orders = orders_of(match, BOT)
        match.set_bot_orders(BOT, orders, match.open_turn)
        match.set_bot_orders(BOT, [], match.open_turn)
        assert len((await match.end_turn()).results[BOT]) == len(orders)

    asyncio.run(play())


def test_an_answer_for_a_closed_turn_is_dropped() -> None:
    async def play() -> None:
        match = local()
        await match.end_turn()
        match.set_bot_orders(BOT, orders_of(match, BOT), match.open_turn - 1)
        assert BOT not in (await match.end_turn()).results

    asyncio.run(play())


def test_an_answer_for_a_seat_that_a_person_has_taken_is_dropped() -> None:
    async def play() -> None:
        match = local()
        match.set_seats([SEATS[PERSON], SeatInfo(BOT, "human", "bea", account="bea")])
        match.set_bot_orders(BOT, orders_of(match, BOT), match.open_turn)
        assert BOT not in (await match.end_turn()).results

    asyncio.run(play())
