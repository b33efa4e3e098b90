"""Who runs a match learns who sits in it, also if it could not be notified at first."""

import asyncio
import contextlib
from typing import Any

import pytest

from marchland.errors import StorageUnavailable
from marchland.match import Match
from marchland.messages import JoinRequest, MatchCreate, SeatRequest, WhenReady
from marchland.server.accounts import queries as account_queries
from marchland.server.http.auth import Caller
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility
from marchland.server.metrics import Metrics
from marchland.server.settings import Settings
from marchland.store import Database
from tests.support.game_loading import loaded_games
from tests.support.postgres import Cluster


@contextlib.asynccontextmanager
async def node(store: Database) -> Any:
    manager = MatchManager(store, Settings(db=""), Metrics(), loaded_games())
    await manager.begin()
    try:
        yield manager, MatchService(manager, MatchHistory(store, manager.games), Visibility(store))
    finally:
        await manager.close()


def sitting(match: Match) -> str | None:
    """Who has the first seat."""
    return match.seats[0].account


async def silent(*asked: Any) -> None:
    raise StorageUnavailable("The database does not answer.")


def test_the_owner_learns_of_seats_taken_and_left_while_it_was_silent(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(one: Database, other: Database) -> None:
        eve = Caller(await one.write(lambda connection: account_queries.create(connection, "eve")), "token")
        async with node(one) as (owner, service), node(other) as (asked, beside):
            seats = [SeatRequest("open"), SeatRequest("empty")]
            match = (
                await service.create(MatchCreate("colorfight", seats, clock=WhenReady(), auto_start=False), None)
            ).id
            await service.start(match)
            playing = await owner.match(match)
            with monkeypatch.context() as patch:
                patch.setattr(asked.owner_calls, "call", silent)
                with pytest.raises(StorageUnavailable):
                    await beside.seats.join(match, eve, JoinRequest())
            assert sitting(playing) is None
            assert (await beside.seats.join(match, eve, JoinRequest())).seat == 0
            assert sitting(playing) == eve.id
            with monkeypatch.context() as patch:
                patch.setattr(asked.owner_calls, "call", silent)
                with pytest.raises(StorageUnavailable):
                    await beside.seats.leave(match, eve)
            with pytest.raises(Exception, match="no seat"):
                await beside.seats.leave(match, eve)
            assert sitting(playing) is None

    url = cluster.new_database()
    with Database(url) as one, Database(url) as other:
        asyncio.run(scene(one, other))
