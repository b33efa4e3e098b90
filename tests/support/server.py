"""A real server in a process of its own, and people who call it."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from marchland.client import Client, connect
from marchland.messages import MatchInfo, Problem
from tests.support import http_clients as http
from tests.support.asgi import ADMIN, PATIENCE
from tests.support.forkserver import fork
from tests.support.in_process import InProcessServer
from tests.support.small_matches import LASTING

__all__ = ["ADMIN", "Person", "Served", "Socket", "person", "problem"]


class Served:
    """A server that can be killed and started again at the same address, over the same database."""

    transport: httpx.BaseTransport | None = None
    """Clients open sockets."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.database = folder / "server.db"
        self._command = ["serve", "--admin-token", ADMIN, "--db", str(self.database)]
        self._command += [
            "--rate",
            "10000",
            "--rate-address",
            "10000",
            "--accounts",
            "10000",
            "--wire-turn",
            "0.01",
            *options,
        ]
        self.log = folder / "server.log"
        self.url = ""
        self.start()

    def start(self) -> None:
        port = self.url.rpartition(":")[2] or "0"
        with self.log.open("a") as log:
            self._process = fork([*self._command, "--port", port], log)
        said = self._process.output.readline()
        assert said.startswith("Marchland is at "), said + self.log.read_text()
        self.url = said.split()[-1]

    @contextmanager
    def open_socket(self, path: str, token: str | None) -> Iterator[ClientConnection]:
        """A WebSocket at a path."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = self.url.replace("http", "ws", 1) + path
        with open_socket(url, additional_headers=headers, max_size=None, proxy=None, compression=None) as opened:
            yield opened

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """As a power cut would."""
        self._process.end(signal.SIGKILL)

    def stop(self) -> None:
        self._process.end(signal.SIGTERM)

    def memory(self) -> int:
        """Bytes of RAM that the server holds now."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE")

    def metrics(self) -> list[str]:
        return http.get(f"{self.url}/metrics").raise_for_status().text.splitlines()

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def admin(self) -> Client:
        return connect(self.url, ADMIN)

    def guest(self) -> Client:
        client = connect(self.url)
        client.register(f"guest {os.urandom(4).hex()}")
        return client


Server = Served | InProcessServer


class Person(httpx.Client):
    """A client that calls the server by plain HTTP, with a token or without."""

    def __init__(self, served: Server, token: str | None = None) -> None:
        self.served = served
        self.token = token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        super().__init__(
            base_url=f"{served.url}/api/v1",
            headers=headers,
            timeout=PATIENCE,
            verify=http.NO_TLS,
            transport=served.transport,
        )

    @property
    def account(self) -> str:
        return str(self.get("/me").json()["id"])

    def must(self, method: str, path: str, **more: Any) -> Any:
        """What the server answers to something that it should do."""
        answer = self.request(method, path, **more)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def match(self, game: str, *seats: str, **more: Any) -> str:
        """A new small match; seats are ``open``, ``empty`` or the name of a bot."""
        body = {**LASTING.get(game, {}), "clock": {"kind": "ready"}, **more}
        made = self.must("POST", "/matches", json={"game": game, "seats": [_seat(kind) for kind in seats], **body})
        return str(made["id"])

    def join(self, match: str, **more: Any) -> int:
        return int(self.must("POST", f"/matches/{match}/join", json=more)["seat"])

    def order(self, match: str, *orders: Any, key: str | None = None, **more: Any) -> httpx.Response:
        """Orders under a key of their own."""
        post = {"orders": orders, "key": key or os.urandom(8).hex(), **more}
        return self.post(f"/matches/{match}/orders", json=post)

    def info(self, match: str) -> MatchInfo:
        return msgspec.convert(self.must("GET", f"/matches/{match}"), MatchInfo)

    @contextmanager
    def watch(self, match: str, **query: Any) -> Iterator["Socket"]:
        """A WebSocket of the match."""
        text = "&".join(f"{name}={value}" for name, value in query.items())
        with self.served.open_socket(f"/api/v1/matches/{match}/live?{text}", self.token) as opened:
            yield Socket(opened)


class Socket:
    """An open WebSocket whose messages are JSON."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        """A connection of the library `websockets`, or one in this process with the same methods."""

    def next(self, kind: str | None = None) -> dict[str, Any]:
        """The next message, of this kind if one is named."""
        while True:
            message: dict[str, Any] = msgspec.json.decode(self.connection.recv(timeout=PATIENCE))
            if kind in (None, message["type"]):
                return message

    def news_of(self, turn: int) -> dict[str, Any]:
        """The first news of this turn or a later one."""
        while (message := self.next("news"))["turn"] < turn:
            pass
        return message

    def send(self, **message: Any) -> None:
        self.connection.send(msgspec.json.encode(message).decode())


def person(served: Server, role: str = "player") -> Person:
    """A client with a new account."""
    name = f"{role} {os.urandom(4).hex()}"
    with Person(served) as anonymous:
        response = anonymous.must("POST", "/accounts", json={"name": name})
    if role != "player":
        with Person(served, ADMIN) as admin:
            admin.must("PATCH", f"/accounts/{response['account']['id']}", json={"role": role})
    return Person(served, response["token"])


def problem(answer: httpx.Response, status: int) -> Problem:
    """Why a request was refused, with the status that it should have."""
    assert answer.status_code == status, f"{answer.status_code} {answer.text[:500]}"
    response = msgspec.json.decode(answer.content, type=Problem)
    assert response.error and response.sentence
    return response


def _seat(kind: str) -> Mapping[str, str]:
    return {"kind": kind} if kind in ("open", "empty") else {"kind": "builtin", "bot": kind}
