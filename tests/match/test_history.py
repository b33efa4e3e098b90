"""The history of a match, computed from its log."""

import asyncio
import random
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

import marchland
from marchland.conformance.playing import pick_orders
from marchland.match import Match, history
from marchland.messages import SeatInfo
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.store import Database, SqlMatchLog
from marchland.store.match_log import entries_from, posts_between
from tests.support.match_rows import row
from tests.support.small_matches import SMALL

TURNS = 3


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("game", marchland.games())
def test_the_log_of_a_seat_needs_only_its_own_posts_and_equals_its_results(tmp_path: Path, game: str) -> None:
    async def scene() -> None:
        made = marchland.new(game, 2, seed=5, **SMALL.get(game, {}))
        first, chance = made.snapshot(), random.Random(7)
        seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(made.players)]
        with Database(str(tmp_path / "m.db")) as store:
            stored = row(id="m", game=game, seats=seats)
            await store.write(lambda connection: match_queries.insert_match(connection, stored))
            await store.write(lambda connection: match_queries.start(connection, "m", made.turn, first, seats))
            epoch = await store.write(lambda connection: cluster_queries.claim(connection, "m", "here", 60))
            match = Match("m", made, seats, SqlMatchLog(store, "m", epoch))
            expected = []
            for _ in range(TURNS):
                for seat in (1, 0, 1):
                    orders = [*pick_orders(made, seat, chance), {"do": "nonsense"}, [seat]]
                    await match.post(seat, orders, f"k{chance.random()}", ready=False)
                expected.append(plain((await match.end_turn()).results))
            entries = await store.read(partial(entries_from, match="m", first=0))
            for seat in (0, 1):
                posts = await store.read(partial(posts_between, match="m", seat=seat, first=0, last=made.turn))
                assert {post.seat for some in posts.values() for post in some} == {seat}
                again = marchland.restore(first)
                log = list(history.turn_logs(again, entries, posts, seat, again.turn, TURNS))
                assert [plain(one.results) for one in log] == [turn[str(seat)] for turn in expected]
                assert again.digest() == made.digest()

    asyncio.run(scene())
