"""The loop that looks after rooms, rounds and seasons: how much it asks, and how it ends."""

import asyncio
import logging
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from marchland.messages import Every, MatchCreate, RoomCreate, RoundCreate, SeatRequest
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility
from marchland.server.metrics import Metrics
from marchland.server.rooms import queries as room_queries
from marchland.server.rounds import queries as round_queries
from marchland.server.rounds.queries import RoundRun
from marchland.server.scheduler import Scheduler
from marchland.server.settings import Settings
from marchland.store import Database, leases
from tests.support.game_loading import loaded_games

BOTS = [SeatRequest("empty"), SeatRequest("empty")]
TEMPLATE = MatchCreate("colorfight", BOTS, config={"width": 8, "height": 8}, clock=Every(60.0))
PATIENCE = 60.0


class Watched(Database):
    """A database that tells when it is asked to write for a certain time."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.writes = 0
        self.stop_at = 0
        self.reached = asyncio.Event()

    async def write(self, *given: Any) -> Any:
        self.writes += 1
        if self.writes == self.stop_at:
            self.reached.set()
        return await super().write(*given)


def organised(store: Database) -> tuple[MatchManager, Scheduler]:
    manager = MatchManager(store, Settings(db=""), Metrics(), loaded_games())
    return manager, Scheduler(manager, MatchService(manager, MatchHistory(store, manager.games), Visibility(store)))


@pytest.mark.parametrize("writes", range(1, 7))
def test_it_ends_cleanly_while_it_is_at_work_and_the_next_one_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, writes: int
) -> None:
    """The end comes while a room's match is claimed, made, put into its place or started."""

    async def scene() -> None:
        with Watched(str(tmp_path / "m.db")) as store:
            await store.write(partial(room_queries.insert_room, room=RoomCreate("den", TEMPLATE)))
            manager, organiser = organised(store)
            await manager.begin()
            store.stop_at = store.writes + writes
            await organiser.begin()
            await asyncio.wait_for(store.reached.wait(), PATIENCE)
            await organiser.close()
            await manager.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []
            assert await store.write(partial(leases.acquire, name="scheduler", node="another", seconds=60))
            await store.write(partial(leases.release, name="scheduler", node="another"))
            await _goes_on(store)

    asyncio.run(scene())


async def _goes_on(store: Database) -> None:
    manager, organiser = organised(store)
    await manager.begin()
    await organiser.begin()
    end = time.monotonic() + PATIENCE
    while await store.read(_states_in_the_room) != ["running"]:
        assert time.monotonic() < end, "no match is on"
        await asyncio.sleep(0.02)
    await organiser.close()
    await manager.close()
    on = await store.read(partial(match_queries.list_matches, state="running"))
    assert len(on) == 1


def _states_in_the_room(connection: Any) -> list[str | None]:
    return [cluster_queries.state_of(connection, room.match or "") for room in room_queries.list_rooms(connection)]


def test_a_look_at_the_rounds_is_one_question_however_many_there_were(tmp_path: Path) -> None:
    async def scene() -> None:
        with Database(str(tmp_path / "m.db")) as store:
            for number in range(30):
                made = await store.write(
                    partial(round_queries.insert_round, request=RoundCreate(f"cup {number}", TEMPLATE, 1.0))
                )
                over = RoundRun(made.id, 0, 1.0, "lobby", None)
                await store.write(partial(round_queries.update_run, run=over, state=("over", "empty")[number % 2]))
            _, organiser = organised(store)
            asked: list[str] = []
            event.listen(store.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
            await organiser.rounds.tick(time.time())
            await organiser.close()
            assert len([one for one in asked if one.startswith("SELECT") and "rounds" in one]) == 1

    asyncio.run(scene())
