"""What happens by itself: rooms, rounds and seasons move on, jobs are done. Turns have clocks of their own.

One node at a time opens matches: the one that holds the lease. Each node does the jobs of the matches that it runs. All
of it is written so that whatever is cut short is finished by the next tick, here or elsewhere.
"""

import asyncio
import contextlib
import logging
import time
from functools import partial

from marchland.core.report import Report
from marchland.errors import StorageUnavailable
from marchland.match import Match
from marchland.server import audit
from marchland.server.ledger import queries as ledger_queries
from marchland.server.ledger import routes as ledger_routes
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import Opener
from marchland.server.matches.manager import Host
from marchland.server.matches.service import Lobby
from marchland.server.rooms import routes as rooms_routes
from marchland.server.rooms.routes import Rooms
from marchland.server.rounds import routes as rounds_routes
from marchland.server.rounds.service import Rounds
from marchland.server.seasons import game_routes, job_routes
from marchland.server.seasons import routes as seasons_routes
from marchland.server.seasons.service import SeasonMatches
from marchland.server.tasks import Beside
from marchland.store import leases

log = logging.getLogger(__name__)

TICK = 1.0
_LEASE = "scheduler"
_ORPHANED = 60.0  # seconds after which a match without a place was forgotten by whoever made it

ROUTERS = (
    audit.router,
    job_routes.router,
    ledger_routes.router,
    rooms_routes.router,
    rounds_routes.router,
    game_routes.router,
    seasons_routes.router,
)


class Organiser:
    """The loop that looks after everything that has a time."""

    def __init__(self, host: Host, lobby: Lobby) -> None:
        self._host = host
        self._store = host.store
        self.opener = Opener(host.store, lobby, host.games)
        self.spending = host.spending
        self._beside = Beside()
        self.rooms = Rooms(self.opener, self._beside)
        self.rounds = Rounds(self.opener, host, self._beside)
        self.seasons = SeasonMatches(self.opener, host, self.spending, self._beside)
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start the loop."""
        self._host.on_turn.append(self._on_turn)
        self._host.games.on_loaded.append(lambda game: self.wake())
        if self._host.settings.demo:
            await self.rooms.add_demos()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop it, and let another node go on at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._beside.close()
        with contextlib.suppress(StorageUnavailable):
            await self._store.write(partial(leases.let_go, name=_LEASE, node=self._host.node))

    def _on_turn(self, match: Match, report: Report) -> None:
        if match.is_over:  # what comes next should be known soon
            self._woken.set()

    def wake(self) -> None:
        """Look now: an organiser has changed something."""
        self._beside.hope_again()
        self._woken.set()

    async def _run(self) -> None:
        while True:
            try:
                await self.tick(time.time())
            except Exception:
                log.exception("rooms, rounds and seasons could not be looked after")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):  # `wait_for` loses a cancellation that comes with the event
                    await self._woken.wait()
            self._woken.clear()

    async def tick(self, now: float) -> None:
        """Begin everything that is due. Nothing waits for anything else: a game may have to be compiled first."""
        do = self._beside.do
        do("round limits", self.rounds.remember)
        do("season jobs", partial(self.seasons.tick, now))
        hold = partial(leases.hold, name=_LEASE, node=self._host.node, seconds=self._host.settings.lease)
        try:
            mine = await self._store.write(hold)
        except StorageUnavailable:
            return
        if mine:
            do("rooms", partial(self.rooms.tick, now))
            do("rounds", partial(self.rounds.tick, now))
            do("seasons", partial(self.seasons.open_due, now))
            do("items of matches that are over", self._settle_items)
            do("forgotten matches", partial(self.opener.clear_away, now - _ORPHANED))

    async def _settle_items(self) -> None:
        """A match that has ended or is gone holds nothing; its owner may have died before giving it back."""
        held = await self._store.read(ledger_queries.held)
        for match in {one.match for one in held}:
            row = await self._store.read(partial(match_queries.find, match=match))
            if row is None:
                await self._store.write(partial(ledger_queries.release_all, match=match))
            elif row.state in ("over", "broken") and self._host.games.is_loaded(row.game):
                await self.spending.reconcile(await self._host.match(match))
