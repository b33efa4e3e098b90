"""HTTP of the protocol: tokens, rate limits, persistent connections, Expect headers and chunked bodies."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support import http_clients as http
from tests.support.datspulse_client import TeamClient
from tests.support.server import Person, Served, person

_EMPTY = (
    b'{"ants":[],"enemies":[],"map":[],"food":[],"turnNo":0,"nextTurnIn":0,"home":[],"score":0,"spot":{"q":0,"r":0}}'
)


class RawConnection:
    """A persistent HTTP connection at the level of bytes."""

    def __init__(self, served: Served) -> None:
        self._socket = socket.create_connection(("127.0.0.1", served.port), timeout=30)
        self._reader = self._socket.makefile("rb")

    def __enter__(self) -> "RawConnection":
        return self

    def __exit__(self, *problem: object) -> None:
        self._reader.close()
        self._socket.close()

    def send(self, text: str) -> None:
        self._socket.sendall(text.replace("\n", "\r\n").encode())

    def head(self) -> tuple[bytes, dict[bytes, bytes]]:
        """The status line and the headers of an answer."""
        status = self._reader.readline().strip()
        headers = {}
        while line := self._reader.readline().strip():
            name, _, value = line.partition(b": ")
            headers[name.lower()] = value
        return status, headers

    def answer(self) -> tuple[bytes, dict[bytes, bytes], bytes]:
        status, headers = self.head()
        return status, headers, self._reader.read(int(headers[b"content-length"]))


@pytest.fixture
def test_base(served: Served) -> Iterator[TeamClient]:
    """The base on which the lobby of the first round is open."""
    with TeamClient(served, "/datspulse/test") as client:
        yield client


def test_one_connection_serves_many_requests_whatever_their_status(served: Served, test_base: TeamClient) -> None:
    token = test_base.token("reds")
    with RawConnection(served) as line:
        for _ in range(2):
            line.send("GET /datspulse/test/api/arena HTTP/1.1\nHost: x\nX-Auth-Token: wrong\n\n")
            assert line.answer()[0] == b"HTTP/1.1 401 Unauthorized"
            line.send("POST /datspulse/test/api/move HTTP/1.1\nHost: x\nContent-Length: 11\n\nnot a move!")
            assert line.answer()[0] == b"HTTP/1.1 401 Unauthorized"
            line.send(
                f"POST /datspulse/test/api/register HTTP/1.1\nHost: x\nX-Auth-Token: {token}\nContent-Length: 0\n\n"
            )
            assert line.answer()[0] == b"HTTP/1.1 200 OK"
            line.send(f"GET /datspulse/test/api/arena HTTP/1.1\nHost: x\nX-Auth-Token: {token}\n\n")
            status, headers, body = line.answer()
            assert (status, body) == (b"HTTP/1.1 200 OK", _EMPTY)
            assert headers[b"content-type"] == b"application/json"


def test_requests_may_be_pipelined(served: Served, test_base: TeamClient) -> None:
    token = test_base.token("reds")
    test_base.request("reds", "POST", "/api/register")
    with RawConnection(served) as line:
        line.send(f"GET /datspulse/test/api/arena HTTP/1.1\nHost: x\nX-Auth-Token: {token}\n\n" * 3)
        assert [line.answer()[2] for _ in range(3)] == [_EMPTY] * 3


def test_a_request_with_expect_gets_100_continue(served: Served, test_base: TeamClient) -> None:
    token = test_base.token("reds")
    test_base.request("reds", "POST", "/api/register")
    with RawConnection(served) as line:
        line.send(
            f"POST /datspulse/test/api/move HTTP/1.1\nHost: x\nX-Auth-Token: {token}\n"
            "Content-Type: application/json\nContent-Length: 12\nExpect: 100-continue\n\n"
        )
        assert line.head()[0] == b"HTTP/1.1 100 Continue"
        line.send('{"moves":[]}')
        status, _, body = line.answer()
        assert (status, body) == (b"HTTP/1.1 200 OK", _EMPTY[:-1] + b',"errors":[]}')


def test_a_chunked_body_of_another_content_type_is_read(served: Served, test_base: TeamClient) -> None:
    token = test_base.token("reds")
    test_base.request("reds", "POST", "/api/register")
    with RawConnection(served) as line:
        line.send(
            f"POST /datspulse/test/api/move HTTP/1.1\nHost: x\nX-Auth-Token: {token}\nContent-Type: text/plain\n"
            'Transfer-Encoding: chunked\n\n5\n{"mov\n7\nes":[]}\n0\n\n'
        )
        assert line.answer()[0] == b"HTTP/1.1 200 OK"


def test_unknown_tokens_methods_and_paths_are_refused(test_base: TeamClient) -> None:
    test_base.play("""
        stranger > GET /api/arena
        < 401 {"code":401,"message":"bad token: send one of this server's in X-Auth-Token"}
        stranger > POST /api/register
        < 401 {"code":401,"message":"bad token: send one of this server's in X-Auth-Token"}
        reds > POST /api/arena
        < 405 {"code":405,"message":"method not allowed: POST /api/arena"}
        reds > GET /api/register
        < 405 {"code":405,"message":"method not allowed: GET /api/register"}
    """)
    assert http.get(f"{test_base.served.url}/datspulse/test/api/arena").status_code == 401
    test_base.play("""
        stranger > GET /api/nothing
        < 404 {"code":404,"message":"Not Found"}
        reds > POST /nothing/at/all
        < 404 {"code":404,"message":"Not Found"}
    """)


def test_a_body_that_is_too_large_is_refused(test_base: TeamClient) -> None:
    answer = test_base.request("reds", "POST", "/api/move", b" " * 1_000_001)
    assert (answer.status_code, answer.json()) == (
        413,
        {"code": 413, "message": "too large: the most is 1000000 bytes"},
    )


def test_more_moves_than_a_team_can_have_ants_for_are_refused(test_base: TeamClient) -> None:
    test_base.request("reds", "POST", "/api/register")
    body = '{"moves":[' + ",".join(['{"ant":"a","path":[]}'] * 10_001) + "]}"
    answer = test_base.request("reds", "POST", "/api/move", body)
    assert answer.status_code == 400
    assert answer.json() == {"code": 400, "message": "bad request: the most is 10000 moves"}


def test_a_revoked_token_is_refused(test_base: TeamClient) -> None:
    with person(test_base.served) as member:
        token = member.must("POST", "/tokens", json={})
        who = {"X-Auth-Token": token["token"]}
        address = f"{test_base.served.url}/datspulse/test/api/rounds"
        assert http.get(address, headers=who).status_code == 200
        member.must("DELETE", f"/tokens/{token['id']}")
        assert http.get(address, headers=who).status_code == 401


# ---------------------------------------------------------------- default rate limit, wire at the root


@pytest.fixture(scope="module")
def at_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("root"), "--root", "datspulse-test")
    yield server
    server.stop()


def burst(http: httpx.Client, path: str, count: int) -> list[tuple[float, httpx.Response]]:
    """Requests one after another, as fast as they are answered, each with the time since the first was sent."""
    began = time.monotonic()
    return [(time.monotonic() - began, http.get(path)) for _ in range(count)]


def test_a_token_may_ask_three_times_a_second(at_root: Served) -> None:
    with person(at_root) as reds, person(at_root) as blues:
        http, other = _team(at_root, reds), _team(at_root, blues)
        answers = burst(http, "/api/rounds", 30)
        assert [answer.status_code for _, answer in answers[:3]] == [200, 200, 200]
        for number, (_, answer) in enumerate(answers):
            if answer.status_code == 429:
                assert re.fullmatch(
                    r'\{"code":429,"message":"too many requests: 3 per second, try again in \d\.\d s"\}', answer.text
                )
                assert answer.headers["retry-after"] == "1"
            else:
                allowed = sum(one.status_code == 200 for _, one in answers[: number + 1])
                assert allowed <= 3 + 3 * (answers[number][0] + answer.elapsed.total_seconds())
        assert any(answer.status_code == 429 for _, answer in answers)
        assert other.get("/api/rounds").status_code == 200
        http.close()
        other.close()


def test_one_wire_can_be_served_at_the_root_beside_our_own_api(at_root: Served) -> None:
    with person(at_root) as reds:
        http = _team(at_root, reds)
        assert http.post("/api/register").json()["realm"] == "datspulse test 1"
        assert http.get("/api/arena").content == _EMPTY
        assert http.get("/datspulse/test/api/arena").content == _EMPTY
        assert reds.must("GET", "/rounds")[0]["name"] == "datspulse test"
        http.close()


def test_a_wire_that_there_is_not_cannot_be_served_at_the_root(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "marchland.cli", "serve", "--db", str(tmp_path / "x.db"), "--root", "chess"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0 and "There is no wire 'chess'; there are " in done.stderr + done.stdout


def _team(served: Served, who: Person) -> Any:
    return http.open_client(base_url=served.url, headers={"X-Auth-Token": str(who.token)}, timeout=30)
