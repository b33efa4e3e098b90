"""uvicorn's protocols with limits: size of a request's head, time to receive it, WebSocket frames, silent peers."""

import asyncio
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

import httptools
import msgspec
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent, HTTPResponseStartEvent
from uvicorn.protocols.http.httptools_impl import (
    HEADER_RE,
    HEADER_VALUE_RE,
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from marchland.messages import Problem
from marchland.server.http.compression import SharedDeflateFactory
from marchland.server.http.frame_budget import FrameBudget
from marchland.server.http.routing import JSON
from marchland.server.http.security_headers import DEFAULT_HEADERS
from marchland.server.http.upgrades import RequestParser

_MAX_ADDRESS = 4_096
_MAX_HEAD = 32_768
_MAX_HEADERS = 100
_OWN_API = "/api/"
_DEFLATE = SharedDeflateFactory()
_SILENCE = 0.5  # seconds without a byte after which nothing more is on its way
_LINGER = 10.0  # seconds in which the other side may still read what it was sent last
_MAX_DRAINED = 16_000_000  # bytes that are discarded after a close frame before the connection is aborted
_SLICE = 2_048  # bytes that are parsed at once: at most 341 frames of 6 bytes
_POLICY_VIOLATION = 1008

_FRAMING = frozenset((b"connection", b"transfer-encoding"))
_HEADER_LINES = {header: b"%b: %b\r\n" % header for header in (*DEFAULT_HEADERS, (b"content-type", JSON.encode()))}
"""The headers of almost every response, encoded."""

_UNREADABLE = (400, "bad_request", "This is not a request that HTTP/1.1 knows.")
_LONG_ADDRESS = (414, "too_long", f"The address is too long; the most is {_MAX_ADDRESS:,} bytes.")
_LARGE_HEAD = (431, "too_large", f"The headers are too large; the most is {_MAX_HEAD:,} bytes.")
_SLOW = (408, "too_slow", "The request did not arrive in time.")


class _Exchange(RequestResponseCycle):
    """One request and its response. Head and body of a response that is complete leave in one write.

    Each write to a socket wakes its reader, which costs both sides more than the rest of a small response.
    """

    _head: HTTPResponseStartEvent | None = None
    """The head of the response until its body is known."""

    async def send(self, message: ASGISendEvent) -> None:
        """Send the response: at once if it is complete, otherwise as uvicorn does."""
        if message["type"] == "http.response.start" and not self.response_started and self._head is None:
            self._head = message
            return
        head, self._head = self._head, None
        if head is not None:
            if self._send_whole(head, message):
                return
            await super().send(head)
        await super().send(message)

    def _send_whole(self, head: HTTPResponseStartEvent, message: ASGISendEvent) -> bool:
        """Write the whole response; False if it is of an unusual kind."""
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        is_usual = self.keep_alive and not (self.flow.write_paused or self.disconnected)
        if not is_last or not is_usual or self.scope["method"] == "HEAD":
            return False
        body: bytes = message.get("body", b"")  # type: ignore[assignment]
        lines = [STATUS_LINE[head["status"]]]
        length = None
        for header in head["headers"]:
            line = _HEADER_LINES.get(header)
            if line is None:
                name, value = header[0].lower(), header[1]
                if name in _FRAMING or HEADER_RE.search(name) or HEADER_VALUE_RE.search(value):
                    return False
                if name == b"content-length":
                    length = value
                line = b"%b: %b\r\n" % (name, value)
            lines.append(line)
        if length != b"%d" % len(body):
            return False
        lines += (b"\r\n", body)
        self.response_started = self.response_complete = True
        self.waiting_for_100_continue = False
        self.transport.write(b"".join(lines))
        self.message_event.set()
        self.on_response()
        return True


class LimitedHttpProtocol(HttpToolsProtocol):
    """Refuses requests whose head is too large, and those that do not arrive within ``receive_timeout`` seconds."""

    receive_timeout = 30.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.parser: RequestParser = RequestParser(self)  # type: ignore[assignment]
        self._wrong = _UNREADABLE
        self._head = 0
        self._header_bytes = 0
        self._began = False
        self._in_head = False
        self._is_receiving = False
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
        if self._is_receiving and self._deadline is None:
            self._start_timeout()
        if self._in_head and not self._began:
            self._head += len(data)
            if self._head > _MAX_HEAD and not self.transport.is_closing():
                self._refuse(_LARGE_HEAD)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._head, self._header_bytes, self._began, self._in_head = 0, 0, True, True
        self._is_receiving = True
        self._stop_timeout()  # `data_received` starts it, unless the whole request is there by then

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        super().on_url(url)
        if len(self.url) > _MAX_ADDRESS:
            self._wrong = _LONG_ADDRESS
            raise ValueError(_LONG_ADDRESS)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        super().on_header(name, value)
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > _MAX_HEAD or len(self.headers) > _MAX_HEADERS:
            self._wrong = _LARGE_HEAD
            raise ValueError(_LARGE_HEAD)

    def on_headers_complete(self) -> None:
        """The head is there, the body may follow."""
        self._in_head = False
        if self.parser.should_upgrade():
            if not self.parser.ignores_upgrade:
                super().on_headers_complete()
            return
        self._begin_exchange()

    def on_message_complete(self) -> None:
        """The whole request is there."""
        if not self.parser.ignores_upgrade:
            self._is_receiving = False
            self._stop_timeout()
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a WebSocket."""
        self._is_receiving = False
        self._stop_timeout()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Send our own error body, and close."""
        self._refuse(self._wrong)

    def _begin_exchange(self) -> None:
        """Start the handling of a request, or queue it behind the one before, as uvicorn does for its own cycles."""
        version, address = self.parser.get_http_version(), httptools.parse_url(self.url)
        path = address.path.decode("ascii")
        self.scope |= {
            "http_version": version,
            "method": self.parser.get_method().decode("ascii"),
            "path": unquote(path) if "%" in path else path,
            "raw_path": address.path,
            "query_string": address.query or b"",
        }
        before, self.cycle = (
            self.cycle,
            _Exchange(
                scope=self.scope,
                transport=self.transport,
                flow=self.flow,
                logger=self.logger,
                access_logger=self.access_logger,
                access_log=False,
                default_headers=self.server_state.default_headers,
                message_event=asyncio.Event(),
                expect_100_continue=self.expect_100_continue,
                keep_alive=version != "1.0" and self.parser.should_keep_alive(),
                on_response=self.on_response_complete,
            ),
        )
        if before is None or before.response_complete:
            self._start_asgi_task(self.cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

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


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Closes connections that send more frames than their budget, and aborts those whose peer never reads.

    The parser is Python code that runs once for each frame, so data is parsed in small slices and the frames of each
    slice are charged before the next one is parsed. A connection within its own budget whose address is over its
    budget is not closed: its data waits.

    Messages of the games' original protocols are compressed for every client that offers it, as they always were;
    those of our own API only with ``--compress``, since browsers always offer it and it costs work for each reader.
    """

    def __init__(self, *given: Any, budget: FrameBudget, **named: Any) -> None:
        super().__init__(*given, **named)
        self._budget = budget
        self._bucket = budget.open_connection()
        self._waiting = b""
        self._wait: asyncio.TimerHandle | None = None
        self._draining = False
        self._drained = 0
        self._drain_until = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop what waits."""
        if self._wait is not None:
            self._wait.cancel()
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        """Negotiate extensions."""
        if not event.path.startswith(_OWN_API):
            self.conn.available_extensions = [_DEFLATE]
        super().handle_connect(event)

    def data_received(self, data: bytes) -> None:
        """Parse data within the budget of frames; while draining, discard it until the peer falls silent."""
        if self._wait is not None:
            self._waiting += data
            self.transport.pause_reading()
            return
        for start in range(0, len(data), _SLICE):
            if self._draining or self.transport.is_closing():
                break
            if wait := self._budget.address_wait(self._address()):
                self._hold(data[start:], wait)
                return
            self._parse(data[start : start + _SLICE])
        if self._draining:
            self._drain(len(data))

    async def receive(self) -> ASGIReceiveEvent:
        """The next message. Other tasks run between two messages of one client."""
        await asyncio.sleep(0)
        message = await super().receive()
        if self._wait is not None:
            self.transport.pause_reading()
        return message

    def handle_parser_exception(self) -> None:
        """Send the close frame and drain: closing with unread bytes would reset the connection before it arrives."""
        assert self.conn.close_sent is not None
        code, reason = self.conn.close_sent.code, self.conn.close_sent.reason
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self._draining = True
        self._drain_until = self.loop.time() + _LINGER
        if self.read_paused:  # so that what was sent before is drained too
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(_SILENCE, self.transport.abort)

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message. A handshake that was refused is complete: uvicorn would log each as an error."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True

    async def run_asgi(self) -> None:
        """Run the handler; then limit the time to close."""
        await super().run_asgi()
        self.loop.call_later(_LINGER, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """The peer has not answered a ping."""
        super().keepalive_timeout()
        self.transport.abort()

    def _parse(self, data: bytes) -> None:
        self.conn.receive_data(data)
        if self.conn.parser_exc is not None:
            self.handle_parser_exception()
        elif self._budget.charge(self._bucket, self._address(), self.conn.events):
            self.handle_events()
        else:
            self._close_over_budget()

    def _hold(self, data: bytes, seconds: float) -> None:
        """Stop reading, and parse ``data`` later."""
        self._waiting = data
        self._wait = self.loop.call_later(seconds, self._parse_waiting)
        self.transport.pause_reading()

    def _parse_waiting(self) -> None:
        data, self._waiting, self._wait = self._waiting, b"", None
        if not self.read_paused:
            self.transport.resume_reading()
        self.data_received(data)

    def _address(self) -> str:
        """The client's address; uvicorn replaces the scope's by the one that a trusted proxy reports."""
        client = self.scope["client"] if self.handshake_initiated else None
        return client[0] if client else ""

    def _close_over_budget(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()
            return
        self.conn.fail(_POLICY_VIOLATION, f"Too many frames; the most is {self._budget.rate:.0f} a second.")
        self.handle_parser_exception()

    def _drain(self, size: int) -> None:
        self._drained += size
        if self._drained > _MAX_DRAINED:
            self.transport.abort()
        elif self.close_timer is not None and self.loop.time() < self._drain_until:
            self.close_timer.cancel()
            self.close_timer = self.loop.call_later(_SILENCE, self.transport.abort)
