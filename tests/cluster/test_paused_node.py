"""A node that is paused for longer than its lease and then continues."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import marchland
from marchland.match.history import apply_entry
from marchland.messages import Every, MatchCreate, MatchInfo, SeatRequest
from marchland.server.cluster import queries as cluster_queries
from marchland.store import Database
from marchland.store.match_log import entries_from
from marchland.store.snapshots import earliest
from marchland.store.writer import Lock
from tests.support.match_rows import started
from tests.support.postgres import Cluster
from tests.support.server import ADMIN, Served

LEASE = 1.0
PATIENCE = 60.0
CONFIG = {"width": 12, "height": 12, "max_turn": 1_000_000, "early_end": False}


@pytest.fixture
def nodes(cluster: Cluster, tmp_path: Path) -> Iterator[tuple[Served, Served, str]]:
    url = cluster.new_database()
    served = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        served.append(Served(folder, "--db", url, "--lease", str(LEASE)))
    yield served[0], served[1], url
    for one in served:
        one.stop()


def show(node: Served, match: str) -> MatchInfo:
    with node.admin() as admin:
        return admin.match(match)


def wait_for_turn(node: Served, match: str, turn: int) -> None:
    end = time.monotonic() + PATIENCE
    while show(node, match).turn < turn:
        assert time.monotonic() < end, "the match does not go on"
        time.sleep(0.05)


def heard(socket: ClientConnection, quiet: float) -> list[str]:
    """What arrives until the socket is quiet for so long, or closed: the kinds of the messages."""
    kinds = []
    try:
        while True:
            kinds.append(msgspec.json.decode(socket.recv(timeout=quiet))["type"])
    except (TimeoutError, ConnectionClosed):
        return kinds


def test_a_node_that_was_stopped_for_three_leases_runs_no_turn_twice_and_sends_no_frame(
    nodes: tuple[Served, Served, str],
) -> None:
    a, b, url = nodes
    body = MatchCreate("colorfight", [SeatRequest("builtin", "greedy")] * 2, config=CONFIG, clock=Every(0.2), seed=5)
    with a.admin() as admin:
        match = admin.create(body).id
    wait_for_turn(a, match, 5)
    address = f"{a.url.replace('http', 'ws', 1)}/api/v1/matches/{match}/live"
    with connect(address, additional_headers={"Authorization": f"Bearer {ADMIN}"}) as socket:
        socket.recv(timeout=PATIENCE)
        os.kill(a.pid, signal.SIGSTOP)
        try:
            stopped = time.monotonic()
            heard(socket, 0.5)  # what was on its way
            wait_for_turn(b, match, show(b, match).turn + 10)
            while time.monotonic() < stopped + 3 * LEASE:
                time.sleep(0.05)
        finally:
            os.kill(a.pid, signal.SIGCONT)
        assert "news" not in heard(socket, 5.0)
    wait_for_turn(a, match, show(b, match).turn + 5)
    with Database(url) as store, store.engine.connect() as connection:
        began, entries = earliest(connection, match), entries_from(connection, match, 0)
    assert began is not None
    assert [entry.turn for entry in entries] == list(range(began.turn, began.turn + len(entries)))
    game = marchland.restore(began.data)
    for entry in entries:
        apply_entry(game, entry)


def test_a_node_paused_in_a_transaction_does_not_block_other_writers(cluster: Cluster) -> None:
    url = cluster.new_database()

    async def written(store: Database, match: str) -> int | None:
        epoch: int | None = await store.write(
            partial(cluster_queries.claim, match=match, node="b", lease=1), Lock(match, True)
        )
        return epoch

    with Database(url) as a, Database(url) as b:
        match = asyncio.run(started(a))
        with a.engine.connect() as standing:
            cluster_queries.claim(standing, match, "a", -1)  # the lease is over, its transaction is not
            assert asyncio.run(asyncio.wait_for(written(b, match), PATIENCE)) == 1, "what a has not committed is gone"
            standing.invalidate()
