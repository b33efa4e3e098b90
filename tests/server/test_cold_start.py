"""The start of a real server: over an empty kernel cache it compiles in workers, over a full one it opens ready."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect as open_socket

from marchland.registry import games
from tests.support import http_clients as http
from tests.support.processor_time import waiting_seconds

pytestmark = pytest.mark.alone

PATIENCE = 60.0
HOLD = 1.5
OPENS_WITHIN = 1.5
"""Seconds; `make acceptance` holds a start to them. Here a machine that is slow at the moment gets more."""
LIBRARIES = "llvmlite.binding, numpy, sqlalchemy.dialects.sqlite, starlette.routing, uvicorn, websockets"
STARTS_PER_IMPORT = 3.0
"""How many times as long as the import of its libraries a start may take."""
TOKEN = "a-token-for-cold-starts"


class Server:
    """``marchland serve`` in a process of its own, started as a person would."""

    def __init__(self, folder: Path, cache: Path | None) -> None:
        environment = os.environ | ({} if cache is None else {"MARCHLAND_CACHE": str(cache)})
        command = [sys.executable, "-m", "marchland", "serve", "--demo", "--port", "0"]
        command += ["--db", str(folder / "server.db"), "--admin-token", TOKEN, "--rate", "1000"]
        began = time.perf_counter()
        self.log = folder / "server.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said.startswith("Marchland is at "), self.log.read_text()
        self.url = said.split()[-1]
        self.http = http.open_client(
            base_url=self.url, headers={"Authorization": f"Bearer {TOKEN}", "X-Auth-Token": TOKEN}, timeout=PATIENCE
        )
        self.first = self.http.get("/readyz")
        self.opened_after = time.perf_counter() - began - waiting_seconds(self.process.pid)

    def workers(self) -> list[int]:
        """The process ids of its compile workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(child) for child in children if "marchland.compile_worker" in _command_line(int(child))]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.http.close()
        self.process.send_signal(how)
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            assert self.process.stdout is not None
            self.process.stdout.close()


def _command_line(pid: int) -> str:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def is_running(pid: int) -> bool:
    return "compile_worker" in _command_line(pid)


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, tmp_path / "cache")
    yield server
    server.stop(signal.SIGKILL)


@pytest.fixture
def frozen(cold: Server) -> Iterator[Server]:
    """A cold server that never gets on: all its workers are stopped."""
    wait_until(lambda: len(cold.workers()) == min(os.cpu_count() or 1, len(games())))
    workers = cold.workers()
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    yield cold
    for worker in workers:
        os.kill(worker, signal.SIGCONT)


def test_a_cold_start_answers_while_workers_compile(cold: Server) -> None:
    assert cold.first.status_code == 503
    assert {one["state"] for one in cold.first.json()["games"]} <= {"waiting", "compiling"}
    assert [one["game"] for one in cold.first.json()["games"]] == games()
    wait_until(cold.workers)
    assert len(cold.workers()) <= (os.cpu_count() or 1)
    assert cold.http.get("/healthz").text == "ok"


def test_requests_are_held_and_then_refused_in_the_form_of_each_wire(frozen: Server) -> None:
    body = {"game": "boidvoid", "seats": [{}, {}], "clock": {"kind": "ready"}}
    requests: list[tuple[str, str, Any]] = [
        ("POST", "/api/v1/matches", body),
        ("POST", "/colorfight/creategameroom", {}),
        ("GET", "/hive/newgame?map=tiny&players=2", None),
        ("GET", "/datspulse/test/api/arena", None),
    ]

    def send(request: tuple[str, str, Any]) -> tuple[float, httpx.Response]:
        method, path, content = request
        began = time.perf_counter()
        answer = frozen.http.request(method, path, json=content)
        return time.perf_counter() - began, answer

    with ThreadPoolExecutor(len(requests)) as pool:
        seconds, answers = zip(*pool.map(send, requests), strict=True)
    assert HOLD <= min(seconds) < 2 * HOLD
    assert {answer.status_code for answer in answers} == {503}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
    api, colorfight, hive, datspulse = (answer.json() for answer in answers)
    assert api["error"] == "loading"
    assert colorfight["success"] is False and "colorfight is loading" in colorfight["err_msg"]
    assert "hive is loading" in hive
    assert datspulse["code"] == 503 and "datspulse is loading" in datspulse["message"]


def test_a_websocket_handshake_is_refused_over_a_real_socket(frozen: Server) -> None:
    url = frozen.url.replace("http", "ws", 1)
    with pytest.raises(InvalidStatus) as refused, open_socket(f"{url}/hive/ws?id=x", proxy=None):
        pass
    assert refused.value.response.status_code == 503
    assert int(refused.value.response.headers["retry-after"]) > 0


def test_a_worker_that_is_killed_is_replaced_and_the_failure_logged(cold: Server) -> None:
    wait_until(cold.workers)
    victim = cold.workers()[0]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: "compile worker failed" in cold.log.read_text())
    assert "killed by signal 9" in cold.log.read_text()
    wait_until(lambda: any(worker != victim for worker in cold.workers()))
    assert cold.http.get("/healthz").text == "ok"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_worker_outlives_the_server(cold: Server, how: signal.Signals) -> None:
    wait_until(cold.workers)
    workers = cold.workers()
    cold.process.send_signal(how)
    cold.process.wait(PATIENCE)
    wait_until(lambda: not any(map(is_running, workers)))


def test_a_warm_start_has_every_game_loaded_when_the_port_opens(tmp_path: Path) -> None:
    server = Server(tmp_path, None)
    try:
        assert server.first.status_code == 200, server.first.text
        assert server.first.json()["ready"] is True
        assert server.workers() == []
    finally:
        server.stop()


def time_import() -> float:
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", f"import {LIBRARIES}"], check=True, timeout=PATIENCE)
    return time.monotonic() - begun


@pytest.mark.parametrize("cache", ["cold", "warm"])
def test_the_port_opens_in_time(tmp_path: Path, cache: str) -> None:
    seconds = []
    imports = []
    for attempt in range(5):
        imports.append(time_import())
        folder = tmp_path / str(attempt)
        folder.mkdir()
        server = Server(folder, folder / "cache" if cache == "cold" else None)
        server.stop(signal.SIGKILL)
        seconds.append(server.opened_after)
        if min(seconds) < max(OPENS_WITHIN, STARTS_PER_IMPORT * min(imports)):
            return
    raise AssertionError((seconds, imports))
