"""deploy/two_nodes.py as an operator runs it: PostgreSQL, two nodes, and HAProxy between them and the players."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.deploy_files import DEPLOY, find_program
from tests.support.postgres import binaries
from tests.support.small_matches import SMALL

PATIENCE = 120.0
TOKEN = "the-admin-of-two-nodes"


class TwoNodes:
    """The script, and what it has said so far."""

    def __init__(self, folder: Path, port: int, environment: dict[str, str]) -> None:
        self._said = folder / "said"
        command = [
            sys.executable,
            str(DEPLOY / "two_nodes.py"),
            "--port",
            str(port),
            "--folder",
            str(folder / "league"),
        ]
        with self._said.open("w") as said:
            self.process = subprocess.Popen(command, stdout=said, stderr=said, env=environment)

    def wait_for(self, pattern: str) -> list[str]:
        """Everything that matches a pattern in what it has said, as soon as anything does."""
        end = time.monotonic() + PATIENCE
        while not (found := re.findall(pattern, self._said.read_text())):
            assert self.process.poll() is None and time.monotonic() < end, self._said.read_text()
            time.sleep(0.05)
        return found

    def pid_of(self, name: str) -> int:
        return int(self.wait_for(rf"{name} runs as process (\d+)")[-1])

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(60)


def free_ports(count: int) -> int:
    """The first of some consecutive ports that are free now."""
    for first in range(21_000, 30_000, 10):
        with contextlib.ExitStack() as stack:
            try:
                for port in range(first, first + count):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return first
    raise AssertionError("no free ports")


@pytest.fixture(scope="module")
def league() -> Iterator[tuple[TwoNodes, str]]:
    """Both nodes, and the address of the balancer."""
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed here; with it (on Debian: apt install postgresql) this runs too")
    haproxy, environment = find_program("haproxy")
    path = os.pathsep.join([environment["PATH"], str(Path(haproxy).parent)])
    folder = Path(tempfile.mkdtemp(prefix="two"))  # short: the path of a Unix socket has at most 107 bytes
    folder.chmod(0o755)
    port = free_ports(3)
    script = TwoNodes(folder, port, {**environment, "PATH": path, "MARCHLAND_ADMIN_TOKEN": TOKEN})
    try:
        script.wait_for("Marchland is at")
        yield script, f"http://127.0.0.1:{port}"
    finally:
        script.stop()
        shutil.rmtree(folder, ignore_errors=True)


def post(client: httpx.Client, path: str, body: object) -> httpx.Response:
    """Send a request until a node answers it; requests for orders may be repeated."""
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(httpx.TransportError):
            answer = client.post(path, json=body)
            if answer.status_code not in (502, 503, 504):
                return answer
        assert time.monotonic() < end, "no node answers"
        time.sleep(0.1)


def test_orders_are_accepted_through_the_balancer_while_each_node_is_killed(league: tuple[TwoNodes, str]) -> None:
    script, address = league
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=30, trust_env=False) as client:
        seats = [{}, {"kind": "empty"}]
        body = {**SMALL["colorfight"], "game": "colorfight", "seats": seats, "clock": {"kind": "ready"}}
        match = post(client, "/matches", body).raise_for_status().json()["id"]
        post(client, f"/matches/{match}/join", {}).raise_for_status()
        turn = 1
        for name in ("first", "second"):
            os.kill(script.pid_of(name), signal.SIGKILL)
            for number in range(3):
                body = {"orders": [], "key": f"{name}-{number}", "turn": turn, "ready": False}
                receipt = post(client, f"/matches/{match}/orders", body).raise_for_status().json()
                assert receipt["turn"] == turn
                assert post(client, f"/matches/{match}/orders", body).json() == receipt
            script.wait_for(f"{name} has ended with -9")
            end = time.monotonic() + PATIENCE
            node = int(address.rpartition(":")[2]) + (1 if name == "first" else 2)
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if httpx.get(f"http://127.0.0.1:{node}/readyz", trust_env=False).status_code == 200:
                        break
                assert time.monotonic() < end, f"{name} does not come back"
                time.sleep(0.1)


def test_the_balancer_hides_the_metrics_and_names_requests(league: tuple[TwoNodes, str]) -> None:
    _, address = league
    with httpx.Client(base_url=address, trust_env=False, timeout=30) as client:
        assert client.get("/metrics").status_code == 403
        assert len(client.get("/api/v1/games").headers["x-request-id"]) == 36
        assert client.get("/api/v1/games", headers={"X-Request-Id": "mine"}).headers["x-request-id"] == "mine"


def test_a_stopped_script_leaves_no_process(league: tuple[TwoNodes, str]) -> None:
    script, _ = league
    pids = [script.pid_of(name) for name in ("first", "second", "balancer")]
    assert script.stop() == 0
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
