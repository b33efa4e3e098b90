"""Middleware of a wire: requests and WebSocket handshakes wait for the wire's game."""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from marchland.server.game_loader import GameLoader
from marchland.server.http.routing import Endpoint


def require_game(game: str, games: GameLoader) -> Callable[[ASGIApp, Endpoint], ASGIApp]:
    """Hold a request until the game is loaded; refuse it if that takes too long."""

    def wrap(app: ASGIApp, endpoint: Endpoint) -> ASGIApp:
        if not endpoint.needs_game:
            return app

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if not games.is_loaded(game):
                await games.require(game)
            await app(scope, receive, send)

        return serve

    return wrap
