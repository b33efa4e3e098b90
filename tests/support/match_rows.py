"""Matches and posts for the tests of the store."""

import time
import uuid
from typing import Any

from marchland.match import Entry, Post, SeatTiming
from marchland.messages import MatchCreate, Outcome, SeatInfo, SeatRequest
from marchland.server.matches import queries as match_queries
from marchland.server.matches.queries import MatchRow
from marchland.store import Database

FIRST_STATE = b"the beginning"


def row(**more: Any) -> MatchRow:
    request = MatchCreate("colorfight", [SeatRequest(), SeatRequest()])
    usual: dict[str, Any] = {
        "id": uuid.uuid4().hex[:12],
        "game": "colorfight",
        "name": "a match",
        "state": "lobby",
        "request": request,
        "config": {},
        "creator": None,
        "room": None,
        "forked_from": None,
        "password": None,
        "created": time.time(),
        "started": None,
        "ended": None,
        "open_turn": 0,
        "closes": None,
        "entries": 0,
        "outcome": None,
        "owner": None,
        "epoch": 0,
        "seats": [SeatInfo(0, "bot", "ann"), SeatInfo(1, "bot", "bob")],
    }
    return MatchRow(**{**usual, **more})


async def started(store: Database, turn: int = 1, **more: Any) -> str:
    """A running match without an owner."""
    made = row(**more)

    def work(connection: Any) -> None:
        match_queries.insert_match(connection, made)
        assert match_queries.start(connection, made.id, turn, FIRST_STATE, made.seats)

    await store.write(work)
    return made.id


def post(turn: int, key: str, *, seat: int = 0, orders: list[Any] | None = None) -> Post:
    return Post.encode(turn, seat, key, orders or [], True, time.time())


def entry(index: int, turn: int, *, late: tuple[bool, ...] = (), **more: Any) -> Entry:
    seats = [SeatTiming(one, None) for one in late]
    return Entry(index, "turn", turn, 0, b"", f"digest {index}", time.time(), seats=seats, **more)


def outcome(*ranking: Any) -> Outcome:
    return Outcome(list(ranking), "It is over.")
