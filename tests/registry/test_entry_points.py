"""The entry-point group ``marchland.games``: games of installed distributions, in processes that find them."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from marchland import registry
from tests.support import http_clients as http
from tests.support.distributions import environment, install

ADMIN = "a-token-for-the-tests-only"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a distribution that offers the toy game."""
    install(tmp_path / "site", "toy-games", toy="toy_game:Toy")
    return tmp_path / "site"


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "marchland", *arguments]
    return subprocess.run(command, env=environment(site), capture_output=True, text=True, timeout=120, check=False)


def names(ran: subprocess.CompletedProcess[str]) -> set[str]:
    assert ran.returncode == 0, ran.stderr
    return {game["name"] for game in json.loads(ran.stdout)}


def test_an_installed_game_is_listed_and_played(site: Path) -> None:
    assert names(run(site, "games", "--json")) == {*registry.BUILTIN, "toy"}
    played = run(site, "play", "toy", "--bots", "greedy,idle", "--seed", "1", "--json")
    assert played.returncode == 0, played.stderr


def test_a_misspelt_name_is_answered_with_the_installed_one(site: Path) -> None:
    assert "did you mean 'toy'?" in run(site, "play", "toyy").stderr


def test_a_game_that_cannot_be_imported_is_reported_with_its_distribution(site: Path) -> None:
    install(site, "broken-games", broken="nowhere_at_all:Broken")
    listed = run(site, "games", "--json")
    assert names(listed) == {*registry.BUILTIN, "toy"}
    assert "'broken' of broken-games 1.0 cannot be loaded" in listed.stderr
    played = run(site, "play", "broken")
    assert played.returncode == 2
    assert "'broken' of broken-games 1.0" in played.stderr
    assert "Traceback" not in played.stderr


def test_a_game_with_the_name_of_a_built_in_one_is_ignored_with_a_warning(site: Path) -> None:
    install(site, "my-hive", hive="toy_game:Toy")
    listed = run(site, "games", "--json")
    assert names(listed) == {*registry.BUILTIN, "toy"}
    assert "my-hive 1.0 offers a game 'hive'" in listed.stderr


def test_a_name_that_two_distributions_offer_is_refused(site: Path) -> None:
    install(site, "other-toys", toy="elsewhere:Toy")
    assert names(run(site, "games", "--json")) == set(registry.BUILTIN)
    played = run(site, "play", "toy")
    assert played.returncode == 2
    assert "both offer a game 'toy'" in played.stderr
    assert "toy-games 1.0" in played.stderr and "other-toys 1.0" in played.stderr


@pytest.fixture
def server(site: Path, tmp_path: Path) -> Iterator[httpx.Client]:
    """A server process, called as its admin."""
    install(site, "broken-games", broken="nowhere_at_all:Broken")
    command = [sys.executable, "-m", "marchland", "serve", "--port", "0", "--admin-token", ADMIN]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--db", str(tmp_path / "server.db"), "--demo"],
            env=environment(site),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    with process:
        try:
            said = process.stdout.readline() if process.stdout else ""
            assert said.startswith("Marchland is at "), (tmp_path / "log").read_text()
            headers = {"Authorization": f"Bearer {ADMIN}"}
            with http.open_client(base_url=f"{said.split()[-1]}/api/v1", headers=headers, timeout=30) as client:
                yield client
        finally:
            process.terminate()


def wait_for(client: httpx.Client, path: str, **expected: Any) -> dict[str, Any]:
    """Ask until the answer has these values."""
    deadline = time.monotonic() + 60
    while True:
        found: dict[str, Any] = client.get(path).json()
        if all(found.get(name) == value for name, value in expected.items()):
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


def test_a_server_plays_it_with_its_own_bots_whatever_else_is_broken(server: httpx.Client) -> None:
    rooms = {room["name"] for room in server.get("/rooms").raise_for_status().json()}
    assert {"toy demo", "hive demo"} <= rooms and "broken demo" not in rooms
    seats = [{"kind": "builtin", "bot": "greedy"}, {"kind": "builtin", "bot": "idle"}]
    body = {"game": "toy", "seats": seats, "config": {"max_turn": 5}, "clock": {"kind": "ready"}}
    wait_for(server, "/games/toy", name="toy")
    deadline = time.monotonic() + 60
    while (answer := server.post("/matches", json=body)).status_code == 503 and time.monotonic() < deadline:
        time.sleep(0.1)  # its kernels are compiled
    match = answer.raise_for_status().json()["id"]
    over = wait_for(server, f"/matches/{match}", state="over")
    assert over["outcome"]["ranking"][0]["player"] == 0
