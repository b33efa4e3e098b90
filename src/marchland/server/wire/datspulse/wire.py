"""DatsPulse under ``/datspulse/test`` and ``/datspulse/final``."""

import contextlib
import time
from functools import partial
from typing import Any, ClassVar

from starlette.types import Receive, Scope, Send

from marchland.errors import Refused
from marchland.server.game_loader import GameLoader
from marchland.server.http.auth import Authenticator
from marchland.server.http.routing import Endpoint, Router, asgi
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.rounds import queries as round_queries
from marchland.server.wire import Wire
from marchland.server.wire.datspulse import errors
from marchland.server.wire.datspulse.endpoints import Endpoints
from marchland.server.wire.datspulse.http import RequestHandler
from marchland.server.wire.datspulse.match_view import MatchViews
from marchland.server.wire.datspulse.schedule import GAME, default_test_round
from marchland.server.wire.require_game import require_game

_SCHEDULE = "/api/rounds"


class DatspulseWire(Wire):
    """The protocol over the rounds of one kind."""

    game = GAME
    kind: ClassVar[str]
    endpoints = ()

    def __init__(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        self._manager = manager
        self._views = MatchViews(manager, service)
        endpoints = Endpoints(manager, self._views, self.kind)
        self._endpoints = {
            "/api/arena": ("GET", endpoints.arena),
            "/api/move": ("POST", endpoints.move),
            "/api/register": ("POST", endpoints.register),
            "/api/logs": ("GET", endpoints.logs),
            _SCHEDULE: ("GET", endpoints.rounds),
        }
        self._requests = RequestHandler(manager.settings, authenticator, self._endpoints)

    def router(self, prefix: str, games: GameLoader) -> Router:
        """Plain ASGI handlers: responses are bytes that are encoded once a turn."""
        return Router(prefix, tuple(map(self._endpoint, self._endpoints)), wrap=require_game(self.game, games))

    def error_body(self, status: int, message: str) -> Any:
        """An error whose code is the status."""
        return errors.error_body(status, message)

    def _endpoint(self, path: str) -> Endpoint:
        @asgi(path, needs_game=path != _SCHEDULE)
        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            await self._requests.serve(path, scope, receive, send)

        return respond

    async def begin(self) -> None:
        """Subscribe to the turns of all matches."""
        self._manager.on_turn.append(self._views.on_turn)

    async def close(self) -> None:
        """Unsubscribe."""
        self._manager.on_turn.remove(self._views.on_turn)


class TestRounds(DatspulseWire):
    """Rounds without end; the server announces default ones at its first start."""

    prefix = "/datspulse/test"
    kind = "test"

    async def begin(self) -> None:
        """Announce the default rounds, unless that was done before; an organiser may have closed them since."""
        await super().begin()
        with contextlib.suppress(Refused):
            request = default_test_round(time.time())
            await self._manager.store.write(partial(round_queries.insert_round, request=request))


class FinalRounds(DatspulseWire):
    """Rounds that an organiser has announced as final."""

    prefix = "/datspulse/final"
    kind = "final"
