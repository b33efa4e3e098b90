"""Middleware of a wire: requests and WebSocket handshakes wait for the wire's game."""

from typing import Any

from litestar.types import ASGIApp, Middleware, Receive, Scope, Send

from marchland.errors import Refused
from marchland.messages import Problem
from marchland.server.game_loader import GameLoader
from marchland.server.http.errors import ErrorResponses, status_of

NEEDS_NO_GAME: Any = {"needs_no_game": True}
"""``opt`` of a handler that answers from the database alone, also while the game is loading."""


def require_game(game: str, games: GameLoader, errors: ErrorResponses) -> Middleware:
    """Hold a request until the game is loaded; refuse it in the wire's form if that takes too long."""

    def middleware(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if not games.is_loaded(game) and not scope["route_handler"].opt.get("needs_no_game"):
                try:
                    await games.require(game)
                except Refused as problem:
                    response = Problem(problem.error, str(problem))
                    await errors.send(scope, send, status_of(problem), response, problem.retry)
                    return
            await app(scope, receive, send)

        return serve

    return middleware
