"""Hive's games as long as the server runs: who listens, who asks too often, and what nobody completes."""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

from litestar import Request, WebSocket

from marchland.core.report import Report
from marchland.errors import Refused, StorageUnavailable
from marchland.games.hive.wire import InfluenceLog
from marchland.match import Match
from marchland.server.http.auth import Authenticator
from marchland.server.http.rate_limit import RateLimited, TokenBuckets
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire import Wire
from marchland.server.wire.hive.games import Games
from marchland.server.wire.match_fold import MatchFold
from marchland.store import leases

_TICK = 10.0
_POLL, _POLL_NODES = 1.0, 0.25  # seconds after which a game is looked for that may have begun on another node
_LEASE = "wire hive"
_MAKING = 0.001, 20
"""What part of an address's requests may make games, and how many of them at once: there is room for all."""
_MOST_FOLLOWED = 1000
"""Matches whose influence is followed; that of others is found out anew when somebody asks."""

log = logging.getLogger(__name__)


class TurnListener:
    """Somebody who wants to hear of every turn of a game."""

    def __init__(self, manager: MatchManager, match: str) -> None:
        self._manager = manager
        self._match = match
        self._poll = _POLL_NODES if manager.store.many_nodes else _POLL
        self._turns: asyncio.Queue[tuple[int, bool]] = asyncio.Queue()

    def tell(self, match: Match) -> None:
        """How it stands now."""
        self._turns.put_nowait((match.game.turn, match.is_over))

    async def turns(self, socket: WebSocket[Any, Any, Any]) -> AsyncIterator[tuple[int, bool]]:
        """Each turn once, from the one that runs to the end; over early if the peer goes."""
        gone = asyncio.create_task(_until_gone(socket))
        last: tuple[int, bool] = (-1, False)
        try:
            while not last[1]:
                next_turn = asyncio.create_task(self._next(last[0] < 0))
                await asyncio.wait((gone, next_turn), return_when=asyncio.FIRST_COMPLETED)
                if gone.done():
                    next_turn.cancel()
                    return
                if next_turn.result() > last:
                    last = next_turn.result()
                    yield last
        finally:
            gone.cancel()

    async def _next(self, first: bool) -> tuple[int, bool]:
        while True:
            if first:
                with contextlib.suppress(Refused, StorageUnavailable):  # it has not started yet
                    match = await self._manager.match(self._match)
                    return await match.read(lambda game: (game.turn, game.outcome is not None))
            with contextlib.suppress(TimeoutError):
                return await asyncio.wait_for(self._turns.get(), self._poll if first else None)


def _note_influence(log: InfluenceLog, game: Any, report: Report, at: float) -> None:
    log.note(game)


async def _until_gone(socket: WebSocket[Any, Any, Any]) -> None:
    with contextlib.suppress(Exception):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass


class Hives(Wire):
    """The wire's games and those who listen to them."""

    def __init__(self) -> None:
        self.games: Games
        self._service: MatchService
        self._listeners: dict[str, set[TurnListener]] = {}
        self._influences: OrderedDict[str, MatchFold[InfluenceLog]] = OrderedDict()
        self._buckets: TokenBuckets
        self._making: TokenBuckets
        self._task: asyncio.Task[None] | None = None

    async def begin(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        """Begin to clear away what nobody completes."""
        self.games = Games(manager, service)
        self._service = service
        self._buckets = TokenBuckets(manager.settings.rate)
        share, at_once = _MAKING
        self._making = TokenBuckets(share * manager.settings.rate_address, at_once)
        manager.on_turn.append(self._on_turn)
        manager.on_change.append(self._tell)
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def entered(self, request: Request[Any, Any, Any]) -> tuple[Match, int | None]:
        """The match that a request is about, and for whom its token speaks; refused if that comes too often."""
        asked = request.query_params
        token = asked.get("token") or ""
        found = await self.games.entered(asked.get("id") or "", token)
        if waiting := self._buckets.take(token):
            raise RateLimited(waiting)
        return found

    def check_maker(self, request: Request[Any, Any, Any]) -> None:
        """Refuse whoever makes too many games: nobody has to say who he is to make one."""
        if waiting := self._making.take(request.client.host if request.client else ""):
            raise RateLimited(waiting)

    async def influence(self, match: Match) -> InfluenceLog:
        """When influence changed in a match."""
        known = self._influences.get(match.id)
        if known is None or known.match is not match:  # taken up anew
            known = MatchFold(self.games.manager, self._service, match, InfluenceLog, _note_influence)
            self._influences[match.id] = known
            if len(self._influences) > _MOST_FOLLOWED:
                self._influences.popitem(last=False)
        return await known.made()

    @contextlib.contextmanager
    def listening(self, match: str) -> Iterator[TurnListener]:
        """Tell somebody of every turn."""
        listener = TurnListener(self.games.manager, match)
        together = self._listeners.setdefault(match, set())
        together.add(listener)
        try:
            yield listener
        finally:
            together.discard(listener)
            if not together:
                self._listeners.pop(match, None)

    def _on_turn(self, match: Match, report: Report) -> None:
        known = self._influences.get(match.id)
        if known is not None and known.match is match:
            known.note(report)
        self._tell(match)

    def _tell(self, match: Match) -> None:
        for listener in self._listeners.get(match.id, ()):
            listener.tell(match)

    async def _run(self) -> None:
        store, manager = self.games.store, self.games.manager
        hold = partial(leases.acquire, name=_LEASE, node=manager.node, seconds=2 * _TICK)
        while True:
            try:
                if not store.many_nodes or await store.write(hold):
                    await self.games.clear_away()
            except StorageUnavailable as problem:
                log.warning("waits for the database", extra={"why": str(problem)})
            except Exception:
                log.exception("hive's games could not be looked after")
            await asyncio.sleep(_TICK)
