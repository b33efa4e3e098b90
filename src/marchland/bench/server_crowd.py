"""Load of one match with a thousand players on a server: joins, views and posts, built-in bots, other matches."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import httpx

from marchland.bench.harness import RunningServer, percentiles, running_server

_PLAYERS, _TURNS, _BOT_TURNS = 1_000, 3, 5
_CONNECTIONS = 8
_OTHER_SECONDS = 0.5
_OPTIONS = ("--rate", "1000000", "--rate-address", "1000000", "--accounts", "1000000")


def scenarios() -> Iterator[dict[str, Any]]:
    """A thousand people, then one person and bots: each on a server of its own."""
    for scenario in (_people, _bots):
        yield {"game": "server", **asyncio.run(_run(scenario))}


async def _run(scenario: Any) -> dict[str, Any]:
    async with running_server(_OPTIONS) as server:
        figures: dict[str, Any] = await scenario(server)
        return figures


async def _people(server: RunningServer) -> dict[str, Any]:
    """CPU seconds of the server for a thousand joins, and for a turn with a view and a post of each player."""
    tokens = [await _token(server, number) for number in range(_PLAYERS)]
    request = {"game": "enova", "seats": [{}] * _PLAYERS, "clock": {"kind": "ready"}}
    match = (await server.http.post("/matches", json=request)).raise_for_status().json()["id"]
    before = server.cpu_seconds()
    await _for_each(server, tokens, lambda client, number: client.post(f"/matches/{match}/join", json={}))
    joins, began = server.cpu_seconds() - before, server.cpu_seconds()
    for turn in range(1, _TURNS + 1):
        await _play_turn(server, match, turn, tokens)
    return {
        "scenario": f"enova/{_PLAYERS} people",
        "cpu_s_joins": round(joins, 2),
        "cpu_s_a_turn": round((server.cpu_seconds() - began) / _TURNS, 2),
    }


async def _play_turn(server: RunningServer, match: str, turn: int, tokens: list[str]) -> None:
    orders = {"orders": [], "key": str(turn), "turn": turn}
    await _for_each(server, tokens, lambda client, number: client.get(f"/matches/{match}/view?seat={number}"))
    await _for_each(server, tokens, lambda client, number: client.post(f"/matches/{match}/orders", json=orders))
    await _wait_for_turn(server, match, turn + 1)


async def _bots(server: RunningServer) -> dict[str, Any]:
    """CPU seconds of the server and its workers for a turn of 999 bots, and how late another match's turns are."""
    other = {"game": "colorfight", "clock": {"kind": "every", "seconds": _OTHER_SECONDS, "early": False}}
    bots = [{"kind": "builtin", "bot": "greedy"}]
    beside = (await server.http.post("/matches", json=other | {"seats": bots * 2})).raise_for_status().json()["id"]
    alone = await _lateness(server, beside, asyncio.sleep(_BOT_TURNS * _OTHER_SECONDS))
    request = {"game": "enova", "seats": [{}, *bots * (_PLAYERS - 1)], "clock": {"kind": "ready"}}
    match = (await server.http.post("/matches", json=request)).raise_for_status().json()["id"]
    (await server.http.post(f"/matches/{match}/join", json={})).raise_for_status()
    await _play_against_bots(server, match, 1)
    before = server.cpu_seconds()
    late = await _lateness(server, beside, _play_against_bots(server, match, _BOT_TURNS))
    return {
        "scenario": f"enova/1 person and {_PLAYERS - 1} greedy",
        "cpu_s_a_turn": round((server.cpu_seconds() - before) / _BOT_TURNS, 2),
        **percentiles("ms_late_other_match_alone", alone),
        **percentiles("ms_late_other_match_beside", late),
    }


async def _play_against_bots(server: RunningServer, match: str, turns: int) -> None:
    for _ in range(turns):
        turn = (await server.http.get(f"/matches/{match}")).json()["turn"]
        post = {"orders": [], "key": str(turn), "turn": turn}
        (await server.http.post(f"/matches/{match}/orders", json=post)).raise_for_status()
        await _wait_for_turn(server, match, turn + 1)


async def _lateness(server: RunningServer, match: str, work: Any) -> list[float]:
    """How long after its deadline each turn of a match came while ``work`` was done; polled every 10 ms."""
    task = asyncio.ensure_future(work)
    late: list[float] = []
    turn, closes = 0, None
    while not task.done() or not late:
        await asyncio.sleep(0.01)
        info = (await server.http.get(f"/matches/{match}")).json()
        seconds = 0.0 if closes is None else time.time() - closes
        if info["turn"] == turn + 1 and seconds > 0:  # else the deadline was read as that of the next turn already
            late.append(seconds)
        if closes is None or info["turn"] != turn:  # at a turn's end its deadline changes before its number
            turn, closes = info["turn"], info["closes"]
    await task
    return late


async def _wait_for_turn(server: RunningServer, match: str, turn: int) -> None:
    while (await server.http.get(f"/matches/{match}")).json()["turn"] < turn:
        await asyncio.sleep(0.05)


async def _token(server: RunningServer, number: int) -> str:
    made = (await server.http.post("/accounts", json={"name": f"player {number}"})).raise_for_status().json()
    return str(made["token"])


async def _for_each(server: RunningServer, tokens: list[str], request: Any) -> None:
    """Send one request for each player, over several connections."""

    async def send(first: int) -> None:
        address = f"{server.url}/api/v1"
        async with httpx.AsyncClient(base_url=address, timeout=120, verify=False) as client:  # plain HTTP
            for number in range(first, len(tokens), _CONNECTIONS):
                client.headers["Authorization"] = f"Bearer {tokens[number]}"
                (await request(client, number)).raise_for_status()

    await asyncio.gather(*(send(first) for first in range(_CONNECTIONS)))
