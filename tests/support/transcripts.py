"""Plays transcripts: recorded conversations of a client with a server.

    # a comment
    GET /path                   a request; POST and a body likewise; ``ADMIN POST`` with the admin's token
    = 200 {"exact":"answer"}    the exact response to the last request
    ~ 200 {"part": "of it"}     a response that contains at least this
    OPEN anna /path             a WebSocket called anna
    anna > text                 anna sends this
    anna = text                 the exact next message that anna receives
    anna ~ {"part": "of it"}    anna receives, perhaps after other messages, one that contains this
    anna closed 1000            the server closes, with that code
    CLOSE anna                  anna disconnects

``$name`` is a variable: its first use in an expected part sets it, later uses must be equal. "!$name" is any other
value, and "!" as a value means that the key is missing. ["...", part] is a list with such an element.
"""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from tests.support import http_clients as http
from tests.support.server import ADMIN, Served

_PATIENCE = 20.0


class TranscriptPlayer:
    """Plays a transcript against the paths of a server behind a prefix."""

    def __init__(self, served: Served, prefix: str, **variables: str) -> None:
        self._base = served.url + prefix
        self._http = http.open_client(timeout=_PATIENCE)
        self._sockets: dict[str, ClientConnection] = {}
        self.variables: dict[str, Any] = dict(variables)
        self.last_message = ""
        self._response: httpx.Response | None = None
        self._checked = True

    def play(self, path: Path) -> None:
        try:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if line.strip() and not line.startswith("#"):
                    try:
                        self._run_line(line)
                    except Exception as problem:
                        pytest.fail(
                            f"{path.name}, line {number}: {line}\n{problem!r}\nlast message: {self.last_message}"
                        )
            assert self._checked, f"{path.name} does not say what the last answer must be"
        finally:
            for socket in self._sockets.values():
                socket.close()
            self._http.close()

    def _run_line(self, line: str) -> None:
        first, _, rest = line.partition(" ")
        if first == "ADMIN":
            self._request(rest, {"Authorization": f"Bearer {ADMIN}"})
        elif first in ("GET", "POST"):
            self._request(line, {})
        elif first in ("=", "~"):
            self._check_response(first, rest)
        elif first == "OPEN":
            name, _, path = self._substitute(rest).partition(" ")
            url = self._base.replace("http", "ws", 1) + path
            self._sockets[name] = open_socket(url, proxy=None, max_size=None, legacy=True)
        elif first == "CLOSE":
            self._sockets.pop(rest).close()
        else:
            self._run_socket_line(self._sockets[first], *rest.split(" ", 1))

    def _request(self, line: str, headers: dict[str, str]) -> None:
        assert self._checked, "the last response was not checked"
        self._checked = False
        method, path, *body = self._substitute(line).split(" ", 2)
        content = body[0].encode() if body else None
        self._response = self._http.request(method, self._base + path, content=content, headers=headers)

    def _check_response(self, how: str, expected: str) -> None:
        assert self._response is not None
        self._checked = True
        status, _, body = expected.partition(" ")
        assert self._response.status_code == int(status), self._response.text
        if how == "=":
            assert self._response.text == self._substitute(body), self._response.text
        else:
            assert self._contains(json.loads(self._response.text), json.loads(body)), self._response.text

    def _run_socket_line(self, socket: ClientConnection, how: str, expected: str) -> None:
        if how == ">":
            socket.send(self._substitute(expected))
        elif how == "closed":
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    socket.recv(timeout=_PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == int(expected)
        elif how == "=":
            self.last_message = str(socket.recv(timeout=_PATIENCE))
            assert self.last_message == self._substitute(expected)
        else:
            assert how == "~", f"unknown sign {how}"
            self.last_message = ""
            while not self._contains(json.loads(self.last_message or "null"), json.loads(expected)):
                self.last_message = str(socket.recv(timeout=_PATIENCE))

    def _substitute(self, text: str) -> str:
        return re.sub(r"\$(\w+)", lambda found: str(self.variables[found[1]]), text)

    def _contains(self, whole: Any, part: Any) -> bool:
        """Whether ``part`` is in ``whole``; sets new variables if so."""
        new: dict[str, Any] = {}
        if not _matches(whole, part, self.variables, new):
            return False
        self.variables |= new
        return True


def _matches(whole: Any, part: Any, variables: dict[str, Any], new: dict[str, Any]) -> bool:
    if isinstance(part, str) and re.fullmatch(r"\$\w+", part):
        if part[1:] in variables:
            return bool(variables[part[1:]] == whole)
        new[part[1:]] = whole
        return True
    if isinstance(part, str) and part.startswith("!$"):
        return bool(variables[part[2:]] != whole)
    if isinstance(part, str):
        return bool(whole == re.sub(r"\$(\w+)", lambda found: str(variables[found[1]]), part))
    if isinstance(part, dict):
        if not isinstance(whole, dict):
            return False
        filled = {
            str(variables.get(name[1:], name)) if name.startswith("$") else name: value for name, value in part.items()
        }
        if any(name in whole for name, value in filled.items() if value == "!"):
            return False
        wanted = {name: value for name, value in filled.items() if value != "!"}
        return all(name in whole and _matches(whole[name], value, variables, new) for name, value in wanted.items())
    if isinstance(part, list) and part[:1] == ["..."]:
        return isinstance(whole, list) and any(_matches(one, part[1], variables, new) for one in whole)
    if isinstance(part, list):
        same = isinstance(whole, list) and len(whole) == len(part)
        return same and all(_matches(*pair, variables, new) for pair in zip(whole, part, strict=True))
    return bool(whole == part and type(whole) is type(part))


def list_transcripts(folder: Path) -> list[Any]:
    """A test parameter for each transcript in the folder."""
    found = sorted((folder / "transcripts").glob("*.txt"))
    assert found, f"there are no transcripts in {folder}"
    return [pytest.param(path, id=path.stem.replace("-", " ")) for path in found]
