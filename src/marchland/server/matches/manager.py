"""Every match that this node runs or shows."""

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Coroutine
from functools import partial
from typing import Any

import msgspec

from marchland.core.report import Report
from marchland.errors import OwnershipLost, Refused, StorageUnavailable
from marchland.match import Match, OnJoin, OnTurn
from marchland.messages import Acted
from marchland.server.cluster.notifications import Listener, expecting
from marchland.server.cluster.owner_calls import Errands
from marchland.server.cluster.ownership import Claims
from marchland.server.cluster.replication import POLL, catch_up, follow
from marchland.server.game_loader import GameLoader
from marchland.server.ledger.item_use import Spending
from marchland.server.matches import queries
from marchland.server.matches.builtin_bots import HouseBots
from marchland.server.matches.loader import MatchLoader
from marchland.server.metrics import Metrics
from marchland.server.settings import Settings
from marchland.store import Store

_RETRY = 1.0  # seconds before a match that could not be kept is taken up again
_KEPT_IDLE = 20  # matches that nobody runs any more and somebody may still look at

log = logging.getLogger(__name__)


class Host:
    """Runs the matches that this node owns, follows those that it shows for others."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics, games: GameLoader) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics
        self.node = secrets.token_hex(6)
        self.games = games
        self.spending = Spending(store)
        self._bots = HouseBots(self.spawn)
        self._loader = MatchLoader(store, games, settings.posts_limit, self._on_turn, self._on_change)
        self.in_rounds: set[str] = set()
        """Matches of a round, in which everybody may ask only so often."""
        self.on_turn: list[OnTurn] = []
        """Who is told of every input of every match, after it is kept."""
        self.on_change: list[OnJoin] = []
        """Who is told when a match is there to be looked at, and when somebody has joined it."""
        self._matches: dict[str, Match] = {}
        self._claims = Claims(store, self.node, settings.lease, self._matches)
        self._loading: dict[str, asyncio.Lock] = {}
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._taken_up: dict[str, asyncio.Event] = {}
        """Set for each match that this node runs, or tried to, once that is known."""
        self._follows: dict[str, asyncio.Task[None]] = {}
        self._awaited: dict[str, asyncio.Event] = {}
        """Set when a match for whose start somebody waits has started here, or is no more."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._listener = Listener(store) if store.many_nodes else None
        self.errands = Errands(store, self.node, self._listener, settings.lease)
        self.errands.handle("act", self._act_here)

    async def begin(self) -> None:
        """Take up every match that nobody runs."""
        if self._listener is not None:
            self._listener.start(asyncio.get_running_loop())
        if not self.store.many_nodes:  # whatever another process owned here has died with it
            await self.store.write(queries.free_all)
        await self._claims.look_around(self.forget, self.run)
        self.spawn(self._claims.hold(self.forget, self.run))
        self.spawn(self.errands.run())
        if self.store.many_nodes:
            self.spawn(self._claims.hear_who_is_ready())

    async def close(self) -> None:
        """Stop everything; what was acknowledged is kept, and another node may go on at once."""
        tasks = [*self._runs.values(), *self._follows.values(), *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.errands.close()
        for match in self._matches.values():
            match.close("restart")
        with contextlib.suppress(StorageUnavailable):
            await self.store.write(lambda connection: queries.let_go(connection, self.node))
        if self._listener is not None:
            self._listener.close()
        await self._bots.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside everything else; what goes wrong is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            log.error("a task failed", exc_info=problem)

    @property
    def running(self) -> list[Match]:
        """The matches in memory."""
        return list(self._matches.values())

    async def match(self, id: str) -> Match:
        """A match that has started, to play in or to look at."""
        known = await self.at_hand(id)
        if known is not None:
            return known
        try:
            async with self._loading.setdefault(id, asyncio.Lock()):
                if id not in self._matches:
                    self._show(await self._loader.loaded(id, None))
                return self._matches[id]
        finally:
            self._loading.pop(id, None)

    async def at_hand(self, id: str) -> Match | None:
        """A match that is in memory, or is on its way there: who looks at the rows meanwhile must wait for it.

        `GameNotLoaded` if its game is still loading: until then no match of it is on its way.
        """
        if id not in self._matches and (game := await self._game_to_load(id)) is not None:
            await self.games.require(game)
        if id not in self._matches and id in self._taken_up:
            await self._taken_up[id].wait()
        return self._matches.get(id)

    async def _game_to_load(self, id: str) -> str | None:
        """The game of a match that has started, unless it is loaded."""
        if self.games.all_loaded:
            return None
        row = await self.store.read(partial(queries.find, match=id))
        return row.game if row is not None and row.state != "lobby" and not self.games.is_loaded(row.game) else None

    async def start_of(self, id: str) -> Match:
        """A match as soon as it has started, here or on another node; refused if it never will."""
        event = self._awaited.setdefault(id, asyncio.Event())
        while True:
            with contextlib.suppress(TimeoutError):  # another node would not tell
                await asyncio.wait_for(event.wait(), POLL if self.store.many_nodes else None)
            try:
                return await self.match(id)
            except Refused as problem:
                if problem.error != "not_started" or event.is_set():
                    raise

    def wait_no_more(self, id: str) -> None:
        """A match has started, or never will: tell those who wait for it."""
        event = self._awaited.pop(id, None)
        if event is not None:
            event.set()

    def expecting(self, whom: str) -> contextlib.AbstractContextManager[asyncio.Event]:
        """An event that is set whenever a node, this one or another, rings for somebody."""
        return expecting(self._listener, whom)

    def _show(self, match: Match) -> None:
        """Let people look at a match that this node does not run."""
        if match.id in self._matches:  # which it does by now
            return
        self._matches[match.id] = match
        if match.state != "running":
            self._make_room()
        else:
            self._follows[match.id] = asyncio.create_task(self._follow(match))

    def run(self, id: str) -> None:
        """Claim a match and run it, if nobody else does."""
        if id not in self._runs:
            self._taken_up[id] = asyncio.Event()
            self._runs[id] = task = asyncio.create_task(self._run(id))
            task.add_done_callback(partial(self._ended, id))

    def _ended(self, id: str, task: asyncio.Task[None]) -> None:
        if self._runs.get(id) is task:
            del self._runs[id]
            self._taken_up.pop(id).set()

    async def _run(self, id: str) -> None:
        while True:
            try:
                if (game := await self._game_to_load(id)) is not None:  # meanwhile another node may run it
                    await self.games.wait_until_loaded(game)
                claim = await self._claims.claim(id)
                if claim is None:
                    return
                match = await self._loader.loaded(id, claim.epoch, claim.is_ours)
                self._drop(id)  # whoever was shown it as somebody else's comes back at once
                self._matches[id] = match
                self._taken_up[id].set()
                self.wait_no_more(id)
                self._on_change(match)
                self._bots.ask(match)
                await match.run()
                log.info("match over", extra={"match": id, "turn": match.game.turn})
                self._bots.let_go(match)
                self._make_room()
                return
            except (
                OwnershipLost
            ):  # to another node, or only for as long as the database stood still: the next claim tells
                log.warning("a match may be another node's", extra={"match": id})
                self._drop(id)
            except StorageUnavailable as problem:
                log.error("a match waits for the database", extra={"match": id, "why": str(problem)})
                self._drop(id)
                await asyncio.sleep(_RETRY * (0.5 + random.random()))
            except Exception:
                log.exception("a match broke", extra={"match": id})
                self._drop(id)
                with contextlib.suppress(StorageUnavailable):
                    await self.store.write(partial(queries.break_off, match=id, node=self.node))
                    self.wait_no_more(id)
                    return
                await asyncio.sleep(_RETRY)

    async def _follow(self, match: Match) -> None:
        """Show what another node plays, until it ends or this node takes over."""
        try:
            await follow(self.store, self._listener, match)
        except OwnershipLost:
            log.info("a match was removed or has broken off", extra={"match": match.id})
        except Exception:
            log.exception("a match could not be followed", extra={"match": match.id})
        self._follows.pop(match.id, None)
        if not match.is_over:  # whoever still wants to see it has it taken up anew
            self._drop(match.id)
        self._make_room()

    async def owned(self, id: str) -> Match:
        """A match that this node runs; `OwnershipLost` if it does not, or no more."""
        match = await self.at_hand(id)
        if match is None or match.is_replica:
            raise OwnershipLost(id)
        return match

    async def act(self, match: Match, seat: int, order: Any, key: str) -> Acted:
        """An immediate action of a seat, done by whichever node runs the match."""
        if not match.is_replica:
            return await self.spending.act(match, seat, order, key)
        match.require_running()
        told = await self.ask_owner("act", match, {"seat": seat, "order": order, "key": key})
        return msgspec.convert(told, Acted)

    async def ask_owner(self, what: str, match: Match, asked: Any) -> Any:
        """Have the node that runs a match do something; what came of it can be seen here when this returns."""
        told = await self.errands.send(what, match.id, asked)
        await catch_up(self.store, match)
        return told

    async def _act_here(self, id: str, asked: Any) -> Acted:
        return await self.spending.act(await self.owned(id), asked["seat"], asked["order"], asked["key"])

    def _on_turn(self, match: Match, report: Report) -> None:
        if not match.is_replica and (report.turn < match.game.turn or match.is_over):
            self.metrics.turns.labels(match.game.name).inc()
            self.metrics.lateness.observe(match.clock.overdue)
            self.metrics.missed.inc(len(match.late_seats))
        for told in self.on_turn:
            told(match, report)
        if not match.is_replica and not match.is_over:
            self._bots.ask(match)

    def _on_change(self, match: Match) -> None:
        for told in self.on_change:
            told(match)

    def _drop(self, id: str) -> None:
        """Forget a match; whoever watches it comes back and is shown what was kept."""
        follow = self._follows.pop(id, None)
        if follow is not None:
            follow.cancel()
        match = self._matches.pop(id, None)
        if match is not None:
            match.close("restart")

    def forget(self, id: str) -> None:
        """Stop a match that is to be no more."""
        task = self._runs.pop(id, None)
        if task is not None:
            task.cancel()
            self._taken_up.pop(id).set()
        if id in self._matches:
            self._bots.let_go(self._matches[id])
        self._drop(id)

    def _make_room(self) -> None:
        """Keep only the youngest of the matches that have ended and that nobody watches."""
        idle = [match for match in self._matches.values() if match.state != "running" and not match.count_readers()]
        for match in idle[:-_KEPT_IDLE]:
            del self._matches[match.id]
