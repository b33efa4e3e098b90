"""The HTTP source of NFTs and stakes, against a small server that answers as the two APIs do."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest

from marchland.server.ledger.external import ExternalLedger

ASSETS = 150


class Api(BaseHTTPRequestHandler):
    """Answers as AtomicAssets does, and as a stake API."""

    def do_GET(self) -> None:
        address = urlparse(self.path)
        query = parse_qs(address.query)
        body: dict[str, Any] = {"stake": 123}
        if address.path == "/atomicassets/v1/assets":
            page, limit = int(query["page"][0]), int(query["limit"][0])
            assets = [{"asset_id": str(number), "owner": query["owner"][0]} for number in range(ASSETS)]
            body = {"success": True, "data": assets[(page - 1) * limit : page * limit]}
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def api() -> ThreadingHTTPServer:
    return ThreadingHTTPServer(("127.0.0.1", 0), Api)


@pytest.fixture
def ledger(api: ThreadingHTTPServer) -> Iterator[ExternalLedger]:
    """A ledger whose two APIs answer until the test calls `stop`."""
    thread = threading.Thread(target=api.serve_forever, args=(0.01,))
    thread.start()
    address = f"http://127.0.0.1:{api.server_address[1]}"
    yield ExternalLedger(address, f"{address}/stake")
    stop(api)
    thread.join()


def stop(api: ThreadingHTTPServer) -> None:
    api.shutdown()
    api.server_close()


def test_every_page_of_assets_is_read(ledger: ExternalLedger) -> None:
    assets = ledger.assets("eve")
    assert [asset["asset_id"] for asset in assets] == [str(number) for number in range(ASSETS)]
    assert {asset["owner"] for asset in assets} == {"eve"}


def test_the_stake_is_read(ledger: ExternalLedger) -> None:
    assert (ledger.stake("eve"), ledger.warning) == (123, "")


def test_the_last_known_values_stand_while_the_apis_are_down(ledger: ExternalLedger, api: ThreadingHTTPServer) -> None:
    assets, stake = ledger.assets("eve"), ledger.stake("eve")
    stop(api)
    assert (ledger.assets("eve"), ledger.stake("eve")) == (assets, stake)
    assert ledger.warning.count("does not answer") == 2


def test_an_account_that_was_never_read_has_nothing(ledger: ExternalLedger, api: ThreadingHTTPServer) -> None:
    stop(api)
    assert (ledger.assets("eve"), ledger.stake("eve")) == ([], 0)
