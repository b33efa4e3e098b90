"""What comes over a connection before there is a request."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
import uvicorn

from marchland.messages import Problem
from marchland.server.http.protocols import LimitedHttpProtocol
from tests.support.server import Served


class Impatient(LimitedHttpProtocol):
    receive_timeout = 0.2


async def silent(scope: Any, receive: Any, send: Any) -> None:
    """An application that wants the whole body before it answers."""
    while (await receive()).get("more_body"):
        pass


@pytest.fixture(scope="module")
def impatient() -> Iterator[int]:
    """The port of a server that waits for a request only a moment."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        config = uvicorn.Config(silent, http=Impatient, lifespan="off", log_config=None)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])))
        thread.start()
        yield bound.getsockname()[1]
        server.should_exit = True
        thread.join()


def said(port: int, *parts: bytes) -> tuple[bytes, Problem | None]:
    """The status line of what a server says before it closes, and the problem it tells."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        try:
            for part in parts:
                raw.sendall(part)
        except ConnectionError:
            pass
        text = b"".join(iter(lambda: raw.recv(65536), b""))
    head, _, body = text.partition(b"\r\n\r\n")
    return head.split(b"\r\n")[0], msgspec.json.decode(body, type=Problem) if body else None


@pytest.mark.parametrize(
    "half",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nX: y", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}"],
    ids=["nothing", "half a line", "half a head", "half a body"],
)
def test_a_request_that_does_not_come_in_time_is_refused(impatient: int, half: bytes) -> None:
    status, problem = said(impatient, half)
    assert status == b"HTTP/1.1 408 Request Timeout"
    assert problem is not None and problem.error == "too_slow"


def test_what_is_no_http_is_refused(served: Served) -> None:
    status, problem = said(served.port, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10)
    assert status == b"HTTP/1.1 400 Bad Request"
    assert problem is not None and problem.error == "bad_request"


def test_an_address_that_is_too_long_is_refused(served: Served) -> None:
    status, problem = said(served.port, b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n")
    assert status == b"HTTP/1.1 414 Request-URI Too Long"
    assert problem is not None and problem.error == "too_long"


@pytest.mark.parametrize(
    "headers",
    [b"X: y\r\n" * 101, b"X: " + b"y" * 40_000 + b"\r\n"],
    ids=["many", "long"],
)
def test_headers_that_are_too_large_are_refused(served: Served, headers: bytes) -> None:
    status, problem = said(served.port, b"GET / HTTP/1.1\r\n" + headers + b"\r\n")
    assert status == b"HTTP/1.1 431 Request Header Fields Too Large"
    assert problem is not None and problem.error == "too_large"


def test_a_header_without_end_is_refused_before_it_fills_the_memory(served: Served) -> None:
    before = served.memory()
    status, _ = said(served.port, b"GET / HTTP/1.1\r\nX: ", *[b"y" * 1_000_000] * 50)
    assert status == b"HTTP/1.1 431 Request Header Fields Too Large"
    assert served.memory() - before < 20_000_000


def test_a_refused_handshake_is_no_error_of_the_log(served: Served) -> None:
    handshake = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    key = b"AAAAAAAAAAAAAAAAAAAAAA==\r\nHost: here\r\n\r\n"
    status, _ = said(served.port, b"GET /nowhere HTTP/1.1\r\n" + handshake + key)
    assert status == b"HTTP/1.1 404 Not Found"
    assert httpx.get(f"{served.url}/healthz").is_success  # so that the handshake's task has ended
    assert "handshake" not in served.log.read_text()
