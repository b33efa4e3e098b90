"""What a node does when it cannot be sure any more that a match is its own."""

import asyncio
from typing import Any

from marchland.messages import Every, MatchCreate, SeatRequest
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility
from marchland.server.metrics import Metrics
from marchland.server.settings import Settings
from marchland.store import Database
from tests.support.game_loading import loaded_games
from tests.support.postgres import Cluster

LEASE = 0.3
PATIENCE = 60.0


class Slow(Database):
    """A database that stands still once, for longer than a lease, with everything that is to be written."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.moving = asyncio.Event()
        self.moving.set()

    async def write(self, *given: Any) -> Any:
        written = await super().write(*given)
        await self.moving.wait()
        return written


def test_a_match_goes_on_after_its_database_stood_still_for_longer_than_a_lease(cluster: Cluster) -> None:
    async def scene(store: Slow) -> None:
        manager = MatchManager(store, Settings(db="", lease=LEASE), Metrics(), loaded_games())
        service = MatchService(manager, MatchHistory(store, manager.games), Visibility(store))
        await manager.begin()
        try:
            seats = [SeatRequest("empty"), SeatRequest("empty")]
            body = MatchCreate("colorfight", seats, clock=Every(0.05), config={"max_turn": 100_000, "early_end": False})
            match = (await service.create(body, None)).id
            await reached(service, match, 3)
            store.moving.clear()
            await asyncio.sleep(2 * LEASE)
            store.moving.set()
            await reached(service, match, (await service.row(match)).open_turn + 3)
        finally:
            store.moving.set()
            await manager.close()

    with Slow(cluster.new_database()) as store:
        asyncio.run(scene(store))


async def reached(service: MatchService, match: str, turn: int) -> None:
    """Wait for a turn."""
    async with asyncio.timeout(PATIENCE):
        while (await service.row(match)).open_turn < turn:
            await asyncio.sleep(0.02)
