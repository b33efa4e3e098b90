"""Requests that offer another protocol are answered in HTTP/1.1, with their body."""

import json
import os
import socket
from collections.abc import Iterator
from typing import Any

import httptools
import pytest

from marchland.server.http.upgrades import RequestParser
from tests.support.raw_socket import raw_socket
from tests.support.server import ADMIN, Served

H2C = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"


class Answer:
    """Collects a response."""

    def __init__(self) -> None:
        self.body = b""
        self.is_complete = False

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.is_complete = True


class Connection:
    """A plain TCP connection over which requests are written byte by byte."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def receive(self) -> tuple[int, Any]:
        """Status and content of the next response."""
        answer = Answer()
        parser = httptools.HttpResponseParser(answer)
        while not answer.is_complete:
            data = self._socket.recv(1)
            assert data, "the server has closed the connection"
            parser.feed_data(data)
        return parser.get_status_code(), json.loads(answer.body)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def connection(served: Served) -> Iterator[Connection]:
    opened = Connection(served.port)
    yield opened
    opened.close()


def post(path: str, body: bytes, *headers: bytes) -> bytes:
    lines = [f"POST {path} HTTP/1.1".encode(), b"Host: x", b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join(lines) + b"\r\n" + H2C + b"\r\n" + body


def account() -> bytes:
    return json.dumps({"name": f"java {os.urandom(4).hex()}"}).encode()


def test_a_post_that_offers_h2c_keeps_its_body(connection: Connection) -> None:
    body = account()
    connection.send(post("/api/v1/accounts", body))
    status, made = connection.receive()
    assert status == 201
    assert made["account"]["name"] == json.loads(body)["name"]


def test_a_body_that_arrives_after_the_head_is_read(connection: Connection) -> None:
    body = account()
    request = post("/api/v1/accounts", body)
    for part in (request[:20], request[20 : -len(body)], body[:5], body[5:]):
        connection.send(part)
    assert connection.receive()[0] == 201


def test_a_chunked_body_is_read(connection: Connection) -> None:
    body = account()
    head = b"POST /api/v1/accounts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n" + H2C + b"\r\n"
    connection.send(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))
    assert connection.receive()[0] == 201


def test_requests_that_follow_on_the_same_connection_are_answered(connection: Connection) -> None:
    connection.send(post("/api/v1/accounts", account()) + post("/api/v1/accounts", account()))
    assert [connection.receive()[0] for _ in range(2)] == [201, 201]
    connection.send(b"GET /api/v1/games HTTP/1.1\r\nHost: x\r\n" + H2C + b"\r\n")
    assert connection.receive()[0] == 200


def test_orders_over_hives_wire_keep_their_body(connection: Connection) -> None:
    connection.send(b"GET /hive/newgame?map=tiny&players=1 HTTP/1.1\r\nHost: x\r\n\r\n")
    game = connection.receive()[1]["id"]
    connection.send(f"GET /hive/join?id={game}&name=java HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    token = connection.receive()[1]["token"]
    connection.send(post(f"/hive/orders?id={game}&token={token}", b'{"not": "a list"}'))
    status, text = connection.receive()
    assert status == 400
    assert text.startswith("Invalid or malformed JSON")


def test_moves_over_datspulses_wire_keep_their_body(connection: Connection) -> None:
    token = f"X-Auth-Token: {ADMIN}".encode()
    connection.send(post("/datspulse/test/api/register", b"{}", token))
    assert connection.receive()[0] == 200
    connection.send(post("/datspulse/test/api/move", b"[", token))
    status, problem = connection.receive()
    assert status == 400
    assert problem["message"].startswith("bad request")


def test_rooms_over_colorfights_wire_keep_their_body(connection: Connection) -> None:
    connection.send(post("/colorfight/start", b'{"gameroom_id": "nowhere", "admin_password": "x"}'))
    assert connection.receive()[1]["err_msg"] == "There is no room nowhere"


def test_a_websocket_handshake_is_still_an_upgrade(served: Served) -> None:
    with raw_socket(served.port, "/colorfight/gameroom/public/game_channel"):
        pass  # it asserts that the answer is 101


class Collector:
    """What a parser calls back."""

    def __init__(self) -> None:
        self.url = b""
        self.headers: list[tuple[bytes, bytes]] = []
        self.bodies: list[bytes] = []
        self.parser = RequestParser(self)

    def on_message_begin(self) -> None:
        self.url, self.headers = b"", []

    def on_url(self, url: bytes) -> None:
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self.bodies.append(body)


def test_what_is_parsed_again_lacks_only_the_offer() -> None:
    collector = Collector()
    collector.parser.feed_data(
        b"PUT /a?b=c HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        b"HTTP2-Settings: AAM\r\nContent-Length: 3\r\n\r\nyes"
    )
    assert collector.url == b"/a?b=c"
    assert collector.headers == [(b"host", b"x"), (b"connection", b"close"), (b"content-length", b"3")]
    assert collector.bodies == [b"yes"]


def test_connect_is_not_parsed_again() -> None:
    with pytest.raises(httptools.HttpParserUpgrade):
        Collector().parser.feed_data(b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
