"""The server's application in this process: HTTP and WebSocket handshakes without a socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx

from marchland.server.accounts.queries import ensure_admin
from marchland.server.app import create_app
from marchland.server.game_loader import GameLoader
from marchland.server.http.application import Application
from marchland.server.settings import Settings
from marchland.store import Database

Dependency = TypeVar("Dependency")
ADMIN = "a-token-for-the-tests-only"


PATIENCE = 60.0


class Player(NamedTuple):
    """An account of a running application."""

    app: "App"
    id: str
    name: str
    token: str

    async def request(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request with its token."""
        return await self.app.request_as(self.token, method, path, body)

    async def must(self, method: str, path: str, body: Any = None) -> Any:
        """The content of a response that is no error."""
        answer = await self.request(method, path, body)
        assert answer.status_code < 300, f"{answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    async def refusal(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        """Status and code of an error response."""
        answer = await self.request(method, path, body)
        return answer.status_code, answer.json()["error"]


class Socket:
    """A WebSocket of an application: text messages both ways."""

    def __init__(self, connect: Callable[[Any, Any], Awaitable[None]]) -> None:
        self._in: asyncio.Queue[Any] = asyncio.Queue()
        self._out: asyncio.Queue[Any] = asyncio.Queue()
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(connect(self._in.get, self._out.put))

    async def receive_event(self) -> Any:
        """The next event of the ASGI protocol."""
        async with asyncio.timeout(PATIENCE):
            return await self._out.get()

    async def receive(self) -> Any:
        """The next message as data, the code with which the connection was closed, or the status of a refusal."""
        while True:
            message = await self.receive_event()
            if message["type"] == "websocket.send":
                return json.loads(message.get("text") or message["bytes"])
            if message["type"] == "websocket.close":
                return message["code"]
            if message["type"] == "websocket.http.response.start":
                return message["status"]

    async def receive_type(self, kind: str) -> Any:
        """The next message of a type, or the code with which the connection was closed."""
        while not isinstance(message := await self.receive(), int) and message.get("type") != kind:
            pass
        return message

    async def send(self, message: Any) -> None:
        """Send data as JSON."""
        await self.send_text(json.dumps(message))

    async def send_text(self, text: str) -> None:
        """Send a text message."""
        await self._in.put({"type": "websocket.receive", "text": text})

    async def close(self) -> None:
        """Disconnect and wait until the application has noticed."""
        await self._in.put({"type": "websocket.disconnect", "code": 1000})
        await self._task


class Denied(NamedTuple):
    """The HTTP response by which a WebSocket handshake was refused."""

    status: int
    headers: dict[str, str]
    body: Any


class App(httpx.AsyncClient):
    """A running application, called as its admin."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self.transport = httpx.ASGITransport(app)
        super().__init__(
            transport=self.transport,
            base_url="http://app",
            headers={"Authorization": f"Bearer {ADMIN}", "X-Auth-Token": ADMIN},
            timeout=None,
        )

    def dependency(self, kind: type[Dependency]) -> Dependency:
        """The service of a type that handlers get injected."""
        service = self._app.services[kind]
        assert isinstance(service, kind)
        return service

    async def create_match(self, game: str, *, seats: int = 2, **more: Any) -> httpx.Response:
        """A match with that many open seats."""
        body = {"game": game, "seats": [{}] * seats, "clock": {"kind": "ready"}, **more}
        return await self.post("/api/v1/matches", json=body)

    async def request_as(self, token: str | None, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request to the API with a token, or without one."""
        headers = {"Authorization": f"Bearer {token}" if token else "", "X-Auth-Token": token or ""}
        content = None if body is None else json.dumps(body)
        return await self.request(method, f"/api/v1{path}", content=content, headers=headers)

    async def player(self, name: str, role: str = "player") -> Player:
        """A new account of that role."""
        made = (await self.post("/api/v1/accounts", json={"name": name})).json()
        account = made["account"]["id"]
        if role != "player":
            (await self.patch(f"/api/v1/accounts/{account}", json={"role": role})).raise_for_status()
        return Player(self, account, name, made["token"])

    @asynccontextmanager
    async def websocket(self, path: str, token: str | None = None) -> AsyncIterator[Socket]:
        """An open WebSocket."""
        headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
        socket = Socket(lambda receive, send: self._app(_websocket_scope(path, headers), receive, send))
        try:
            yield socket
        finally:
            await socket.close()

    async def open_websocket(self, path: str) -> Denied | None:
        """Send a handshake; returns how it was refused, None if it was accepted."""
        sent: list[Any] = []
        waiting = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000}]

        async def receive() -> Any:
            return waiting.pop(0) if waiting else {"type": "websocket.disconnect", "code": 1000}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._app(_websocket_scope(path, []), receive, send)
        start = sent[0]
        if start["type"] != "websocket.http.response.start":
            return None
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return Denied(start["status"], headers, json.loads(sent[1]["body"]))


def _websocket_scope(path: str, headers: list[tuple[bytes, bytes]]) -> Any:
    path, _, query = path.partition("?")
    scope: Any = {"type": "websocket", "path": path, "raw_path": path.encode(), "query_string": query.encode()}
    scope |= {"headers": headers, "client": ("127.0.0.1", 1), "server": ("app", 80), "scheme": "ws", "root_path": ""}
    scope |= {"subprotocols": [], "http_version": "1.1", "asgi": {"version": "3.0"}, "state": {}}
    return scope | {"extensions": {"websocket.http.response": {}}}


@asynccontextmanager
async def running_app(folder: Path, games: GameLoader, **settings: Any) -> AsyncIterator[App]:
    """An application over the database in ``folder``, from its start to its end; by default with raised limits."""
    limits: Any = {"rate": 10_000.0, "rate_address": 10_000.0, "round_rate": 10_000.0, "accounts_per_hour": 10_000.0}
    chosen = Settings(db=str(folder / "server.db"), **(limits | {"wire_turn": 0.01} | settings))
    with Database(chosen.db) as store:
        with store.engine.begin() as connection:
            ensure_admin(connection, ADMIN)
        app = create_app(chosen, store, games)
        async with app.lifespan(), App(app) as client:
            yield client
