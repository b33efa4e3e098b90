"""A server under attack: two accounts send the most expensive requests that their limits allow.

Meanwhile ordinary matches run at one turn a second. The figures are how fast ``/healthz`` answers, and how many seats
missed a deadline. Attacker and players come from different loopback addresses, since limits are counted by address.
"""

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import httpx
import websockets

from marchland.bench.harness import TOKEN, RunningServer, percentiles, running_server

_ATTACKER, _PLAYERS = "127.0.0.1", "127.0.0.2"
_LARGEST = {"game": "colorfight", "config": {"width": 300, "height": 300, "max_turn": 10_000}}
_BOT = {"kind": "builtin", "bot": "greedy"}
_MANY_ORDERS = [{"do": "spawn", "at": [number, 0]} for number in range(10_000)]
"""As many as a post may have, in a game where the posts of a turn add up."""
_PROBE_PAUSE = 0.02


class Load(NamedTuple):
    """How much happens, and for how long."""

    matches: int = 20
    seats: int = 4
    readers: int = 4
    hostile_bots: int = 30
    warm_up: float = 10.0
    quiet_seconds: float = 20.0
    seconds: float = 60.0


def scenarios() -> Iterator[dict[str, Any]]:
    """The attack, on a server with its default limits."""
    yield {"game": "hostile", **asyncio.run(measure(Load()))}


async def measure(load: Load) -> dict[str, Any]:
    """Attack a server and measure what others notice of it."""
    async with running_server(()) as server, contextlib.AsyncExitStack() as stack:
        players = [await _start_match(server, stack, load, number) for number in range(load.matches)]
        outcomes = Counter(created=0, creations_refused=0, read=0, reads_refused=0, posted=0, posts_refused=0)
        tasks = [asyncio.create_task(player.run()) for player in players]
        await asyncio.sleep(load.warm_up)
        quiet = await _observe(server, players, load.quiet_seconds)
        tasks += await _start_attack(server, stack, load, outcomes)
        await asyncio.sleep(load.warm_up)
        attacked = await _observe(server, players, load.seconds)
        for task in tasks:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return {
            "scenario": f"{load.matches} ordinary matches of {load.seats} seats/1 turn a second/{load.seconds:g} s",
            **{f"quiet_{name}": figure for name, figure in quiet.items()},
            **attacked,
            "server_mb": round(server.memory() / 1e6),
            **{f"hostile_{name}": count for name, count in sorted(outcomes.items())},
        }


async def _observe(server: RunningServer, players: Sequence["Player"], seconds: float) -> dict[str, float]:
    """What the players of ordinary matches notice for some seconds."""
    before = [await player.count() for player in players]
    taken = await _probe(server, seconds)
    pairs = list(zip(before, [await player.count() for player in players], strict=True))
    return {
        "turns": sum(late.turn - early.turn for early, late in pairs),
        "missed_deadlines": sum(late.missed - early.missed for early, late in pairs),
        **percentiles("ms_healthz", taken),
        "ms_healthz_most": round(1e3 * max(taken), 2),
    }


async def _probe(server: RunningServer, seconds: float) -> list[float]:
    """The seconds that each ``GET /healthz`` takes."""
    taken = []
    async with _client(server.url, _PLAYERS) as http:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.perf_counter()
            (await http.get("/healthz")).raise_for_status()
            taken.append(time.perf_counter() - began)
            await asyncio.sleep(_PROBE_PAUSE)
    return taken


# ---------------------------------------------------------------- ordinary matches


class Progress(NamedTuple):
    """How far a match has come, and how many deadlines its seats have missed."""

    turn: int
    missed: int


class Player:
    """A person in an ordinary match, who posts as soon as a turn is open; the other seats are built-in bots."""

    def __init__(self, http: httpx.AsyncClient, url: str, match: str, token: str) -> None:
        self._http = http
        self._url = url
        self._match = match
        self._token = token

    async def run(self) -> None:
        """Play until cancelled."""
        address = f"{self._url.replace('http', 'ws', 1)}/api/v1/matches/{self._match}/live?seat=0&want=none"
        headers = {"Authorization": f"Bearer {self._token}"}
        async with websockets.connect(
            address, additional_headers=headers, compression=None, max_size=None, local_addr=(_PLAYERS, 0)
        ) as socket:
            async for message in socket:
                news = json.loads(message)
                if news["type"] == "news":
                    post = {"type": "orders", "turn": news["turn"], "orders": [], "key": str(news["turn"])}
                    await socket.send(json.dumps(post))

    async def count(self) -> Progress:
        """How far the match has come."""
        info = (await self._http.get(f"/api/v1/matches/{self._match}")).raise_for_status().json()
        return Progress(info["turn"], sum(seat.get("missed", 0) for seat in info["seats"]))


async def _start_match(server: RunningServer, stack: contextlib.AsyncExitStack, load: Load, number: int) -> Player:
    token = await _register(server.url, f"player {number}", TOKEN)
    http = await stack.enter_async_context(_client(server.url, _PLAYERS, token))
    request = {
        "game": "colorfight",
        "seats": [{}, *[_BOT] * (load.seats - 1)],
        "clock": {"kind": "every", "seconds": 1.0, "early": False},
    }
    match = (await http.post("/api/v1/matches", json=request)).raise_for_status().json()["id"]
    (await http.post(f"/api/v1/matches/{match}/join", json={"seat": 0})).raise_for_status()
    return Player(http, server.url, match, token)


# ---------------------------------------------------------------- the attack


async def _start_attack(
    server: RunningServer, stack: contextlib.AsyncExitStack, load: Load, outcomes: Counter[str]
) -> list["asyncio.Task[None]"]:
    """Create the largest matches with the shortest clock, and post the most orders; readers poll views and frames."""
    creator, poster = [
        await stack.enter_async_context(_client(server.url, _ATTACKER, await _register(server.url, name)))
        for name in ("mallory", "trudy")  # with one account, the creations would leave nothing for the posts
    ]
    matches: list[str] = []
    creating = asyncio.create_task(_create_endlessly(creator, load, matches, outcomes))
    while not matches and not creating.done():
        await asyncio.sleep(0.1)
    readers = [await stack.enter_async_context(_client(server.url, _ATTACKER)) for _ in range(load.readers)]
    polling = [asyncio.create_task(_read_endlessly(reader, matches, outcomes)) for reader in readers]
    return [creating, asyncio.create_task(_post_endlessly(poster, outcomes)), *polling]


async def _create_endlessly(http: httpx.AsyncClient, load: Load, matches: list[str], outcomes: Counter[str]) -> None:
    clock = {"kind": "every", "seconds": 0.05}
    while True:
        response = await http.post(
            "/api/v1/matches", json={**_LARGEST, "seats": [_BOT] * load.hostile_bots, "clock": clock}
        )
        outcomes["created" if response.is_success else "creations_refused"] += 1
        if response.is_success:
            matches.append(response.json()["id"])
        else:
            await asyncio.sleep(0.05)


async def _post_endlessly(http: httpx.AsyncClient, outcomes: Counter[str]) -> None:
    """Post the largest bodies, turn after turn."""
    request = {"game": "boidvoid", "seats": [{}, {}], "clock": {"kind": "every", "seconds": 1.0, "early": False}}
    while not (response := await http.post("/api/v1/matches", json=request)).is_success:
        await asyncio.sleep(0.05)
    match = response.json()["id"]
    for seat in range(2):
        while not (await http.post(f"/api/v1/matches/{match}/join", json={"seat": seat})).is_success:
            await asyncio.sleep(0.05)
    for number in range(1_000_000_000):
        post = {"orders": _MANY_ORDERS, "key": str(number), "seat": number % 2}
        response = await http.post(f"/api/v1/matches/{match}/orders", json=post)
        outcomes["posted" if response.is_success else "posts_refused"] += 1
        if not response.is_success:
            await asyncio.sleep(0.05)


async def _read_endlessly(http: httpx.AsyncClient, matches: list[str], outcomes: Counter[str]) -> None:
    """Read views, and every tenth time the frames of many turns."""
    for number in range(1_000_000_000):
        what = "frames?count=200" if number % 10 == 9 else "view"
        response = await http.get(f"/api/v1/matches/{matches[number % len(matches)]}/{what}")
        outcomes["read" if response.is_success else "reads_refused"] += 1
        if not response.is_success:
            await asyncio.sleep(0.05)


def _client(url: str, address: str, token: str | None = None) -> httpx.AsyncClient:
    """A client that comes from a loopback address."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    transport = httpx.AsyncHTTPTransport(local_address=address, verify=False)
    return httpx.AsyncClient(base_url=url, headers=headers, transport=transport, timeout=120)


async def _register(url: str, name: str, token: str | None = None) -> str:
    """The token of a new account."""
    async with _client(url, _PLAYERS, token) as http:
        response = await http.post("/api/v1/accounts", json={"name": name})
        return str(response.raise_for_status().json()["token"])
