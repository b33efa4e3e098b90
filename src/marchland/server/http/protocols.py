"""uvicorn's protocols with limits: size of a request's head, time to receive it, peers that never read."""

import asyncio
from http import HTTPStatus
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from marchland.messages import Problem
from marchland.server.http.compression import SharedDeflateFactory

_MAX_ADDRESS = 4_096
_MAX_HEAD = 32_768
_MAX_HEADERS = 100
_OWN_API = "/api/"
_DEFLATE = SharedDeflateFactory()
_SILENCE = 0.5  # seconds without a byte after which nothing more is on its way
_LINGER = 10.0  # seconds in which the other side may still read what it was sent last

_UNREADABLE = (400, "bad_request", "This is not a request that HTTP/1.1 knows.")
_LONG_ADDRESS = (414, "too_long", f"The address is too long; the most is {_MAX_ADDRESS:,} bytes.")
_LARGE_HEAD = (431, "too_large", f"The headers are too large; the most is {_MAX_HEAD:,} bytes.")
_SLOW = (408, "too_slow", "The request did not arrive in time.")


class LimitedHttpProtocol(HttpToolsProtocol):
    """Refuses requests whose head is too large, and those that do not arrive within ``receive_timeout`` seconds."""

    receive_timeout = 30.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._wrong = _UNREADABLE
        self._head = 0
        self._began = False
        self._in_head = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse data. The parser buffers an unfinished header, so its bytes are counted here."""
        self._began = False
        super().data_received(data)
        if self._in_head and not self._began:
            self._head += len(data)
            if self._head > _MAX_HEAD and not self.transport.is_closing():
                self._refuse(_LARGE_HEAD)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._head, self._began, self._in_head = 0, True, True
        self._start_timeout()

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        super().on_url(url)
        if len(self.url) > _MAX_ADDRESS:
            self._wrong = _LONG_ADDRESS
            raise ValueError(_LONG_ADDRESS)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        super().on_header(name, value)
        size = sum(len(name) + len(value) for name, value in self.headers)
        if size > _MAX_HEAD or len(self.headers) > _MAX_HEADERS:
            self._wrong = _LARGE_HEAD
            raise ValueError(_LARGE_HEAD)

    def on_headers_complete(self) -> None:
        """The head is there, the body may follow."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._stop_timeout()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a WebSocket."""
        self._stop_timeout()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Send our own error body, and close."""
        self._refuse(self._wrong)

    def _start_timeout(self) -> None:
        self._stop_timeout()
        self._deadline = self.loop.call_later(self.receive_timeout, self._refuse, _SLOW)

    def _stop_timeout(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, problem: tuple[int, str, str]) -> None:
        status, code, message = problem
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            body = msgspec.json.encode(Problem(code, message))
            head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
            head += f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write(head.encode() + body)
        self.transport.close()


class LingeringWebSocketProtocol(WebSocketsSansIOProtocol):
    """Aborts a connection whose peer never reads: an orderly close would wait without limit.

    Messages of the games' original protocols are compressed for every client that offers it, as they always were;
    those of our own API only with ``--compress``, since browsers always offer it and it costs work for each reader.
    """

    def handle_connect(self, event: Request) -> None:
        """Negotiate extensions."""
        if not event.path.startswith(_OWN_API):
            self.conn.available_extensions = [_DEFLATE]
        super().handle_connect(event)

    _draining = False
    _drain_until = 0.0

    def data_received(self, data: bytes) -> None:
        """Pass data on; while draining, discard it until the peer falls silent."""
        if not self._draining:
            super().data_received(data)
        elif self.close_timer is not None and self.loop.time() < self._drain_until:
            self.close_timer.cancel()
            self.close_timer = self.loop.call_later(_SILENCE, self.transport.abort)

    def handle_parser_exception(self) -> None:
        """Send the close frame and drain: closing with unread bytes would reset the connection before it arrives."""
        assert self.conn.close_sent is not None
        code, reason = self.conn.close_sent.code, self.conn.close_sent.reason
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self._draining = True
        self._drain_until = self.loop.time() + _LINGER
        self.close_timer = self.loop.call_later(_SILENCE, self.transport.abort)

    async def run_asgi(self) -> None:
        """Run the handler; then limit the time to close."""
        await super().run_asgi()
        self.loop.call_later(_LINGER, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """The peer has not answered a ping."""
        super().keepalive_timeout()
        self.transport.abort()
