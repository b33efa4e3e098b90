"""Ownership of matches by leases: claim, renew, take over from a silent node."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from marchland.errors import StorageUnavailable
from marchland.match import Match
from marchland.server.cluster import queries
from marchland.store import Database

_READY_POLL = 0.25
"""Seconds between queries for players who are ready at another node."""


class LeaseTimer:
    """Local lease expiry on the monotonic clock, so that a paused node stops before another takes over."""

    def __init__(self, lease: float, *, is_contested: bool) -> None:
        self._lease = lease
        self._is_contested = is_contested
        self._renewed = 0.0

    def renewed(self, asked: float) -> None:
        """Note that all leases of this node were renewed by a request sent at that time."""
        self._renewed = asked

    def valid_since(self, claimed: float) -> Callable[[], bool]:
        """A function that says whether the lease of a match claimed at that time is certainly still valid."""
        return lambda: not self._is_contested or time.monotonic() < max(claimed, self._renewed) + self._lease


class Claim(NamedTuple):
    """Ownership of one match: the epoch that fences its writes, and whether the lease is certainly valid."""

    epoch: int
    is_valid: Callable[[], bool]


class MatchOwnership:
    """The leases of one node. ``loaded`` lists the matches in its memory."""

    def __init__(self, store: Database, node: str, lease: float, loaded: Callable[[], Sequence[Match]]) -> None:
        self._store = store
        self._node = node
        self._lease = lease
        self._loaded = loaded
        self._timer = LeaseTimer(lease, is_contested=store.is_shared)

    async def claim(self, match: str) -> Claim | None:
        """Become the owner of a running match; None if another node holds its lease."""
        asked = time.monotonic()
        claim = partial(queries.claim, match=match, node=self._node, lease=self._lease)
        epoch: int | None = await self._store.write(claim)
        return None if epoch is None else Claim(epoch, self._timer.valid_since(asked))

    async def renew_forever(self, stop: Callable[[str], None], run: Callable[[str], None]) -> None:
        """Renew all leases until cancelled: ``stop`` matches that were lost, ``run`` those without an owner."""
        while True:
            await asyncio.sleep(self._lease / 3)
            with contextlib.suppress(StorageUnavailable):
                asked = time.monotonic()
                owned = await self._store.write(partial(queries.renew, node=self._node, lease=self._lease))
                self._timer.renewed(asked)
                for match in self._loaded():
                    if not match.is_replica and not match.is_over and match.id not in owned:
                        stop(match.id)
                await self.claim_free(stop, run)

    async def claim_free(self, stop: Callable[[str], None], run: Callable[[str], None]) -> None:
        """Run every match without an owner; its replica here ends, and its readers reconnect."""
        replicas = {match.id for match in self._loaded() if match.is_replica}
        for free in await self._store.read(partial(queries.list_claimable, node=self._node)):
            if free in replicas:
                stop(free)
            run(free)

    async def poll_ready(self) -> None:
        """Let turns end early also if orders arrived at another node: one query for all matches, until cancelled."""
        while True:
            await asyncio.sleep(_READY_POLL)
            waiting = {match.id: match for match in self._loaded() if match.is_waiting_for_ready}
            if not waiting:
                continue
            with contextlib.suppress(StorageUnavailable):
                for match_id, turn, seat in await self._store.read(
                    partial(queries.list_ready_seats, matches_=list(waiting))
                ):
                    waiting[match_id].note_ready(turn, seat)
