"""The two bases: where each is, and what it does while the server runs."""

import contextlib
import time
from functools import partial
from typing import Any, ClassVar

from litestar import Router, asgi
from litestar.types import Receive, Scope, Send

from marchland.errors import Refused
from marchland.server.game_loader import GameLoader
from marchland.server.http.auth import Authenticator
from marchland.server.http.errors import ErrorResponses
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.rounds import queries as round_queries
from marchland.server.wire import Wire
from marchland.server.wire.datspulse import errors
from marchland.server.wire.datspulse.endpoints import Desk
from marchland.server.wire.datspulse.http import Answer, RequestHandler
from marchland.server.wire.datspulse.match_views import Tables
from marchland.server.wire.datspulse.schedule import GAME, usual_test_round
from marchland.server.wire.require_game import NEEDS_NO_GAME, require_game

_SCHEDULE = "/api/rounds"
_PATHS = {
    "/api/arena": ("GET", "arena"),
    "/api/move": ("POST", "move"),
    "/api/register": ("POST", "register"),
    "/api/logs": ("GET", "logs"),
    _SCHEDULE: ("GET", "rounds"),
}


class Rounds(Wire):
    """The protocol over the rounds of one kind."""

    game = GAME
    kind: ClassVar[str]
    handlers: ClassVar[Any] = ()
    _requests: RequestHandler
    _manager: MatchManager
    _tables: Tables

    def router(self, prefix: str, games: GameLoader, errors: ErrorResponses) -> Router:
        """Handlers close to the socket: answers are bytes, made once a turn."""
        return Router(
            prefix,
            route_handlers=list(map(self._handler, _PATHS)),
            middleware=[require_game(self.game, games, errors)],
            include_in_schema=False,
        )

    def error_body(self, status: int, message: str) -> Any:
        """Errors have a code, which is the status."""
        return errors.told(status, message)

    def _handler(self, path: str) -> Any:
        @asgi(path, opt=NEEDS_NO_GAME if path == _SCHEDULE else None, copy_scope=False)
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await self._requests.serve(path, scope, receive, send)

        return answer

    async def begin(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        """Subscribe to every turn."""
        self._manager = manager
        self._tables = Tables(manager, service)
        desk = Desk(manager, self._tables, self.kind)
        answers: dict[str, tuple[str, Answer]] = {
            path: (method, getattr(desk, name)) for path, (method, name) in _PATHS.items()
        }
        self._requests = RequestHandler(manager.settings, authenticator, answers)
        manager.on_turn.append(self._tables.on_turn)

    async def close(self) -> None:
        """Unsubscribe."""
        self._manager.on_turn.remove(self._tables.on_turn)


class TestRounds(Rounds):
    """Rounds for ever; where nobody has announced any, there are the usual ones."""

    prefix = "/datspulse/test"
    kind = "test"

    async def begin(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        """Announce the usual rounds, unless that was done before; an organiser may have closed them since."""
        await super().begin(manager, service, authenticator)
        with contextlib.suppress(Refused):
            await manager.store.write(partial(round_queries.insert_round, wish=usual_test_round(time.time())))


class FinalRounds(Rounds):
    """Rounds that an organiser has announced as final, and that count."""

    prefix = "/datspulse/final"
    kind = "final"
