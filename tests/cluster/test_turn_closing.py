"""Two nodes on one PostgreSQL, as two processes."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from marchland.store import Database
from tests.support.match_rows import started
from tests.support.postgres import Cluster

pytestmark = pytest.mark.alone

ROOT = Path(__file__).parents[2]
SECONDS = "4"


def node(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.support.turn_closing", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def run(nodes: list[subprocess.Popen[bytes]]) -> list[Any]:
    """Let them begin at the same time, and hear what they tell."""
    for one in nodes:
        assert one.stdout is not None and one.stdout.readline() == b"ready\n"
    for one in nodes:
        assert one.stdin is not None
        one.stdin.write(b"\n")
        one.stdin.flush()
    try:
        return [msgspec.json.decode(one.communicate(timeout=120)[0]) for one in nodes]
    finally:
        for one in nodes:
            one.kill()


def hammered(url: str) -> float:
    """Hammer a match from two nodes, check every acknowledgement, and say how long closing took, p99."""
    with Database(url) as store:
        match = asyncio.run(started(store))
    owner, poster = run([node(url, match, role, SECONDS) for role in ("owner", "poster")])
    closed = {int(turn): set(keys) for turn, keys in owner["closed"].items()}
    for found in (owner, poster):
        assert len(found["acknowledged"]) > 100
        for key, turn in found["acknowledged"]:
            assert key in closed.get(turn, ()) or turn not in closed, f"{key} was acknowledged for turn {turn}"
        assert sum(turn not in closed for _, turn in found["acknowledged"]) < 100, "only the last turn is open"
    acknowledged = {key for found in (owner, poster) for key, _ in found["acknowledged"]}
    assert set.union(*closed.values()) <= acknowledged
    took: list[float] = sorted(owner["took"])
    return took[int(0.99 * len(took))]


def test_no_acknowledged_order_is_outside_its_turn_and_closing_is_quick(cluster: Cluster) -> None:
    """A busy machine may hold both nodes up, so the time counts in the best of five runs, the orders in all."""
    for _ in range(5):
        slowest = hammered(cluster.new_database())
        if slowest <= 0.05:
            break
    assert slowest <= 0.05, f"closing took {slowest * 1000:.1f} ms"
