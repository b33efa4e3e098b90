"""Benchmark of a final round: each of many teams polls its arena twice a second and moves all ants once a turn."""

import asyncio
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from marchland.server.measuring import Served, served_for_a_while, spread

_TEAMS, _POLLS_PER_SECOND, _TURN = 200, 2, 2.0
_LOBBY, _WARM_UP, _SECONDS = 20.0, 20.0, 40.0
_LENGTH = re.compile(rb"content-length: (\d+)")
_EVEN = ((1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1))
_ODD = ((1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1))


@dataclass
class Timings:
    """What all teams measured."""

    until: float = 0.0
    arenas: list[float] = field(default_factory=list)
    """Seconds from the sending of a request to the last byte of its response."""
    moves: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    refused: int = 0


class Team:
    """One team over one connection."""

    def __init__(self, served: Served, token: str) -> None:
        self._address = served.url.removeprefix("http://").rsplit(":", 1)
        self._token = token
        self._random = random.Random(token)

    async def connect(self) -> None:
        """Open the connection."""
        self._reader, self._writer = await asyncio.open_connection(self._address[0], int(self._address[1]))

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()

    async def ask(self, method: str, path: str, content: bytes = b"") -> tuple[bool, bytes, float]:
        """Send a request: whether it succeeded, the body, and the seconds it took."""
        head = f"{method} /datspulse/final/api/{path} HTTP/1.1\r\nHost: bench\r\nX-Auth-Token: {self._token}\r\n"
        began = time.perf_counter()
        self._writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        body = await self._reader.readexactly(int(_LENGTH.search(answer.lower())[1]))  # type: ignore[index]
        return answer.startswith(b"HTTP/1.1 200"), body, time.perf_counter() - began

    async def play(self, timings: Timings, *, moving: bool) -> None:
        """Poll at random times, and move once in each turn."""
        await self.connect()
        pause = 1 / _POLLS_PER_SECOND
        at, turn = time.perf_counter() + pause * self._random.random(), 0
        began = at + _WARM_UP
        while at < timings.until:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            done, body, seconds = await self.ask("GET", "arena")
            timings.refused += not done
            if at > began:
                timings.arenas.append(seconds)
                timings.sizes.append(len(body))
            if moving and done and (arena := msgspec.json.decode(body))["turnNo"] > turn:
                turn = arena["turnNo"]
                done, _, seconds = await self.ask("POST", "move", self._moves(arena))
                timings.refused += not done
                if at > began:
                    timings.moves.append(seconds)
            at = max(at + pause, time.perf_counter())
        self.close()

    def _moves(self, arena: Any) -> bytes:
        """A random walk of four hexes for each ant."""
        return msgspec.json.encode({"moves": [self._random_walk(ant) for ant in arena["ants"]]})

    def _random_walk(self, ant: Any) -> dict[str, Any]:
        q, r, path = ant["q"], ant["r"], []
        for _ in range(4):
            dq, dr = self._random.choice(_ODD if r % 2 else _EVEN)
            q, r = q + dq, r + dr
            path.append({"q": q, "r": r})
        return {"ant": ant["id"], "path": path}


def scenarios() -> Iterator[dict[str, Any]]:
    """Teams that only poll, and teams that also move."""
    yield asyncio.run(_measure(moving=False))
    yield asyncio.run(_measure(moving=True))


async def _measure(*, moving: bool) -> dict[str, Any]:
    async with served_for_a_while() as served:
        teams = [Team(served, await _token(served, number)) for number in range(_TEAMS)]
        await _announce(served)
        for team in teams:
            await team.connect()
            await team.ask("POST", "register")
            team.close()
        await teams[0].connect()
        while not msgspec.json.decode((await teams[0].ask("GET", "arena"))[1])["turnNo"]:
            await asyncio.sleep(0.5)
        teams[0].close()
        timings = Timings(until=time.perf_counter() + _WARM_UP + _SECONDS)
        await asyncio.gather(*(team.play(timings, moving=moving) for team in teams))
        return {
            "game": "datspulse",
            "scenario": f"{_TEAMS} teams/{_POLLS_PER_SECOND} arenas a second{' and a move a turn' * moving} each",
            "arenas_per_second": round(len(timings.arenas) / _SECONDS),
            "bytes": round(sum(timings.sizes) / len(timings.sizes)),
            "refused": timings.refused,
            **spread("arena_ms", timings.arenas),
            **(spread("move_ms", timings.moves) if moving else {}),
        }


async def _token(served: Served, number: int) -> str:
    made = await served.http.post("/accounts", json={"name": f"team {number}"})
    return str(made.raise_for_status().json()["token"])


async def _announce(served: Served) -> None:
    clock = {"kind": "every", "seconds": _TURN, "early": False}
    template = {"game": "datspulse", "rules": "upstream", "seats": [{}], "clock": clock}
    wish = {"name": "bench", "kind": "final", "starts": time.time() + _LOBBY, "lobby": _LOBBY, "template": template}
    (await served.http.post("/rounds", json=wish)).raise_for_status()
