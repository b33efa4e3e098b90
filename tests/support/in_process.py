"""The server's application on an event loop in a thread: for tests that call it with a blocking client."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from tests.support.asgi import PATIENCE, App, Socket, running_app
from tests.support.game_loading import loaded_games


class InProcessServer(httpx.BaseTransport):
    """A server without a process and without sockets; it is the transport of its clients."""

    url = "http://app"

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.database = folder / "server.db"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._stack = AsyncExitStack()
        self._app: App = self.run(self._stack.enter_async_context(running_app(folder, loaded_games(), **settings)))

    @property
    def transport(self) -> httpx.BaseTransport:
        """What clients send their requests through."""
        return self

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Let the application answer a request of a blocking client."""
        response: httpx.Response = self.run(self._answer(request))
        return response

    @contextmanager
    def open_socket(self, path: str, token: str | None) -> Iterator["BlockingSocket"]:
        """A WebSocket at a path."""
        opened = self._app.websocket(path, token)
        socket: Socket = self.run(opened.__aenter__())
        try:
            yield BlockingSocket(self, socket)
        finally:
            self.run(opened.__aexit__(None, None, None))

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
        answer = await self._app.transport.handle_async_request(sent)
        assert isinstance(answer.stream, httpx.AsyncByteStream)
        content = b"".join([part async for part in answer.stream])
        return httpx.Response(answer.status_code, headers=answer.headers, stream=httpx.ByteStream(content))

    def stop(self) -> None:
        """Shut the application down."""
        self.run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Any) -> Any:
        """Wait for the result of a coroutine on the application's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


class BlockingSocket:
    """An open WebSocket with the methods and exceptions of the library `websockets`."""

    def __init__(self, server: InProcessServer, socket: Socket) -> None:
        self._server = server
        self._socket = socket

    def recv(self, timeout: float | None = None) -> str | bytes:
        """The next message."""
        while True:
            event = self._server.run(asyncio.wait_for(self._socket.receive_event(), timeout))
            if event["type"] == "websocket.send":
                message: str | bytes = event.get("text") or event["bytes"]
                return message
            if event["type"] == "websocket.close":
                raise ConnectionClosedError(Close(event["code"], event.get("reason") or ""), None)
            assert event["type"] == "websocket.accept", event

    def send(self, text: str) -> None:
        """Send a message."""
        self._server.run(self._socket.send_text(text))


@contextmanager
def in_process_server(folder: Path, **settings: Any) -> Iterator[InProcessServer]:
    """A server from its start to its end."""
    server = InProcessServer(folder, **settings)
    try:
        yield server
    finally:
        server.stop()
