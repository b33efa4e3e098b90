"""A local HTTP server that answers as an asset API and a stake API do, or fails as tests want."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import parse_qs, urlparse

Mode = Literal["well", "slow", "slow head", "malformed", "cut", "failing", "second page fails", "odd asset"]

COLLECTION = "void"


def asset(
    number: int, owner: str, schema: str = "boost", *, collection: str = COLLECTION, **data: Any
) -> dict[str, Any]:
    """An asset as AtomicAssets lists it."""
    return {
        "asset_id": str(number),
        "owner": owner,
        "collection": {"collection_name": collection},
        "schema": {"schema_name": schema},
        "template": {"template_id": "9"},
        "template_mint": str(number % 1000),
        "is_transferable": True,
        "is_burnable": True,
        "data": {"name": "fuel", "attack": 7, "turns": 2, **data},
    }


class FakeLedger:
    """Its assets and stakes by wallet, and how it answers."""

    def __init__(self) -> None:
        self.assets: dict[str, list[dict[str, Any]]] = {}
        self.stakes: dict[str, int] = {}
        self.mode: Mode = "well"
        self.odd_wallet: str | None = None
        """The one wallet for which the modes with odd answers hold; None for all."""
        self.requests: list[str] = []
        self.address = ""

    def answer(self, path: str) -> bytes:
        """The body for a request."""
        address = urlparse(path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path != "/atomicassets/v1/assets":
            return json.dumps({"stake": self.stakes.get(query["account"], 0)}).encode()
        page, limit = int(query["page"]), int(query["limit"])
        listed = self.assets.get(query["owner"], [])[(page - 1) * limit : page * limit]
        if self.mode == "second page fails" and page == 2:
            return b'{"success": false}'
        if self.mode == "odd asset" and self.odd_wallet in (None, query["owner"]):
            listed = [*listed, {**asset(77, query["owner"]), "schema": None}]
        return json.dumps({"success": True, "data": listed}).encode()


class _Handler(BaseHTTPRequestHandler):
    ledger: FakeLedger

    def do_GET(self) -> None:
        ledger = self.ledger
        ledger.requests.append(self.path)
        content = ledger.answer(self.path)
        if ledger.mode == "malformed":
            content = b"<html>maintenance</html>"
        if ledger.mode == "slow head":
            self._write_slowly(b"HTTP/1.1 200 OK\r\n" + b"X-Padding: x\r\n" * 20)
            return
        self.send_response(500 if ledger.mode == "failing" else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if ledger.mode == "cut":
            content = content[:10]
        if ledger.mode == "slow":
            self._write_slowly(content)
            return
        self.wfile.write(content)

    def _write_slowly(self, content: bytes) -> None:
        """A byte now and then: no single read times out."""
        for byte in content:
            try:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.02)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def fake_ledger() -> Iterator[FakeLedger]:
    """A fake that listens on a port of its own."""
    ledger = FakeLedger()
    handler = type("Handler", (_Handler,), {"ledger": ledger})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    ledger.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield ledger
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
