"""Which matches are this node's: claimed, held by leases that are renewed, taken over where their owner is silent."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from marchland.errors import StorageUnavailable
from marchland.match import Match
from marchland.server.cluster.lease_timer import Holding
from marchland.server.matches import queries as match_queries
from marchland.store import Store

_READY_POLL = 0.25  # seconds after which an owner asks who has told other nodes to be ready


class Claim(NamedTuple):
    """A match that is ours: since which epoch, and whether it certainly still is."""

    epoch: int
    is_ours: Callable[[], bool]


class Claims:
    """The leases of one node, over the matches that it has in ``memory``."""

    def __init__(self, store: Store, node: str, lease: float, memory: dict[str, Match]) -> None:
        self._store = store
        self._node = node
        self._lease = lease
        self._memory = memory
        self._holding = Holding(lease, contested=store.many_nodes)

    async def claim(self, match: str) -> Claim | None:
        """Make a running match ours; None if another node holds it."""
        asked = time.monotonic()
        claim = partial(match_queries.claim, match=match, node=self._node, lease=self._lease)
        epoch: int | None = await self._store.write(claim)
        return None if epoch is None else Claim(epoch, self._holding.of(asked))

    async def hold(self, forget: Callable[[str], None], run: Callable[[str], None]) -> None:
        """Renew all leases, for ever: ``forget`` what is ours no more, ``run`` what is nobody's."""
        while True:
            await asyncio.sleep(self._lease / 3)
            with contextlib.suppress(StorageUnavailable):
                asked = time.monotonic()
                mine = await self._store.write(partial(match_queries.renew, node=self._node, lease=self._lease))
                self._holding.renewed(asked)
                for match in list(self._memory.values()):
                    if not match.is_replica and not match.is_over and match.id not in mine:
                        forget(match.id)
                await self.look_around(forget, run)

    async def look_around(self, forget: Callable[[str], None], run: Callable[[str], None]) -> None:
        """Run every match that nobody runs; whoever was shown it as somebody else's comes back."""
        for free in await self._store.read(partial(match_queries.claimable, node=self._node)):
            known = self._memory.get(free)
            if known is not None and known.is_replica:
                forget(free)
            run(free)

    async def hear_who_is_ready(self) -> None:
        """Turns end early also if some gave their orders at another node; one question for all, not one a post."""
        while True:
            await asyncio.sleep(_READY_POLL)
            waiting = {match.id: match for match in self._memory.values() if match.is_waiting_for_ready}
            if not waiting:
                continue
            with contextlib.suppress(StorageUnavailable):
                for one, turn, seat in await self._store.read(partial(match_queries.ready_seats, of=list(waiting))):
                    waiting[one].note_ready(turn, seat)
