"""Errors of the server have the form of the wire that owns the path."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect as open_socket

from tests.support import http_clients as http
from tests.support.server import Served

_PATIENCE = 20.0
_BROWSER = {"Accept": "text/html"}


def _colorfight(status: int, text: str) -> Any:
    return {"success": False, "err_msg": text}


def _hive(status: int, text: str) -> Any:
    return text


def _datspulse(status: int, text: str) -> Any:
    return {"code": status, "message": text}


_FORMS = {"/colorfight": _colorfight, "/hive": _hive, "/datspulse/test": _datspulse, "/datspulse/final": _datspulse}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("refusals"), "--root", "hive")
    yield server
    server.stop()


@pytest.mark.parametrize("prefix", _FORMS)
@pytest.mark.parametrize("path", ["", "/", "/nowhere", "/nowhere/at/all"])
@pytest.mark.parametrize("headers", [{}, _BROWSER], ids=["program", "browser"])
def test_an_unknown_path(served: Served, prefix: str, path: str, headers: dict[str, str]) -> None:
    answer = http.get(f"{served.url}{prefix}{path}", headers=headers, timeout=_PATIENCE)
    assert (answer.status_code, answer.json()) == (404, _FORMS[prefix](404, "Not Found"))
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("method", "prefix", "path"),
    [
        ("POST", "/colorfight", "/get_gameroom_list"),
        ("GET", "/colorfight", "/restart"),
        ("GET", "/colorfight", "/gameroom/public/game_channel"),
        ("POST", "/hive", "/newgame"),
        ("GET", "/hive", "/orders"),
        ("PUT", "/hive", "/history/one.json"),
        ("GET", "/hive", "/ws"),
    ],
)
def test_a_known_path_with_another_method(served: Served, method: str, prefix: str, path: str) -> None:
    answer = http.request(method, f"{served.url}{prefix}{path}", timeout=_PATIENCE)
    assert (answer.status_code, answer.json()) == (405, _FORMS[prefix](405, "Method Not Allowed"))


def test_the_root_wire_formats_errors_of_its_own_paths_only(served: Served) -> None:
    with http.open_client(base_url=served.url, timeout=_PATIENCE) as client:
        assert client.get("/orders").json() == "Method Not Allowed"
        assert client.post("/history/one.json").json() == "Method Not Allowed"
        for path in ("/nowhere", "/api/v1/nowhere"):
            answer = client.get(path).json()
            assert answer["error"] == "not_found"
            assert answer["sentence"].startswith("There is nothing at this address; ")
        assert "the header Allow lists" in client.put("/api/v1/matches").json()["sentence"]
        assert client.get("/nowhere", headers=_BROWSER).headers["content-type"].startswith("text/html")


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a limit of one request in ten seconds for each address."""
    server = Served(tmp_path_factory.mktemp("limited"), "--root", "hive", "--rate-address", "0.1")
    yield server
    server.stop()


def _request_until_limited(served: Served, path: str) -> httpx.Response:
    while (answer := http.get(f"{served.url}{path}", timeout=_PATIENCE)).status_code != 429:
        pass
    return answer


@pytest.mark.parametrize(
    ("path", "form", "key"),
    [
        ("/colorfight/get_gameroom_list", _colorfight, "err_msg"),
        ("/hive/status", _hive, None),
        ("/datspulse/final/api/rounds", _datspulse, "message"),
        ("/status", _hive, None),
        ("/history/one.json", _hive, None),
    ],
)
def test_a_rate_limited_request_gets_the_form_of_its_wire(
    limited: Served, path: str, form: Any, key: str | None
) -> None:
    answer = _request_until_limited(limited, path)
    text = answer.json() if key is None else answer.json()[key]
    assert text.startswith("Too many requests; try again in ")
    assert answer.json() == form(429, text)
    assert 1 <= int(answer.headers["retry-after"]) <= 11


def test_a_rate_limited_request_of_our_own_api_gets_its_form(limited: Served) -> None:
    assert _request_until_limited(limited, "/api/v1/games").json()["error"] == "too_many"


def test_a_rate_limited_handshake_gets_the_same_form(limited: Served) -> None:
    while int(_request_until_limited(limited, "/colorfight/get_gameroom_list").headers["retry-after"]) < 5:
        time.sleep(0.2)  # a token is available soon
    with pytest.raises(InvalidStatus) as refused:
        open_socket(f"{limited.url.replace('http', 'ws', 1)}/colorfight/gameroom/public/game_channel", proxy=None)
    assert refused.value.response.status_code == 429
    assert (refused.value.response.body or b"").startswith(b'{"success":false,"err_msg":"Too many requests')
