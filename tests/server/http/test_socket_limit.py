"""Open WebSockets of an address: how many there may be, and which addresses count together."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.types import Scope
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from marchland.server.http.rate_limit import RateLimited
from marchland.server.http.socket_limit import SocketLimit
from marchland.server.settings import Settings
from tests.support.api import until
from tests.support.server import Served, person

MOST = 2
COLORFIGHT = "/colorfight/gameroom/public/game_channel"
SENTENCE = "There are 2 open WebSockets from this address, which is the most; close some first."


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that believes what a proxy of this machine reports."""
    server = Served(tmp_path_factory.mktemp("sockets"), "--sockets", str(MOST), "--trusted-proxy", "127.0.0.1")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def live(served: Served) -> str:
    """The address of a match's WebSocket."""
    with person(served) as creator:
        match = creator.match("colorfight", "open", "empty")
        creator.join(match)
    return f"/api/v1/matches/{match}/live?want=none"


def connect(served: Served, path: str, address: str) -> ClientConnection:
    """Open a WebSocket as a client of that address."""
    url = served.url.replace("http", "ws", 1) + path
    return open_socket(url, additional_headers={"X-Forwarded-For": address}, proxy=None, open_timeout=30)


def refusal(served: Served, path: str, address: str) -> Any:
    """The response to a handshake; None if it is accepted."""
    try:
        with connect(served, path, address):
            return None
    except InvalidStatus as refused:
        return refused.response


def test_one_more_than_the_limit_is_refused_with_the_reason(served: Served, live: str) -> None:
    with connect(served, live, "203.0.113.1"), connect(served, live, "203.0.113.1"):
        refused = refusal(served, live, "203.0.113.1")
        assert refused.status_code == 429
        assert b'"error":"too_many_sockets"' in refused.body
        assert SENTENCE.encode() in refused.body
        assert int(refused.headers["retry-after"]) > 0


def test_a_closed_socket_makes_room(served: Served, live: str) -> None:
    with connect(served, live, "203.0.113.2"):
        with connect(served, live, "203.0.113.2"):
            assert refusal(served, live, "203.0.113.2") is not None
        until(lambda: refusal(served, live, "203.0.113.2") is None)


def test_sockets_of_all_protocols_count_together_and_are_refused_in_the_form_of_each(served: Served, live: str) -> None:
    with connect(served, live, "203.0.113.3"), connect(served, COLORFIGHT, "203.0.113.3"):
        refused = refusal(served, COLORFIGHT, "203.0.113.3")
        assert refused.status_code == 429
        assert refused.body == f'{{"success":false,"err_msg":"{SENTENCE}"}}'.encode()


def test_a_handshake_that_fails_does_not_count(served: Served, live: str) -> None:
    for _ in range(2 * MOST):
        assert refusal(served, "/hive/ws?id=no-such-game-1", "203.0.113.4").status_code == 400
    assert refusal(served, live, "203.0.113.4") is None


def test_other_addresses_behind_the_proxy_have_their_own_limit(served: Served, live: str) -> None:
    with connect(served, live, "203.0.113.5"), connect(served, live, "203.0.113.5"):
        assert refusal(served, live, "203.0.113.6") is None
        assert refusal(served, live, "203.0.113.5") is not None


def test_addresses_of_one_ipv6_network_share_the_limit(served: Served, live: str) -> None:
    with connect(served, live, "2001:db8:7:1::1"), connect(served, live, "2001:db8:7:1:ffff::2"):
        assert refusal(served, live, "2001:db8:7:1::3") is not None
        assert refusal(served, live, "2001:db8:7:2::3") is None


def test_a_proxy_that_is_not_trusted_is_one_address(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Served(tmp_path_factory.mktemp("untrusted"), "--sockets", "1", "--trusted-proxy", "10.0.0.7")
    try:
        with connect(server, COLORFIGHT, "203.0.113.7"):
            assert refusal(server, COLORFIGHT, "203.0.113.8").status_code == 429
    finally:
        server.stop()


def test_the_default_lets_many_players_share_an_address_and_no_address_has_more() -> None:
    limit = SocketLimit(Settings.sockets_per_address)
    scope: Scope = {"type": "websocket", "client": ("203.0.113.9", 1)}
    with ExitStack() as opened:
        for _ in range(512):
            opened.enter_context(limit.hold(scope))
        with pytest.raises(RateLimited, match="There are 512 open"):
            opened.enter_context(limit.hold(scope))
