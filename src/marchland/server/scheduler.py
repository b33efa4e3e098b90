"""The scheduler: a tick moves rooms, rounds and seasons on and runs their jobs. Turns have clocks of their own.

One node at a time creates matches: the one that holds the lease. Each node runs the jobs of the matches it owns. Every
step is idempotent, so that the next tick, here or on another node, finishes what was interrupted.
"""

import asyncio
import contextlib
import logging
import time
from functools import partial

from marchland.core.report import Report
from marchland.errors import StorageUnavailable
from marchland.match import Match
from marchland.server.ledger import queries as ledger_queries
from marchland.server.ledger.external import ExternalApi
from marchland.server.ledger.external_reader import ExternalLedgerReader
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import MatchFactory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.retention.service import RetentionService
from marchland.server.rooms.service import RoomService
from marchland.server.rounds.queries import entrants_of_match
from marchland.server.rounds.service import RoundService
from marchland.server.seasons.matches import SeasonMatches
from marchland.server.seasons.queries import members_of_match
from marchland.server.seasons.service import SeasonService
from marchland.server.tasks import RetryingTasks
from marchland.store import leases

log = logging.getLogger(__name__)

TICK = 1.0
_LEASE = "scheduler"
_ORPHAN_AGE = 60.0
"""Seconds after which a match that belongs to no room, round or season is an orphan of a crash."""


class Scheduler:
    """Runs what is due in rooms, rounds and seasons."""

    def __init__(self, manager: MatchManager, service: MatchService) -> None:
        self._manager = manager
        self._store = manager.store
        self.factory = MatchFactory(manager.store, service, manager.games)
        self.item_spending = manager.item_spending
        self._tasks = RetryingTasks()
        self.rooms = RoomService(self.factory, self._tasks, self.wake)
        self.rounds = RoundService(self.factory, manager, self._tasks, self.wake)
        self._season_matches = SeasonMatches(self.factory, manager, self.item_spending, self._tasks)
        self.seasons = SeasonService(self.factory, service, self._season_matches, self.wake)
        self.retention = RetentionService(
            manager.store, manager.settings, manager.games.is_loaded, manager.has_readers, self._on_deleted
        )
        external = ExternalApi(manager.settings.assets_url, manager.settings.stakes_url)
        self._external_ledger = ExternalLedgerReader(manager.store, external, manager.settings.ledger_interval)
        service.seats.admission.reserve("round", entrants_of_match)
        service.seats.admission.reserve("season", members_of_match)
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start the loop."""
        self._manager.on_turn.append(self._on_turn)
        self._manager.games.on_loaded.append(lambda game: self.wake())
        if self._manager.settings.demo:
            await self.rooms.add_demo_rooms()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the loop and release the lease."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._tasks.close()
        with contextlib.suppress(StorageUnavailable):
            await self._store.write(partial(leases.release, name=_LEASE, node=self._manager.node))

    def _on_turn(self, match: Match, report: Report) -> None:
        if match.is_over:  # its slot may be due for the next match
            self._woken.set()

    def _on_deleted(self, match: str) -> None:
        self._manager.stop(match)
        self._manager.metrics.deleted.inc()

    def wake(self) -> None:
        """Tick now, without backoff: an organiser has changed something."""
        self._tasks.reset_backoff()
        self._woken.set()

    async def _run(self) -> None:
        while True:
            try:
                await self.tick(time.time())
            except Exception:
                log.exception("a tick failed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):  # `wait_for` loses a cancellation that comes with the event
                    await self._woken.wait()
            self._woken.clear()

    async def tick(self, now: float) -> None:
        """Start everything that is due, each as a task: one may wait for a game to be compiled."""
        start = self._tasks.start
        start("round limits", self.rounds.refresh_round_matches)
        start("season jobs", partial(self._season_matches.tick, now))
        acquire = partial(leases.acquire, name=_LEASE, node=self._manager.node, seconds=self._manager.settings.lease)
        try:
            is_leader = await self._store.write(acquire)
        except StorageUnavailable:
            return
        if is_leader:
            start("rooms", partial(self.rooms.tick, now))
            start("rounds", partial(self.rounds.tick, now))
            start("seasons", partial(self._season_matches.open_due, now))
            start("items of matches that are over", self._settle_items)
            start("external ledger", partial(self._external_ledger.refresh, now))
            start("orphaned matches", partial(self.factory.delete_orphans, now - _ORPHAN_AGE))
            start("retention", partial(self.retention.tick, now))

    async def _settle_items(self) -> None:
        """Release the items of finished and deleted matches whose owner died before it could."""
        held = await self._store.read(ledger_queries.list_holds)
        for match in {hold.match for hold in held}:
            row = await self._store.read(partial(match_queries.find, match=match))
            if row is None:
                await self._store.write(partial(ledger_queries.release_all, match=match))
            elif row.state in ("over", "broken") and self._manager.games.is_loaded(row.game):
                await self.item_spending.reconcile(await self._manager.match(match))
