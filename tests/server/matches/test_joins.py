"""Joins of a large lobby: what each costs the database, and changes that another node has made meanwhile."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import event

from marchland.messages import SeatInfo
from marchland.server.matches import queries
from marchland.server.matches.manager import MatchManager
from marchland.store import Database
from tests.support.asgi import running_app
from tests.support.game_loading import loaded_games

SEATS = 40


@contextmanager
def written_seats(store: Database) -> Iterator[list[str]]:
    """The statements that write rows of seats, once for each row."""
    statements: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        verb, _, rest = statement.partition(" ")
        if verb in ("INSERT", "UPDATE", "DELETE") and "seats" in rest.split("WHERE")[0]:
            statements.extend([verb] * (len(parameters) if many else 1))

    event.listen(store.engine, "before_cursor_execute", note)
    yield statements
    event.remove(store.engine, "before_cursor_execute", note)


def test_a_join_writes_one_seat_however_many_there_are(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = (await app.create_match("enova", seats=SEATS)).json()["id"]
            players = [await app.player(f"player {number}") for number in range(5)]
            with written_seats(app.dependency(MatchManager).store) as statements:
                seats = [(await player.must("POST", f"/matches/{match}/join", {}))["seat"] for player in players]
            assert seats == [0, 1, 2, 3, 4]
            assert statements == ["UPDATE"] * len(players)

    asyncio.run(scene())


def test_seats_that_another_node_has_given_away_meanwhile_are_not_given_again(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = (await app.create_match("enova", seats=4)).json()["id"]
            anna, bert, cleo = [await app.player(name) for name in ("anna", "bert", "cleo")]
            assert (await anna.must("POST", f"/matches/{match}/join", {}))["seat"] == 0
            store = app.dependency(MatchManager).store
            before, taken = SeatInfo(1, "open"), SeatInfo(1, "human", "anna 2", cleo.id)
            assert await store.write(partial(queries.replace_seat, match=match, before=before, after=taken))
            assert not await store.write(partial(queries.replace_seat, match=match, before=before, after=taken))
            assert (await cleo.must("POST", f"/matches/{match}/join", {}))["seat"] == 1
            joined = await bert.must("POST", f"/matches/{match}/join", {"name": "ANNA"})
            assert (joined["seat"], joined["name"]) == (2, "ANNA 3")
            freed = msgspec.structs.replace(taken, kind="open", account=None, name="")
            assert await store.write(partial(queries.replace_seat, match=match, before=taken, after=freed))
            dora, emil = [await app.player(name) for name in ("dora", "emil")]
            seats = [(await player.must("POST", f"/matches/{match}/join", {}))["seat"] for player in (dora, emil)]
            assert sorted(seats) == [1, 3]
            assert (await app.get(f"/api/v1/matches/{match}")).json()["state"] == "running"

    asyncio.run(scene())
