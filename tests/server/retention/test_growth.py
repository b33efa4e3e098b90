"""A server that plays without end has a database that does not grow."""

import asyncio
import random
import time
from pathlib import Path

import marchland
from marchland.match import Match
from marchland.messages import SeatInfo, WhenReady
from marchland.registry import find
from marchland.server.cluster.queries import claim
from marchland.server.matches import queries as match_queries
from marchland.server.retention.service import RetentionService
from marchland.server.settings import Settings
from marchland.store import SqlMatchLog, Store
from tests.support.match_rows import row

TURNS, ROOM = 50, 10
"""Turns of a match, matches that the room keeps and that are played side by side."""
BOTS = [SeatInfo(seat, "builtin", f"random {seat}", bot="random") for seat in range(2)]


async def play(store: Store, seed: int) -> None:
    """A match of the room, from its start to its end."""
    game = marchland.new(
        "colorfight",
        [seat.name for seat in BOTS],
        seed=seed,
        config={"width": 8, "height": 8, "max_turn": TURNS + 1, "early_end": False},
    )
    made = row(room="den", seats=BOTS)

    def begin(connection: object) -> int | None:
        match_queries.insert_match(connection, made)  # type: ignore[arg-type]
        match_queries.start(connection, made.id, game.turn, game.snapshot(), BOTS)  # type: ignore[arg-type]
        return claim(connection, made.id, "node", 1_000.0)  # type: ignore[arg-type]

    match = Match(made.id, game, BOTS, SqlMatchLog(store, made.id, await store.write(begin)), WhenReady())
    running = asyncio.create_task(match.run())
    dice = random.Random(seed)
    bot = find("colorfight").bots["random"](seed)
    while not match.is_over:
        turn = match.open_turn
        for seat in BOTS:
            orders = [order for order in bot.play(game.view(seat.seat)) if dice.random() < 0.5]
            await match.post(seat.seat, orders, f"{turn}", turn=turn)
        while match.open_turn == turn or match.game.turn == turn:
            await asyncio.sleep(0)
            if match.is_over:
                break
    await running


def file_bytes(store: Store) -> int:
    """The size of the file, without the write-ahead log."""

    def read(connection: object) -> int:
        pages, size = (
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size")
        )  # type: ignore[attr-defined]
        return int(pages * size)

    return store.read_now(read)


def test_after_three_cycles_5_000_turns_do_not_grow_the_database(tmp_path: Path) -> None:
    settings = Settings(db=str(tmp_path / "den.db"), room_matches=ROOM)

    async def scene(store: Store) -> None:
        service = RetentionService(store, settings)

        async def cycle() -> None:
            await asyncio.gather(*(play(store, seed) for seed in range(ROOM)))
            await service.apply(time.time() + 120)

        for _ in range(4):  # the first one fills the room
            await cycle()
        before, largest = file_bytes(store), 0
        for _ in range(5_000 // TURNS // ROOM):
            await cycle()
            largest = max(largest, file_bytes(store))
        assert largest < 1.02 * before
        found = await store.read(lambda connection: match_queries.list_matches(connection, room="den"))
        assert [match.storage for match in found] == ["archive"] * ROOM

    with Store(settings.db) as store:
        asyncio.run(scene(store))
