"""The server's application in this process: HTTP and WebSocket handshakes without a socket."""

import json
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx
from litestar import Litestar
from litestar.exceptions import LitestarDeprecationWarning

from marchland.server.accounts.queries import ensure_admin
from marchland.server.app import create_app
from marchland.server.game_loader import GameLoader
from marchland.server.settings import Settings
from marchland.store import Store

Dependency = TypeVar("Dependency")
ADMIN = "the-admin-of-an-app-in-process"


class Denied(NamedTuple):
    """The HTTP response by which a WebSocket handshake was refused."""

    status: int
    headers: dict[str, str]
    body: Any


class App(httpx.AsyncClient):
    """A running application, called as its admin."""

    def __init__(self, app: Litestar) -> None:
        self._app = app
        super().__init__(
            transport=httpx.ASGITransport(app),  # type: ignore[arg-type]
            base_url="http://app",
            headers={"Authorization": f"Bearer {ADMIN}", "X-Auth-Token": ADMIN},
            timeout=None,
        )

    def dependency(self, kind: type[Dependency]) -> Dependency:
        """The service of a type that handlers get injected."""
        provides: Any = self._app.dependencies.values()
        services = (provide.dependency() for provide in provides if provide.use_cache)
        return next(service for service in services if isinstance(service, kind))

    async def create_match(self, game: str, *, seats: int = 2, **more: Any) -> httpx.Response:
        """A match with that many open seats."""
        body = {"game": game, "seats": [{}] * seats, "clock": {"kind": "ready"}, **more}
        return await self.post("/api/v1/matches", json=body)

    async def open_websocket(self, path: str) -> Denied | None:
        """Send a handshake; returns how it was refused, None if it was accepted."""
        sent: list[Any] = []
        waiting = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000}]

        async def receive() -> Any:
            return waiting.pop(0) if waiting else {"type": "websocket.disconnect", "code": 1000}

        async def send(message: Any) -> None:
            sent.append(message)

        path, _, query = path.partition("?")
        scope: Any = {"type": "websocket", "path": path, "raw_path": path.encode(), "query_string": query.encode()}
        scope |= {"headers": [], "client": ("127.0.0.1", 1), "server": ("app", 80), "scheme": "ws", "root_path": ""}
        scope |= {"subprotocols": [], "http_version": "1.1", "asgi": {"version": "3.0"}, "state": {}}
        scope |= {"extensions": {"websocket.http.response": {}}}
        await self._app(scope, receive, send)
        start = sent[0]
        if start["type"] != "websocket.http.response.start":
            return None
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return Denied(start["status"], headers, json.loads(sent[1]["body"]))


def build_app(settings: Settings, store: Store, games: GameLoader) -> Litestar:
    """An application that does not run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LitestarDeprecationWarning)  # of Litestar 3; the dependency is below 3
        return create_app(settings, store, games)


@asynccontextmanager
async def running_app(folder: Path, games: GameLoader, **settings: Any) -> AsyncIterator[App]:
    """An application over the database in ``folder``, from its start to its end."""
    limits: Any = {"rate": 10_000.0, "rate_address": 10_000.0, "round_rate": 10_000.0, "accounts_per_hour": 10_000.0}
    chosen = Settings(db=str(folder / "server.db"), **(limits | settings))
    with Store(chosen.db) as store:
        with store.engine.begin() as connection:
            ensure_admin(connection, ADMIN)
        app = build_app(chosen, store, games)
        async with app.lifespan(), App(app) as client:
            yield client
