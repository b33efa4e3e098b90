"""A late joiner gets a seat and a place in the game together, or neither."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from marchland.errors import StorageUnavailable
from marchland.messages import JoinRequest, MatchCreate, SeatRequest, WhenReady
from marchland.server.accounts import queries as account_queries
from marchland.server.cluster import queries as cluster_queries
from marchland.server.http.auth import Caller
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility
from marchland.server.metrics import Metrics
from marchland.server.settings import Settings
from marchland.store import Database
from marchland.store.match_log import entries_from
from tests.support.game_loading import loaded_games


class Mortal(Database):
    """A database that can be written only so many times more."""

    left = 1_000_000

    async def write(self, *given: Any) -> Any:
        if self.left == 0:
            raise StorageUnavailable("The end came.")
        self.left -= 1
        return await super().write(*given)


async def joined(store: Mortal, writes: int) -> str:
    """A match with a late joiner, on a server that dies after so many commits."""
    account = await store.write(lambda connection: account_queries.create(connection, "eve"))
    manager = MatchManager(store, Settings(db=""), Metrics(), loaded_games())
    service = MatchService(manager, MatchHistory(store, manager.games), Visibility(store))
    await manager.begin()
    try:
        body = MatchCreate("colorfight", [SeatRequest("empty"), SeatRequest("empty")], clock=WhenReady())
        match = (await service.create(body, None)).id
        await manager.match(match)
        store.left = writes
        with contextlib.suppress(StorageUnavailable):
            await service.seats.join(match, Caller(account, "token"), JoinRequest())
    finally:
        await manager.close()
    return match


@pytest.mark.parametrize(("writes", "is_in"), [(0, False), (1, True), (2, True)])
def test_a_crash_between_two_commits_leaves_no_player_without_a_seat(tmp_path: Path, writes: int, is_in: bool) -> None:
    with Mortal(str(tmp_path / "march.db")) as store:
        match = asyncio.run(joined(store, writes))
        with store.engine.connect() as connection:
            names = [entry.name for entry in entries_from(connection, match, 0) if entry.kind == "join"]
            sitting = [seat.name for seat in cluster_queries.seats_of(connection, match) if seat.account is not None]
        assert names == sitting == (["eve"] if is_in else [])
