"""Conversations with a server, written down: what a client sends and what it must be answered.

    # a remark
    GET /path                   a request; POST and a body likewise; ``ADMIN POST`` with the admin's token
    = 200 {"exact":"answer"}    the answer to the last request, to the byte
    ~ 200 {"part": "of it"}     an answer that has at least this in it
    OPEN anna /path             a WebSocket called anna
    anna > text                 anna sends this
    anna = text                 the next thing that anna hears, to the byte
    anna ~ {"part": "of it"}    anna hears, after other things or at once, something that has this in it
    anna closed 1000            the server closes, with that code
    CLOSE anna                  anna goes away

``$name`` stands for something that is learnt where it is first met, inside an expected part, and is known from there;
"!$name" for anything else, and "!" for nothing: no such key. ["...", part] is a list with such an element.
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

from tests.serving import ADMIN, Served

_PATIENCE = 20.0


class LiveConnection:
    """Plays a transcript against a server whose paths begin with a prefix."""

    def __init__(self, served: Served, prefix: str, **known: str) -> None:
        self._base = served.url + prefix
        self._http = httpx.Client(timeout=_PATIENCE)
        self._sockets: dict[str, ClientConnection] = {}
        self.known: dict[str, Any] = dict(known)
        self.last_heard = ""
        self._answer: httpx.Response | None = None
        self._checked = True

    def play(self, path: Path) -> None:
        try:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if line.strip() and not line.startswith("#"):
                    try:
                        self._line(line)
                    except Exception as problem:
                        pytest.fail(f"{path.name}, line {number}: {line}\n{problem!r}\nlast heard: {self.last_heard}")
            assert self._checked, f"{path.name} does not say what the last answer must be"
        finally:
            for socket in self._sockets.values():
                socket.close()
            self._http.close()

    def _line(self, line: str) -> None:
        first, _, rest = line.partition(" ")
        if first == "ADMIN":
            self._request(rest, {"Authorization": f"Bearer {ADMIN}"})
        elif first in ("GET", "POST"):
            self._request(line, {})
        elif first in ("=", "~"):
            self._answered(first, rest)
        elif first == "OPEN":
            name, _, path = self._filled(rest).partition(" ")
            url = self._base.replace("http", "ws", 1) + path
            self._sockets[name] = open_socket(url, proxy=None, max_size=None, legacy=True)
        elif first == "CLOSE":
            self._sockets.pop(rest).close()
        else:
            self._heard(self._sockets[first], *rest.split(" ", 1))

    def _request(self, line: str, headers: dict[str, str]) -> None:
        assert self._checked, "nobody has looked at the answer before"
        self._checked = False
        method, path, *body = self._filled(line).split(" ", 2)
        content = body[0].encode() if body else None
        self._answer = self._http.request(method, self._base + path, content=content, headers=headers)

    def _answered(self, how: str, expected: str) -> None:
        assert self._answer is not None
        self._checked = True
        status, _, body = expected.partition(" ")
        assert self._answer.status_code == int(status), self._answer.text
        if how == "=":
            assert self._answer.text == self._filled(body), self._answer.text
        else:
            assert self._has(json.loads(self._answer.text), json.loads(body)), self._answer.text

    def _heard(self, socket: ClientConnection, how: str, expected: str) -> None:
        if how == ">":
            socket.send(self._filled(expected))
        elif how == "closed":
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    socket.recv(timeout=_PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == int(expected)
        elif how == "=":
            self.last_heard = str(socket.recv(timeout=_PATIENCE))
            assert self.last_heard == self._filled(expected)
        else:
            assert how == "~", f"nobody can {how}"
            self.last_heard = ""
            while not self._has(json.loads(self.last_heard or "null"), json.loads(expected)):
                self.last_heard = str(socket.recv(timeout=_PATIENCE))

    def _filled(self, text: str) -> str:
        return re.sub(r"\$(\w+)", lambda found: str(self.known[found[1]]), text)

    def _has(self, whole: Any, part: Any) -> bool:
        """Whether ``part`` is in ``whole``; what is met for the first time is learnt if all of it is."""
        learnt: dict[str, Any] = {}
        if not _within(whole, part, self.known, learnt):
            return False
        self.known |= learnt
        return True


def _within(whole: Any, part: Any, known: dict[str, Any], learnt: dict[str, Any]) -> bool:
    if isinstance(part, str) and re.fullmatch(r"\$\w+", part):
        if part[1:] in known:
            return bool(known[part[1:]] == whole)
        learnt[part[1:]] = whole
        return True
    if isinstance(part, str) and part.startswith("!$"):
        return bool(known[part[2:]] != whole)
    if isinstance(part, str):
        return bool(whole == re.sub(r"\$(\w+)", lambda found: str(known[found[1]]), part))
    if isinstance(part, dict):
        if not isinstance(whole, dict):
            return False
        filled = {
            str(known.get(name[1:], name)) if name.startswith("$") else name: value for name, value in part.items()
        }
        if any(name in whole for name, value in filled.items() if value == "!"):
            return False
        wanted = {name: value for name, value in filled.items() if value != "!"}
        return all(name in whole and _within(whole[name], value, known, learnt) for name, value in wanted.items())
    if isinstance(part, list) and part[:1] == ["..."]:
        return isinstance(whole, list) and any(_within(one, part[1], known, learnt) for one in whole)
    if isinstance(part, list):
        same = isinstance(whole, list) and len(whole) == len(part)
        return same and all(_within(*pair, known, learnt) for pair in zip(whole, part, strict=True))
    return bool(whole == part and type(whole) is type(part))


def transcripts(folder: Path) -> list[Any]:
    """Every transcript beside a test, named for its file."""
    found = sorted((folder / "transcripts").glob("*.txt"))
    assert found, f"there are no transcripts in {folder}"
    return [pytest.param(path, id=path.stem.replace("-", " ")) for path in found]
