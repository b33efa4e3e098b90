"""Load of a season with thousands of members on a server: joins, the end of a turn, daily maintenance of NFTs."""

import asyncio
import datetime
import time
from collections.abc import Iterator, Sequence
from typing import Any

from marchland.bench.harness import RunningServer, running_server

_MEMBERS, _JOINS = 2_000, 500
_NFTS, _MINT = 20_000, 100
_OPTIONS = ("--rate", "1000000", "--rate-address", "1000000", "--accounts", "1000000")


def scenarios() -> Iterator[dict[str, Any]]:
    """A season whose game grows to all its members."""
    yield {"game": "server", **asyncio.run(_run())}


async def _run() -> dict[str, Any]:
    """CPU seconds of the server: joins while there are few members and when there are many, a turn's end, the first
    maintenance of all NFTs and one without changes."""
    async with running_server(_OPTIONS) as server:
        accounts = [await _account(server, number) for number in range(_MEMBERS)]
        game = await _create_game(server, accounts[:_JOINS])
        match = await _wait_for_match(server, game)
        joins = [
            await _cpu_of(server, _join(server, game, match, accounts[:count]))
            for count in range(2 * _JOINS, _MEMBERS + 1, _JOINS)
        ]
        turn_end = await _cpu_of(server, _run_job(server, match, "turn_end"))
        for owner in accounts[:2]:
            await _mint(server, owner)
        began = time.perf_counter()
        maintenance = await _cpu_of(server, _run_job(server, match, "daily_maintenance"))
        seconds = time.perf_counter() - began
        return {
            "scenario": f"season/{_MEMBERS} members, {_NFTS} NFTs",
            f"cpu_s_{_JOINS}_joins_first": joins[0],
            f"cpu_s_{_JOINS}_joins_last": joins[-1],
            "cpu_s_turn_end": turn_end,
            "cpu_s_maintenance": maintenance,
            "s_maintenance": round(seconds, 2),
            "cpu_s_maintenance_without_changes": await _cpu_of(server, _run_job(server, match, "daily_maintenance")),
        }


async def _cpu_of(server: RunningServer, work: Any) -> float:
    before = server.cpu_seconds()
    await work
    return round(server.cpu_seconds() - before, 2)


async def _account(server: RunningServer, number: int) -> str:
    made = (await server.http.post("/accounts", json={"name": f"member {number}"})).raise_for_status().json()
    return str(made["account"]["id"])


async def _mint(server: RunningServer, owner: str) -> None:
    """Half of the NFTs for one account."""
    boost = {"game": "boidvoid", "name": "fuel", "kind": "boost", "facts": {"modifiers": {"attack": 7}, "turns": 2}}
    template = (await server.http.post("/ledger/templates", json=boost)).raise_for_status().json()["id"]
    for _ in range(_NFTS // 2 // _MINT):
        request = {"template": template, "owner": owner, "amount": _MINT}
        (await server.http.post("/ledger/mint", json=request)).raise_for_status()


async def _create_game(server: RunningServer, accounts: Sequence[str]) -> str:
    today = datetime.datetime.now(datetime.UTC).date()
    season = {"name": "bench", "start": str(today), "end": str(today + datetime.timedelta(days=30))}
    (await server.http.post("/seasons", json=season)).raise_for_status()
    game = {"name": "void", "template": {"game": "boidvoid"}, "teams": _teams(accounts)}
    made = (await server.http.post("/seasons/bench/games", json=game)).raise_for_status().json()
    return str(made["id"])


def _teams(accounts: Sequence[str]) -> list[Any]:
    """Two teams, whose first members lead them."""
    return [
        {
            "name": name,
            "members": [
                {"account": account, "role": "trooper" if place else "leader"}
                for place, account in enumerate(accounts[first::2])
            ],
        }
        for first, name in enumerate(("red", "blue"))
    ]


async def _wait_for_match(server: RunningServer, game: str) -> str:
    while (match := (await server.http.get(f"/season-games/{game}")).raise_for_status().json()["match"]) is None:
        await asyncio.sleep(0.2)
    while not await _jobs(server, match, "daily_maintenance"):
        await asyncio.sleep(0.2)
    return str(match)


async def _join(server: RunningServer, game: str, match: str, accounts: Sequence[str]) -> None:
    """Let the game have these members, and wait until all are seated."""
    done = len(await _jobs(server, match, "teams"))
    (await server.http.put(f"/season-games/{game}/teams", json=_teams(accounts))).raise_for_status()
    while len(await _jobs(server, match, "teams")) == done:
        await asyncio.sleep(0.2)


async def _jobs(server: RunningServer, match: str, name: str) -> list[Any]:
    found = (await server.http.get("/jobs", params={"match": match})).raise_for_status().json()
    return [job for job in found if job["name"] == name]


async def _run_job(server: RunningServer, match: str, name: str) -> None:
    (await server.http.post("/jobs", json={"match": match, "name": name})).raise_for_status()
