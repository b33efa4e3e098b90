"""A node that hammers the closing of turns, as a process: its arguments are URL, match, owner or poster, and seconds.

It says that it is ready, begins on a command, and prints what it was acknowledged and, as the owner, what was in
each turn and how long each closing took.
"""

import asyncio
import sys
import time
from typing import Any

import msgspec

from marchland.match import TooLate
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.store import Database, SqlMatchLog
from marchland.store.match_log import insert_post
from tests.support.match_rows import entry, post

POSTERS = 8
BETWEEN_POSTS = 0.005
BETWEEN_TURNS = 0.01


async def hammer(store: Database, match: str, name: str, until: float) -> list[tuple[str, int]]:
    """Post for the turn that may be open, again and again; the keys that were acknowledged, and for which turn."""
    acknowledged = []
    turn = 1
    number = 0
    while time.monotonic() < until:
        number += 1
        await asyncio.sleep(BETWEEN_POSTS)
        key = f"{name}/{number}"
        try:
            receipt = await insert_post(store, match, post(turn, key, orders=[number]))
        except TooLate:
            row = await store.read(lambda connection: match_queries.find(connection, match))
            assert row is not None
            turn = row.open_turn
        else:
            acknowledged.append((key, receipt.turn))
    return acknowledged


async def close_turns(store: Database, match: str, until: float) -> tuple[dict[int, list[str]], list[float]]:
    epoch = await store.write(lambda connection: cluster_queries.claim(connection, match, "owner", 60))
    match_log = SqlMatchLog(store, match, epoch)
    closed: dict[int, list[str]] = {}
    took: list[float] = []
    turn = 1
    while time.monotonic() < until:
        await asyncio.sleep(BETWEEN_TURNS)
        began = time.perf_counter()
        posts = await match_log.close_turn(turn, None)
        took.append(time.perf_counter() - began)
        closed[turn] = [one.key for one in posts]
        await match_log.append(entry(turn - 1, turn))
        turn += 1
    return closed, took


async def main(url: str, match: str, role: str, seconds: float) -> dict[str, Any]:
    with Database(url) as store:
        await asyncio.gather(*(store.read(lambda connection: match_queries.find(connection, match)) for _ in range(8)))
        print("ready", flush=True)
        sys.stdin.readline()
        until = time.monotonic() + seconds
        posting = asyncio.gather(*(hammer(store, match, f"{role}{number}", until) for number in range(POSTERS)))
        closed, took = await close_turns(store, match, until) if role == "owner" else ({}, [])
        acknowledged = [one for some in await posting for one in some]
        return {"acknowledged": acknowledged, "closed": closed, "took": took}


if __name__ == "__main__":
    url, match, role, seconds = sys.argv[1:]
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(main(url, match, role, float(seconds)))))
