"""Hive under ``/hive``: sends turn numbers and deletes unfilled games while the server runs."""

import asyncio
import logging
from functools import partial
from typing import Any

from marchland.core.report import Report
from marchland.errors import StorageUnavailable
from marchland.match import Match
from marchland.server.http.auth import Authenticator
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire import Wire
from marchland.server.wire.hive.games import GAME, GameService
from marchland.server.wire.hive.influence import InfluenceLogs
from marchland.server.wire.hive.routes import ENDPOINTS, ERROR_HANDLERS
from marchland.server.wire.hive.turn_feed import TurnFeeds
from marchland.store import leases

_TICK = 10.0
_LEASE = "wire hive"

log = logging.getLogger(__name__)


class HiveWire(Wire):
    """Games by name and token. Errors are JSON strings."""

    game = GAME
    prefix = "/hive"
    endpoints = ENDPOINTS
    error_handlers = ERROR_HANDLERS

    def __init__(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        self._manager = manager
        self._games = GameService(manager, service)
        self._influence = InfluenceLogs(manager, service)
        self._turns = TurnFeeds(manager)
        self._task: asyncio.Task[None] | None = None

    def services(self) -> tuple[object, ...]:
        """The games, their influence logs and their turns."""
        return (self._games, self._influence, self._turns)

    def error_body(self, status: int, message: str) -> Any:
        """The message alone."""
        return message

    async def begin(self) -> None:
        """Follow all matches and start the loop."""
        self._manager.on_turn.append(self._on_turn)
        self._manager.on_change.append(self._turns.publish)
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the loop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _on_turn(self, match: Match, report: Report) -> None:
        self._influence.on_turn(match, report)
        self._turns.publish(match)

    async def _run(self) -> None:
        store = self._manager.store
        acquire = partial(leases.acquire, name=_LEASE, node=self._manager.node, seconds=2 * _TICK)
        while True:
            try:
                if not store.is_shared or await store.write(acquire):
                    await self._games.delete_unfilled()
            except StorageUnavailable as error:
                log.warning("wire waits for the database", extra={"wire": GAME, "error": str(error)})
            except Exception:
                log.exception("wire tick failed", extra={"wire": GAME})
            await asyncio.sleep(_TICK)
