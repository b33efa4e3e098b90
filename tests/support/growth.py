"""A room whose matches are played, archived and deleted; its database must not grow."""

import asyncio
import random
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

import marchland
from marchland.match import Match
from marchland.messages import SeatInfo, WhenReady
from marchland.server.cluster.queries import claim
from marchland.server.matches import queries as match_queries
from marchland.server.retention.service import RetentionService
from marchland.server.settings import Settings
from marchland.store import Database, SqlMatchLog
from tests.support.match_rows import row

TURNS, ROOM = 25, 4
"""Turns of a match, matches that the room keeps and that are played side by side."""
BOTS = [SeatInfo(seat, "builtin", f"random {seat}", bot="random") for seat in range(1)]


async def play(store: Database, seed: int) -> None:
    """A match of the room, from its start to its end."""
    game = marchland.new(
        "colorfight",
        [seat.name for seat in BOTS],
        seed=seed,
        config={"width": 8, "height": 8, "max_turn": TURNS + 1, "early_end": False},
    )
    made = row(room="den", seats=BOTS)

    def begin(connection: Connection) -> int | None:
        match_queries.insert_match(connection, made)
        match_queries.start(connection, made.id, game.turn, game.snapshot(), BOTS)
        return claim(connection, made.id, "node", 1_000.0)

    log = SqlMatchLog(store, made.id, await store.write(begin))
    played = asyncio.Event()
    match = Match(made.id, game, BOTS, log, WhenReady(), on_turn=lambda match, report: played.set())
    running = asyncio.create_task(match.run())
    dice = random.Random(seed)
    for turn in range(1, TURNS + 1):
        played.clear()
        for seat in BOTS:
            await match.post(seat.seat, [_attack(dice) for _ in range(3)], f"{turn}", turn=turn)
        await played.wait()
    await running


def _attack(dice: random.Random) -> dict[str, Any]:
    return {"do": "attack", "at": [dice.randrange(8), dice.randrange(8)], "energy": dice.randrange(1, 60)}


def file_bytes(store: Database) -> int:
    """The size of the file, without the write-ahead log."""

    def read(connection: Connection) -> int:
        pages, size = (
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size")
        )
        return int(pages * size)

    return store.read_now(read)


def check_growth(tmp_path: Path, turns: int) -> None:
    """Play that many turns in a room that is full, and see that the database stays as large as it was."""
    settings = Settings(db=str(tmp_path / "den.db"), room_matches=ROOM)

    async def scene(store: Database) -> None:
        service = RetentionService(store, settings)

        async def cycle() -> None:
            await asyncio.gather(*(play(store, seed) for seed in range(ROOM)))
            await service.apply(time.time() + 120)

        for _ in range(4):  # the first one fills the room
            await cycle()
        before, largest = file_bytes(store), 0
        for _ in range(turns // TURNS // ROOM):
            await cycle()
            largest = max(largest, file_bytes(store))
        assert largest < 1.02 * before
        found = await store.read(lambda connection: match_queries.list_matches(connection, room="den"))
        assert [match.storage for match in found] == ["archive"] * ROOM

    with Database(settings.db) as store:
        asyncio.run(scene(store))
