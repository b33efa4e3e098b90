"""Clients that behave as public bots do, against `marchland serve` as a person starts it: with default settings."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.support import http_clients as http
from tests.support.api import until

pytestmark = pytest.mark.alone

ADMIN = "a-token-for-clients"
PATIENCE = 2.0
"""Seconds that the public Colorfight clients wait for their registration."""
H2C = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQAoAAAAAIAAAAA"}
TURNS = 2


class Server(NamedTuple):
    """The server and requests to it."""

    url: str

    @property
    def socket_url(self) -> str:
        return self.url.replace("http", "ws", 1)

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return http.post(f"{self.url}{path}", json=body, headers=headers)

    def token(self, name: str) -> str:
        """The token of a new account."""
        return str(self.post("/api/v1/accounts", {"name": name}).raise_for_status().json()["token"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("defaults")
    command = [sys.executable, "-m", "marchland", "serve", "--port", "0", "--db", str(folder / "m.db")]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen([*command, "--admin-token", ADMIN], stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    with process:
        said = process.stdout.readline()
        assert said.startswith("Marchland is at "), (folder / "server.log").read_text()
        yield Server(said.split()[-1])
        process.send_signal(signal.SIGTERM)


# ---------------------------------------------------------------- Colorfight: two seconds of patience


async def register(server: Server, name: str) -> Any:
    """The answer to the first message of a client that gives up after two seconds."""
    async with asyncio.timeout(PATIENCE):
        async with connect(f"{server.socket_url}/colorfight/gameroom/public/action_channel") as channel:
            await channel.send(json.dumps({"action": "register", "username": name, "password": "x"}))
            return json.loads(await channel.recv())


def test_eight_clients_register_within_their_patience_as_soon_as_the_port_is_open(server: Server) -> None:
    """The first test of the file: no other request comes before."""

    async def register_all() -> list[Any]:
        return await asyncio.gather(*(register(server, f"bot {number}") for number in range(8)))

    answers = asyncio.run(register_all())
    assert [answer["success"] for answer in answers] == [True] * 8


# ---------------------------------------------------------------- Hive: two requests as soon as a turn begins


async def play_hive(server: Server, game: str, name: str, turns: int) -> list[int]:
    """The statuses of an agent's requests."""
    async with httpx.AsyncClient(base_url=f"{server.url}/hive", verify=http.NO_TLS) as agent:
        token = (await agent.get("/join", params={"id": game, "name": name})).json()["token"]
        query = {"id": game, "token": token}
        statuses = []
        async with connect(f"{server.socket_url}/hive/ws?id={game}") as announcements:
            while json.loads(await announcements.recv())["turn"] < turns:
                statuses.append((await agent.get("/game", params=query)).status_code)
                statuses.append((await agent.post("/orders", params=query, json=[])).status_code)
        return statuses


def test_hive_agents_that_answer_instantly_are_never_refused(server: Server) -> None:
    async def play() -> list[list[int]]:
        names = ("anna", "bert", "cleo")
        created = http.get(f"{server.url}/hive/newgame", params={"map": "balanced", "players": str(len(names))})
        game = created.raise_for_status().json()["id"]
        return await asyncio.gather(*(play_hive(server, game, name, 8) for name in names))

    for statuses in asyncio.run(play()):
        assert len(statuses) >= 14
        assert set(statuses) == {200}


# ---------------------------------------------------------------- DatsPulse: turns, and the break between two rounds


LATE = 0.3
"""Seconds before the end of a turn in which a bot's second request may be too late."""


class Team:
    """A bot that ends at any status but 200, except while it is not registered, and sleeps `nextTurnIn`."""

    def __init__(self, server: Server, name: str, **headers: str) -> None:
        self._http = httpx.AsyncClient(
            base_url=f"{server.url}/datspulse/final/api",
            headers={"X-Auth-Token": server.token(name), **headers},
            verify=http.NO_TLS,
        )
        self.turns: list[int] = []
        self.empty_after: set[int] = set()
        """After which turns the arena was empty."""
        self.registered = 0

    async def play(self, matches: int) -> None:
        """Play so many matches, one after the other."""
        async with self._http:
            while len(self.turns) < matches * TURNS:
                response = await self._http.get("/arena")
                if response.status_code == 400 and "not registered in the game" in response.json()["message"]:
                    (await self._http.post("/register", json={})).raise_for_status()
                    self.registered += 1
                    await asyncio.sleep(0.5)
                    continue
                arena = response.raise_for_status().json()
                if arena["turnNo"] == 0:
                    self.empty_after |= set(self.turns[-1:])
                    await asyncio.sleep(0.5)
                    continue
                self.turns.append(arena["turnNo"])
                moves = [{"ant": ant["id"], "path": []} for ant in arena["ants"]]
                answer = (await self._http.post("/move", json={"moves": moves})).raise_for_status().json()
                assert answer["errors"] == []
                if answer["turnNo"] != arena["turnNo"]:  # a poll of the lobby came at the very end of the first turn
                    assert (answer["turnNo"], arena["turnNo"]) == (2, 1) and arena["nextTurnIn"] < LATE
                    self.turns.append(answer["turnNo"])
                await asyncio.sleep(answer["nextTurnIn"])


def test_teams_that_sleep_next_turn_in_play_every_turn_of_two_rounds_and_survive_the_break(server: Server) -> None:
    try:
        play_two_rounds(server, "cup", lobby=2.0, turn=0.8, pause=1.0)
    except (AssertionError, TimeoutError, httpx.HTTPStatusError):  # a busy machine may be late for short turns
        headers = {"Authorization": f"Bearer {ADMIN}"}
        http.request("DELETE", f"{server.url}/api/v1/rounds/cup", headers=headers).raise_for_status()
        until(lambda: http.get(f"{server.url}/api/v1/rounds/cup").json()["current"] is None)
        play_two_rounds(server, "slow cup", lobby=6.0, turn=4.0, pause=4.0)


def play_two_rounds(server: Server, name: str, *, lobby: float, turn: float, pause: float) -> None:
    """Two teams play, and must have seen every turn and the break."""
    template = {
        "game": "datspulse",
        "rules": "upstream",
        "config": {"max_turn": TURNS},
        "seats": [{"kind": "builtin", "bot": "greedy"}],
        "clock": {"kind": "every", "seconds": turn, "early": False},
    }
    cup = {"name": name, "kind": "final", "starts": time.time() + lobby, "lobby": lobby, "runs": 2, "pause": pause}
    response = server.post("/api/v1/rounds", {**cup, "template": template}, Authorization=f"Bearer {ADMIN}")
    response.raise_for_status()
    teams = [Team(server, f"plain {name}"), Team(server, f"java {name}", **H2C)]

    async def play() -> None:
        async with asyncio.timeout(24 + 20 * turn):
            await asyncio.gather(*(team.play(matches=2) for team in teams))

    asyncio.run(play())
    for team in teams:
        assert team.turns == [*range(1, TURNS + 1)] * 2
        assert team.empty_after == {TURNS}
        assert team.registered == 2


# ---------------------------------------------------------------- clients that offer HTTP/2


@pytest.mark.parametrize("chunked", [False, True])
def test_a_post_that_offers_h2c_keeps_its_body(server: Server, chunked: bool) -> None:
    body = json.dumps({"name": f"java {chunked}"}).encode()
    lines = ["POST /api/v1/accounts HTTP/1.1", "Host: x", *(f"{name}: {value}" for name, value in H2C.items())]
    lines.append("Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}")
    framed = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if chunked else body
    with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=60) as client:
        client.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + framed)
        answer = client.recv(65536)
    assert answer.startswith(b"HTTP/1.1 201 ")
    assert f'"name":"java {chunked}"'.encode() in answer
