"""The matches in this node's memory: owned ones run here, replicas of others are shown."""

import asyncio
import contextlib
import itertools
import logging
import random
import secrets
from collections.abc import Coroutine, Iterator
from functools import partial
from typing import Any, Final, Literal

import msgspec

from marchland.core.report import Report
from marchland.errors import OwnershipLost, Refused, StorageUnavailable
from marchland.match import Match, OnJoin, OnTurn
from marchland.match.views import ViewEncoder
from marchland.messages import ActResult
from marchland.server.cluster import queries as cluster_queries
from marchland.server.cluster.notifications import PgListener, subscribe
from marchland.server.cluster.owner_calls import OwnerCalls
from marchland.server.cluster.ownership import MatchOwnership
from marchland.server.cluster.replication import POLL, catch_up, replicate
from marchland.server.game_loader import GameLoader
from marchland.server.http.rate_limit import TokenBuckets
from marchland.server.ledger.item_use import ItemSpending
from marchland.server.matches import queries
from marchland.server.matches.builtin_bots import BuiltinBots
from marchland.server.matches.capacity import Capacity
from marchland.server.matches.loader import MatchLoader
from marchland.server.matches.outdated import list_outdated
from marchland.server.matches.view_pool import ViewPool
from marchland.server.metrics import Metrics
from marchland.server.settings import Settings
from marchland.store import Database

_RETRY: Final = 1.0
"""Seconds before a match whose log could not be written is loaded again."""
_MAX_IDLE: Final = 20
"""Finished matches without readers that stay in memory."""

log = logging.getLogger(__name__)

SlotState = Literal["empty", "claiming", "owned", "replica"]


class MatchSlot:
    """Everything about one match on this node."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.loaded_as = 0
        """A number that grows with each load, for the eviction of the oldest."""
        self.run: asyncio.Task[None] | None = None
        """Claims the match and runs it."""
        self.replication: asyncio.Task[None] | None = None
        self.claim_settled = asyncio.Event()
        """Set once it is known whether this node owns the match."""
        self.started: asyncio.Event | None = None
        """Set when the match has started or never will; None if nothing waits for that."""
        self.load_lock = asyncio.Lock()
        self.users = 0
        """Coroutines that hold this object."""

    @property
    def state(self) -> SlotState:
        """What this node has of the match."""
        if self.match is None:
            return "empty" if self.run is None else "claiming"
        return "replica" if self.match.is_replica else "owned"

    @property
    def is_disposable(self) -> bool:
        """Whether nothing refers to this object any more."""
        return self.state == "empty" and self.replication is None and self.started is None and self.users == 0


class MatchManager:
    """Runs the matches that this node owns and replicates those that it shows for others."""

    def __init__(self, store: Database, settings: Settings, metrics: Metrics, games: GameLoader) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics
        self.node = secrets.token_hex(6)
        self.games = games
        self.item_spending = ItemSpending(store)
        self.capacity = Capacity(settings)
        self._bots = BuiltinBots(self.spawn)
        self._view_pool = ViewPool()
        encoder = ViewEncoder(self._view_pool.encode, on_computed=metrics.views.inc)
        self._loader = MatchLoader(store, games, settings, encoder, self._on_turn, self._on_change)
        self.in_rounds: set[str] = set()
        """Matches of a round, which have a rate limit of their own."""
        self.round_limit = TokenBuckets(settings.round_rate)
        self.on_turn: list[OnTurn] = []
        """Called after every input of every match, once it is durable."""
        self.on_change: list[OnJoin] = []
        """Called when a match is loaded, and when a player has joined it."""
        self._slots: dict[str, MatchSlot] = {}
        self._load_count = itertools.count(1)
        self._ownership = MatchOwnership(store, self.node, settings.lease, lambda: self.loaded)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._listener = PgListener(store) if store.is_shared else None
        self.owner_calls = OwnerCalls(store, self.node, self._listener, settings.lease)
        self.owner_calls.register("act", self._act_as_owner)

    async def begin(self) -> None:
        """Load every match without an owner."""
        if self._listener is not None:
            self._listener.start(asyncio.get_running_loop())
        if not self.store.is_shared:  # the only other process that could own anything has died
            await self.store.write(cluster_queries.release_all)
        for outdated in await self.store.read(list_outdated):
            versions = {"version": outdated.version, "installed": outdated.installed}
            extra = {"match": outdated.match, "match_name": outdated.name, "game": outdated.game, **versions}
            log.warning("a match breaks off: its game has another version", extra=extra)
        await self._ownership.claim_free(self.stop, self.run)
        self.spawn(self._ownership.renew_forever(self.stop, self.run))
        self.spawn(self.owner_calls.serve())
        if self.store.is_shared:
            self.spawn(self._ownership.poll_ready())

    async def close(self) -> None:
        """Stop everything and release all leases; what was acknowledged is durable."""
        slots = list(self._slots.values())
        tasks = [task for slot in slots for task in (slot.run, slot.replication) if task is not None]
        tasks += self._tasks
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.owner_calls.close()
        for match in self.loaded:
            match.close("restart")
        with contextlib.suppress(StorageUnavailable):
            await self.store.write(lambda connection: cluster_queries.release(connection, self.node))
        if self._listener is not None:
            self._listener.close()
        await asyncio.gather(self._bots.close(), self._view_pool.close())

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a background task; a failure is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._log_failure)

    def _log_failure(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            log.error("a task failed", exc_info=problem)

    # ---------------------------------------------------------------- slots

    @property
    def loaded(self) -> list[Match]:
        """The matches in memory."""
        return [slot.match for slot in self._slots.values() if slot.match is not None]

    def find_loaded(self, id: str) -> Match | None:
        """A match in memory."""
        slot = self._slots.get(id)
        return None if slot is None else slot.match

    def has_readers(self, id: str) -> bool:
        """Whether someone on this node reads a match now."""
        slot = self._slots.get(id)
        return slot is not None and (slot.users > 0 or (slot.match is not None and slot.match.count_readers() > 0))

    @contextlib.contextmanager
    def _use_slot(self, id: str) -> Iterator[MatchSlot]:
        slot = self._slots.setdefault(id, MatchSlot())
        slot.users += 1
        try:
            yield slot
        finally:
            slot.users -= 1
            self._discard_if_unused(id)

    def _discard_if_unused(self, id: str) -> None:
        slot = self._slots.get(id)
        if slot is not None and slot.is_disposable:
            del self._slots[id]

    # ---------------------------------------------------------------- finding matches

    async def match(self, id: str) -> Match:
        """A match that has started, to play in or to view."""
        match = await self.loaded_or_loading(id)
        if match is not None:
            return match
        with self._use_slot(id) as slot:
            async with slot.load_lock:
                if slot.match is None:
                    self._add_unowned(slot, await self._loader.load(id, None))
                assert slot.match is not None
                return slot.match

    async def loaded_or_loading(self, id: str) -> Match | None:
        """A match in memory; waits for one that is being claimed, whose rows are about to change.

        `GameNotLoaded` if its game is still loading: until then no match of it is being claimed.
        """
        slot = self._slots.get(id)
        if slot is None or slot.match is None:
            if (game := await self._game_to_load(id)) is not None:
                await self.games.require(game)
            slot = self._slots.get(id)
            if slot is not None and slot.state == "claiming":
                await slot.claim_settled.wait()
        return self.find_loaded(id)

    async def _game_to_load(self, id: str) -> str | None:
        """The game of a match that has started, unless it is loaded."""
        if self.games.all_loaded:
            return None
        row = await self.store.read(partial(queries.find, match=id))
        return row.game if row is not None and row.state != "lobby" and not self.games.is_loaded(row.game) else None

    async def wait_for_start(self, id: str) -> Match:
        """A match as soon as it has started, here or on another node; refused if it never will."""
        with self._use_slot(id) as slot:
            started = slot.started = slot.started or asyncio.Event()
            try:
                while True:
                    with contextlib.suppress(TimeoutError):  # a start on another node is found by polling
                        await asyncio.wait_for(started.wait(), POLL if self.store.is_shared else None)
                    try:
                        return await self.match(id)
                    except Refused as problem:
                        if problem.error != "not_started" or started.is_set():
                            raise
            finally:
                if slot.users == 1 and slot.started is started:  # the last waiter
                    slot.started = None

    def notify_started(self, id: str) -> None:
        """Wake the waiters for a match that has started or never will."""
        slot = self._slots.get(id)
        if slot is not None and slot.started is not None:
            slot.started.set()
            slot.started = None
            self._discard_if_unused(id)

    def subscribe(self, topic: str) -> contextlib.AbstractContextManager[asyncio.Event]:
        """An event that is set by every notification of a topic from another node."""
        return subscribe(self._listener, topic)

    # ---------------------------------------------------------------- running and replicating

    def run(self, id: str) -> None:
        """Claim a match and run it, unless another node owns it."""
        slot = self._slots.setdefault(id, MatchSlot())
        if slot.run is None:
            slot.claim_settled = asyncio.Event()
            slot.run = task = asyncio.create_task(self._run(id, slot))
            task.add_done_callback(partial(self._run_ended, id, slot))

    def _run_ended(self, id: str, slot: MatchSlot, task: asyncio.Task[None]) -> None:
        if slot.run is task:
            slot.run = None
            slot.claim_settled.set()
            if slot.match is None:
                self.capacity.remove(id)
            self._discard_if_unused(id)

    async def _run(self, id: str, slot: MatchSlot) -> None:
        while True:
            try:
                if (game := await self._game_to_load(id)) is not None:  # meanwhile another node may run it
                    await self.games.wait_until_loaded(game)
                claim = await self._ownership.claim(id)
                if claim is None:
                    return
                match = await self._loader.load(id, claim.epoch, claim.is_valid)
                replica = slot.match
                self._unload(slot)  # readers of the replica reconnect
                self._set_match(slot, match)
                if replica is not None:
                    replica.successor = match
                slot.claim_settled.set()
                self.notify_started(id)
                self._on_change(match)
                await match.run()
                log.info("match over", extra={"match": id, "turn": match.game.turn})
                self._bots.release(match)
                self.capacity.remove(id)
                self._evict_idle()
                return
            except OwnershipLost:  # to another node, or only while the database was away: the next claim decides
                log.warning("a match may have another owner", extra={"match": id})
                self._unload(slot)
            except StorageUnavailable as problem:
                log.error("a match waits for the database", extra={"match": id, "error": str(problem)})
                self._unload(slot)
                await asyncio.sleep(_RETRY * (0.5 + random.random()))
            except Exception:
                log.exception("a match broke", extra={"match": id})
                self._unload(slot)
                with contextlib.suppress(StorageUnavailable):
                    await self.store.write(partial(cluster_queries.mark_broken, match=id, node=self.node))
                    self.notify_started(id)
                    return
                await asyncio.sleep(_RETRY)

    def _add_unowned(self, slot: MatchSlot, match: Match) -> None:
        """Show a match that this node does not own, unless it has claimed it meanwhile."""
        if slot.match is not None:
            return
        self._set_match(slot, match)
        if match.state == "running":
            slot.replication = asyncio.create_task(self._replicate(slot, match))
        else:
            self._evict_idle()

    async def _replicate(self, slot: MatchSlot, match: Match) -> None:
        try:
            await replicate(self.store, self._listener, match)
        except OwnershipLost:
            log.info("a replicated match was deleted or is broken", extra={"match": match.id})
        except Exception:
            log.exception("a match could not be replicated", extra={"match": match.id})
        slot.replication = None
        self.capacity.remove(match.id)
        if not match.is_over:  # the next reader has it loaded again
            self._unload(slot)
        self._discard_if_unused(match.id)
        self._evict_idle()

    def _set_match(self, slot: MatchSlot, match: Match) -> None:
        slot.match, slot.loaded_as = match, next(self._load_count)
        if match.state == "running":
            self.capacity.add(match.id, match.game, match.creator)

    def _unload(self, slot: MatchSlot) -> None:
        """Remove a match from memory; its readers reconnect and get what is in the log."""
        if slot.replication is not None:
            slot.replication.cancel()
            slot.replication = None
        if slot.match is not None:
            match, slot.match = slot.match, None
            match.close("restart")
            self._bots.release(match)
            self.capacity.remove(match.id)

    def stop(self, id: str) -> None:
        """Stop a match that this node must not run or show any more."""
        self.capacity.remove(id)
        slot = self._slots.get(id)
        if slot is None:
            return
        if slot.run is not None:
            slot.run.cancel()
            slot.run = None
            slot.claim_settled.set()
        self._unload(slot)
        self._discard_if_unused(id)

    def _evict_idle(self) -> None:
        """Unload the oldest of the finished matches without readers."""
        idle = sorted((slot.loaded_as, match) for match, slot in self._slots.items() if _is_idle(slot))
        for _, match in idle[:-_MAX_IDLE]:
            self._slots[match].match = None
            self._discard_if_unused(match)

    # ---------------------------------------------------------------- actions

    async def require_owned(self, id: str) -> Match:
        """A match that this node owns; `OwnershipLost` if it does not."""
        match = await self.loaded_or_loading(id)
        if match is None or match.is_replica:
            raise OwnershipLost(id)
        return match

    async def act(self, match: Match, seat: int, order: Any, key: str) -> ActResult:
        """An immediate action of a seat, done by the node that owns the match."""
        if not match.is_replica:
            return await self.item_spending.act(match, seat, order, key)
        match.require_running()
        result = await self.call_owner("act", match, {"seat": seat, "order": order, "key": key})
        return msgspec.convert(result, ActResult)

    async def call_owner(self, what: str, match: Match, body: Any) -> Any:
        """Call the node that owns a match; the replica here shows the effect when this returns."""
        result = await self.owner_calls.call(what, match.id, body)
        await catch_up(self.store, match)
        return result

    async def _act_as_owner(self, id: str, body: Any) -> ActResult:
        return await self.item_spending.act(await self.require_owned(id), body["seat"], body["order"], body["key"])

    # ---------------------------------------------------------------- events

    def _on_turn(self, match: Match, report: Report) -> None:
        if not match.is_replica and (report.turn < match.game.turn or match.is_over):
            self.metrics.turns.labels(match.game.name).inc()
            self.metrics.lateness.observe(match.clock.overdue)
            self.metrics.missed.inc(len(match.late_seats))
        for listener in self.on_turn:
            listener(match, report)
        if not match.is_replica and not match.is_over:
            self._bots.ask(match)

    def _on_change(self, match: Match) -> None:
        for listener in self.on_change:
            listener(match)
        if not match.is_replica and not match.is_over:
            self._bots.ask(match)


def _is_idle(slot: MatchSlot) -> bool:
    return slot.match is not None and slot.match.state != "running" and not slot.match.count_readers()
