"""One match: what it stores, when it broadcasts, and what it does when storage fails."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvloop

import marchland
from marchland.core.orders import HOST_PLAYER
from marchland.errors import OwnershipLost, Refused, StorageUnavailable
from marchland.match import Match, MemoryMatchLog, Subscription, TooLate
from marchland.match.match import GRACE
from marchland.messages import Clock, Every, SeatInfo, WhenReady
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.store import Database, SqlMatchLog
from marchland.store.match_log import entries_from
from tests.support.match_rows import row

SMALL = {"width": 8, "height": 8, "max_turn": 20}


def local(
    game: str = "colorfight", clock: Clock | None = None, log: type[MemoryMatchLog] = MemoryMatchLog, **more: Any
) -> Match:
    made = marchland.new(game, 2, seed=1, config=SMALL if game == "colorfight" else {})
    seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(made.players)]
    return Match("m", made, seats, log(made.turn), clock, **more)


async def stored_match(store: Database, game: marchland.Game, clock: Clock | None = None) -> Match:
    """A match in a real database, owned by a node."""
    seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(game.players)]
    made = row(id="m", game=game.name, seats=seats)
    await store.write(lambda connection: match_queries.insert_match(connection, made))
    await store.write(lambda connection: match_queries.start(connection, "m", game.turn, game.snapshot(), seats))
    epoch = await store.write(lambda connection: cluster_queries.claim(connection, "m", "here", 60))
    return Match("m", game, seats, SqlMatchLog(store, "m", epoch), clock)


def with_store(path: Path, work: Callable[[Database], Awaitable[None]]) -> None:
    async def run() -> None:
        with Database(str(path / "match.db")) as store:
            await work(store)

    asyncio.run(run())


def test_a_turn_lasts_its_least_length_although_all_are_ready() -> None:
    async def play() -> tuple[float, int]:
        match = local(clock=Every(60.0, least=0.2))
        running = asyncio.create_task(match.run())
        reader = Subscription(None)
        await match.subscribe(reader)
        await reader.next()
        began = match.clock.opened
        for seat in (0, 1):
            await match.post(seat, [], "a")
        await reader.next()
        running.cancel()
        return time.monotonic() - began, match.open_turn

    lasted, turn = asyncio.run(play())
    assert turn == 2
    assert 0.2 <= lasted < 30.0


def test_a_turn_ends_when_all_who_can_give_orders_are_ready() -> None:
    async def play() -> int:
        match = local(clock=WhenReady())
        running = asyncio.create_task(match.run())
        reader = Subscription(None)
        await match.subscribe(reader)
        await reader.next()
        await match.post(0, [], "a")
        assert match.open_turn == 1
        await match.post(1, [], "b")
        await reader.next()
        running.cancel()
        return match.open_turn

    assert asyncio.run(play()) == 2


def test_a_player_is_ready_whose_orders_a_replica_stored_after_it_was_replaced(tmp_path: Path) -> None:
    async def play(store: Database) -> None:
        owner = await stored_match(store, marchland.new("colorfight", 2, seed=1, config=SMALL), WhenReady())
        replica = Match("m", owner.game, owner.seats, SqlMatchLog(store, "m", -1), is_replica=True)
        replica.successor = owner
        running = asyncio.create_task(owner.run())
        await owner.post(0, [], "a")  # so that the owner has read the posts from before it ran
        assert owner.open_turn == 1
        await replica.post(1, [], "b")
        assert owner.open_turn == 1 and owner.is_waiting_for_ready is False
        running.cancel()

    with_store(tmp_path, play)


def test_orders_that_are_not_the_last_word_do_not_end_the_turn() -> None:
    async def play() -> None:
        match = local(clock=WhenReady())
        running = asyncio.create_task(match.run())
        await match.post(0, [], "a", ready=False)
        await match.post(1, [], "b")
        for _ in range(20):
            await asyncio.sleep(0)
        assert match.open_turn == 1
        running.cancel()

    asyncio.run(play())


def test_an_empty_seat_is_not_waited_for() -> None:
    async def play() -> None:
        match = local()
        match.set_seats([match.seats[0], SeatInfo(1, "empty", "player 1")])
        running = asyncio.create_task(match.run())
        reader = Subscription(None)
        await match.subscribe(reader)
        await reader.next()
        await match.post(0, [], "a")
        await reader.next()
        assert match.open_turn == 2
        running.cancel()

    asyncio.run(play())


def test_orders_for_other_turns_than_the_open_one_are_refused_with_the_reason() -> None:
    async def play() -> None:
        match = local()
        await match.end_turn()
        with pytest.raises(TooLate, match="Turn 1 is closed; turn 2 is open now"):
            await match.post(0, [], "a", turn=1)
        with pytest.raises(Refused, match="Turn 3 is not open yet"):
            await match.post(0, [], "a", turn=3)

    asyncio.run(play())


def test_orders_after_the_deadline_are_late_even_if_the_turn_is_not_closed_yet() -> None:
    async def play() -> None:
        match = local(clock=Every(10.0))
        match.clock.deadline = time.monotonic() - 0.001
        with pytest.raises(TooLate):
            await match.post(0, [], "a")

    asyncio.run(play())


class SharedLog(MemoryMatchLog):
    """A log into which other nodes write, too."""

    is_shared = True


def latenesses(log: type[MemoryMatchLog]) -> list[float]:
    """How long after its deadline each of twenty turns ended, on the server's event loop."""

    async def play() -> list[float]:
        late: list[float] = []
        clock = Every(1 / 30, early=False)
        match = local(clock=clock, log=log, on_turn=lambda played, report: late.append(played.lateness))
        await match.run()
        return late

    return uvloop.run(play())


def test_a_turn_ends_at_its_deadline_and_not_before() -> None:
    late = latenesses(MemoryMatchLog)
    assert min(late) > 0
    assert min(late) < GRACE  # nothing waits for orders of other nodes


def test_a_turn_waits_for_orders_that_are_on_their_way_from_other_nodes() -> None:
    assert min(latenesses(SharedLog)) >= GRACE


def test_orders_that_are_not_written_yet_at_the_deadline_are_played(tmp_path: Path) -> None:
    async def play(store: Database) -> None:
        game = marchland.new("colorfight", 2, seed=1, config=SMALL)
        match = await stored_match(store, game, Every(10.0, early=False))
        await match.end_turn()  # from now on the log knows every post
        turn = match.open_turn
        is_writing, go_on = threading.Event(), threading.Event()

        def block(connection: object) -> None:
            is_writing.set()
            go_on.wait(30)

        blocked = asyncio.ensure_future(store.write(block))
        await asyncio.to_thread(is_writing.wait, 30)
        posted = asyncio.ensure_future(match.post(0, [{"do": "attack", "at": [0, 0], "energy": 1}], "a", turn=turn))
        await asyncio.sleep(0)
        ended = asyncio.ensure_future(match.end_turn())
        await asyncio.sleep(0)
        go_on.set()
        await blocked
        assert (await posted).turn == turn
        await ended
        assert match.late_seats == {1}

    with_store(tmp_path, play)


def test_bots_whose_opponents_have_left_play_no_faster_than_a_turn_a_second() -> None:
    async def play() -> float:
        played = asyncio.Event()
        match = local(clock=WhenReady(), on_turn=lambda match, report: played.set())
        match.set_seats([SeatInfo(0, "empty", "ann"), SeatInfo(1, "builtin", "greedy", bot="greedy")])
        running = asyncio.create_task(match.run())
        began = time.monotonic()
        match.set_bot_orders(1, [], match.open_turn)
        await played.wait()
        running.cancel()
        return time.monotonic() - began

    assert asyncio.run(play()) >= 1.0


def test_a_seat_without_orders_is_late_and_one_with_orders_is_not() -> None:
    async def play() -> None:
        match = local()
        await match.post(0, [], "a")
        await match.end_turn()
        assert match.late_seats == {1}
        assert [seat.missed for seat in match.seats] == [0, 1]

    asyncio.run(play())


def test_a_first_turn_that_is_shorter_than_the_others_is_missed_by_no_seat() -> None:
    async def play() -> None:
        match = local(clock=Every(10.0, first=0.2))
        await match.end_turn()
        assert match.late_seats == set()
        await match.end_turn()
        assert [seat.missed for seat in match.seats] == [1, 1]

    asyncio.run(play())


def test_a_reader_gets_the_view_and_results_of_its_own_seat() -> None:
    async def play() -> dict[str, Any]:
        match = local()
        reader = Subscription(1, frames=False, views=True, results=True)
        await match.subscribe(reader)
        await reader.next()
        await match.post(1, [{"do": "upgrade", "at": [0, 0]}], "a")
        await match.end_turn()
        news: dict[str, Any] = msgspec.json.decode(await reader.next() or b"")
        return news

    news = asyncio.run(play())
    assert [result["ok"] for result in news["results"]] == [False]
    assert news["view"] is not None
    assert "frame" not in news


def test_the_game_learns_the_time_of_the_day_only_where_the_match_tells_it() -> None:
    async def play(sends_host_orders: bool) -> list[str]:
        match = local("boidvoid", clock=Every(0.05, early=False), sends_host_orders=sends_host_orders)
        names: list[str] = []
        match._on_turn = lambda match, report: names.extend(
            result.order["do"] for result in report.results.get(HOST_PLAYER, [])
        )
        running = asyncio.create_task(match.run())
        reader = Subscription(None)
        await match.subscribe(reader)
        while match.open_turn < 3:
            await reader.next()
        running.cancel()
        return names

    assert asyncio.run(play(sends_host_orders=False)) == []
    assert asyncio.run(play(sends_host_orders=True))[:3] == ["lock", "clock", "lock"]


def test_an_action_of_the_same_key_is_done_once(tmp_path: Path) -> None:
    async def work(store: Database) -> None:
        match = await stored_match(store, marchland.new("boidvoid", 2, seed=1))
        first = await match.act(HOST_PLAYER, {"do": "clock", "minute": 7}, "k")
        again = await match.act(HOST_PLAYER, {"do": "clock", "minute": 7}, "k")
        assert first == again
        assert match.next_index == 1

    with_store(tmp_path, work)


def test_without_storage_nothing_is_shown(tmp_path: Path) -> None:
    async def work(store: Database) -> None:
        match = await stored_match(store, marchland.new("boidvoid", 2, seed=1))
        store._writer.close()
        with pytest.raises(StorageUnavailable):
            await match.act(HOST_PLAYER, {"do": "clock", "minute": 7}, "k")
        with pytest.raises(StorageUnavailable, match="loaded again"):
            await match.view(0)

    with_store(tmp_path, work)


def test_a_match_claimed_by_another_node_plays_no_turn_and_broadcasts_nothing(tmp_path: Path) -> None:
    async def work(store: Database) -> None:
        match = await stored_match(store, marchland.new("colorfight", 2, seed=1, config=SMALL))
        reader = Subscription(None)
        await match.subscribe(reader)
        await reader.next()
        await store.write(lambda connection: cluster_queries.release(connection, "here"))
        await store.write(lambda connection: cluster_queries.claim(connection, "m", "there", 60))
        with pytest.raises(OwnershipLost):
            await match.end_turn()
        assert len(reader) == 0
        assert await store.read(lambda connection: entries_from(connection, "m", 0)) == []

    with_store(tmp_path, work)


def test_a_match_whose_lease_expires_during_a_commit_broadcasts_nothing() -> None:
    class Slow(MemoryMatchLog):
        async def append(self, *given: Any) -> None:
            await super().append(*given)
            held.clear()

    async def play() -> None:
        match = local(log=Slow, is_owned=lambda: bool(held))
        reader = Subscription(None)
        await match.subscribe(reader)
        await reader.next()
        with pytest.raises(OwnershipLost):
            await match.end_turn()
        with pytest.raises(StorageUnavailable, match="loaded again"):
            await match.view(None)
        held.append("again")
        with pytest.raises(StorageUnavailable, match="loaded again"):
            await match.view(None)
        assert len(reader) == 0

    held = ["the lease"]
    asyncio.run(play())


def test_seats_can_be_set_during_a_join() -> None:
    async def sit() -> list[list[str]]:
        match = local()
        anna, bert = (SeatInfo(seat, "bot", name, account=name) for seat, name in enumerate(("anna", "bert")))
        names = []
        for seats in ([anna, bert, SeatInfo(2, "bot", "cleo")], [anna]):
            match.set_seats(seats)
            names.append([seat.name for seat in match.seats])
        return names

    assert asyncio.run(sit()) == [["anna", "bert"], ["anna", "bert"]]


def test_a_seat_that_acted_at_once_has_not_missed_the_turn_also_after_a_restart(tmp_path: Path) -> None:
    async def work(store: Database) -> None:
        match = await stored_match(store, marchland.new("boidvoid", 2, seed=1, map="duel"))
        await match.act(0, {"do": "battery", "attack": 70}, "a")
        log = SqlMatchLog(store, "m", 1)
        assert await log.acting_seats(1) == {0}
        again = Match("m", match.game.copy(), match.seats, log, next_index=match.next_index)
        await again.load_posts()
        for one in (match, again):
            assert one.posts_of(0) == ()
        await again.end_turn()
        assert again.late_seats == {1}
        assert [seat.missed for seat in again.seats] == [0, 1]

    with_store(tmp_path, work)


def test_queued_orders_are_refused_in_the_lock_and_those_from_before_are_played() -> None:
    async def play() -> None:
        game = marchland.new("boidvoid", 2, seed=1, map="duel")
        seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(game.players)]
        match = Match("m", game, seats, MemoryMatchLog(game.turn))
        early = await match.post(0, [{"do": "battery", "attack": 70}], "early", turn=1)
        await match.act(HOST_PLAYER, {"do": "lock"}, "lock")
        with pytest.raises(Refused, match="takes no more orders") as refused:
            await match.post(1, [{"do": "battery", "attack": 60}], "late", turn=1)
        assert refused.value.error == "locked"
        assert await match.post(0, [{"do": "battery", "attack": 70}], "early", turn=1) == early
        await match.post(1, [], "nothing", turn=1)
        report = await match.end_turn()
        assert {seat: len(results) for seat, results in report.results.items()} == {0: 1}
        await match.post(1, [{"do": "battery", "attack": 60}], "next", turn=2)

    asyncio.run(play())


def test_orders_of_the_host_are_one_entry_and_repeated_once(tmp_path: Path) -> None:
    async def work(store: Database) -> None:
        match = await stored_match(store, marchland.new("boidvoid", 2, seed=1, map="duel"))
        orders = [{"do": "stake", "player": player, "amount": 70} for player in (0, 1, 2)]
        assert await match.act_as_host(orders, "job") == 2
        assert await match.act_as_host(orders, "job") == 2
        assert await match.act_as_host(orders[2:], "refused") == 0
        (entry,) = await store.read(lambda connection: entries_from(connection, "m", 0))
        assert len(entry.decode_orders()) == 3 and entry.digest == match.game.digest()

    with_store(tmp_path, work)
