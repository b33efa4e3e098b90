"""Final rounds with many teams: 200 that poll twice a second, and as many as played in public, by ``nextTurnIn``."""

import asyncio
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from marchland.bench.harness import RunningServer, percentiles, running_server

_TEAMS, _POLLS_PER_SECOND, _TURN = 200, 2, 2.0
_LOBBY, _WARM_UP, _SECONDS = 20.0, 20.0, 40.0
_FINAL_TEAMS, _FINAL_LOBBY = 533, 60.0
_LENGTH = re.compile(rb"content-length: (\d+)")
_EVEN = ((1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1))
_ODD = ((1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1))


@dataclass
class Measured:
    """What all teams measured."""

    until: float = 0.0
    arenas: list[float] = field(default_factory=list)
    """Seconds from the sending of a request to the last byte of its answer."""
    moves: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    refused: int = 0
    skipped: int = 0
    """Turns that teams did not see in time."""


class Team:
    """One team over one connection."""

    def __init__(self, server: RunningServer, token: str) -> None:
        self._address = server.url.removeprefix("http://").rsplit(":", 1)
        self._token = token
        self._chance = random.Random(token)

    async def connect(self) -> None:
        """Open the connection."""
        self._reader, self._writer = await asyncio.open_connection(self._address[0], int(self._address[1]))

    def leave(self) -> None:
        """Close it."""
        self._writer.close()

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[bool, bytes, float]:
        """Whether the status was 200, the content, and the seconds it took."""
        head = f"{method} /datspulse/final/api/{path} HTTP/1.1\r\nHost: bench\r\nX-Auth-Token: {self._token}\r\n"
        began = time.perf_counter()
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        content = await self._reader.readexactly(int(_LENGTH.search(answer.lower())[1]))  # type: ignore[index]
        return answer.startswith(b"HTTP/1.1 200"), content, time.perf_counter() - began

    async def play(self, measured: Measured, *, moving: bool) -> None:
        """Poll at a random phase, and move once a turn."""
        await self.connect()
        pause = 1 / _POLLS_PER_SECOND
        at, turn = time.perf_counter() + pause * self._chance.random(), 0
        began = at + _WARM_UP
        while at < measured.until:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            done, content, seconds = await self.ask("GET", "arena")
            measured.refused += not done
            if at > began:
                measured.arenas.append(seconds)
                measured.sizes.append(len(content))
            if moving and done and (arena := msgspec.json.decode(content))["turnNo"] > turn:
                turn = arena["turnNo"]
                done, _, seconds = await self.ask("POST", "move", self._moves(arena))
                measured.refused += not done
                if at > began:
                    measured.moves.append(seconds)
            at = max(at + pause, time.perf_counter())
        self.leave()

    async def play_by_clock(self, measured: Measured) -> None:
        """See, move and sleep ``nextTurnIn``, turn by turn."""
        await self.connect()
        turn, began = 0, time.perf_counter() + _WARM_UP
        while time.perf_counter() < measured.until:
            seen, content, to_see = await self.ask("GET", "arena")
            arena = msgspec.json.decode(content)
            moved, content, to_move = await self.ask("POST", "move", self._moves(arena))
            measured.refused += (not seen) + (not moved)
            if time.perf_counter() > began and turn:
                measured.arenas.append(to_see)
                measured.moves.append(to_move)
                measured.sizes.append(len(content))
                measured.skipped += arena["turnNo"] - turn - 1
            turn = arena["turnNo"]
            await asyncio.sleep(msgspec.json.decode(content)["nextTurnIn"])
        self.leave()

    def _moves(self, arena: Any) -> bytes:
        """Every ant walks four hexes somewhere."""
        return msgspec.json.encode({"moves": [self._stroll(ant) for ant in arena["ants"]]})

    def _stroll(self, ant: Any) -> dict[str, Any]:
        q, r, path = ant["q"], ant["r"], []
        for _ in range(4):
            dq, dr = self._chance.choice(_ODD if r % 2 else _EVEN)
            q, r = q + dq, r + dr
            path.append({"q": q, "r": r})
        return {"ant": ant["id"], "path": path}


def scenarios() -> Iterator[dict[str, Any]]:
    """Teams that only poll, teams that also move, and a final round of the size that was really played."""
    yield asyncio.run(_run(moving=False))
    yield asyncio.run(_run(moving=True))
    yield asyncio.run(run_final(_FINAL_TEAMS))


async def _run(*, moving: bool) -> dict[str, Any]:
    async with running_server() as server:
        teams = await _start_round(server, _TEAMS, _LOBBY)
        measured = Measured(until=time.perf_counter() + _WARM_UP + _SECONDS)
        await asyncio.gather(*(team.play(measured, moving=moving) for team in teams))
        return {
            "game": "datspulse",
            "scenario": f"{_TEAMS} teams/{_POLLS_PER_SECOND} arenas a second{' and a move a turn' * moving} each",
            "arenas_per_second": round(len(measured.arenas) / _SECONDS),
            "bytes": round(sum(measured.sizes) / len(measured.sizes)),
            "refused": measured.refused,
            **percentiles("arena_ms", measured.arenas),
            **(percentiles("move_ms", measured.moves) if moving else {}),
        }


async def run_final(count: int) -> dict[str, Any]:
    """Every team moves all its ants each turn; ``missed`` is how many orders for a turn came too late or not at all."""
    async with running_server() as server:
        teams = await _start_round(server, count, _FINAL_LOBBY)
        measured = Measured(until=time.perf_counter() + _WARM_UP + _SECONDS)
        playing = asyncio.gather(*(team.play_by_clock(measured) for team in teams))
        await asyncio.sleep(_WARM_UP)
        before, server_before, crowd_before = await _missed(server), server.cpu_seconds(), time.process_time()
        await asyncio.sleep(_SECONDS - 1)
        server_seconds, crowd_seconds = server.cpu_seconds() - server_before, time.process_time() - crowd_before
        missed = await _missed(server) - before
        await playing
        turns = (_SECONDS - 1) / _TURN
        return {
            "game": "datspulse",
            "scenario": f"final/{count} teams by nextTurnIn",
            "seen_turns": len(measured.arenas),
            "skipped_turns": measured.skipped,
            "missed": missed,
            "server_cpu_s_a_turn": round(server_seconds / turns, 3),
            "teams_cpu_s_a_turn": round(crowd_seconds / turns, 3),
            "bytes": round(sum(measured.sizes) / len(measured.sizes)),
            "refused": measured.refused,
            **percentiles("arena_ms", measured.arenas),
            **percentiles("move_ms", measured.moves),
        }


async def _missed(server: RunningServer) -> int:
    """The turns that seats have missed, all added up."""
    (current,) = (await server.http.get("/matches", params={"state": "running"})).raise_for_status().json()
    info = (await server.http.get(f"/matches/{current['id']}")).raise_for_status().json()
    return sum(seat.get("missed", 0) for seat in info["seats"])


async def _start_round(server: RunningServer, count: int, lobby: float) -> list[Team]:
    """Register that many teams for a round and wait for its first turn."""
    teams = [Team(server, await _token(server, number)) for number in range(count)]
    await _announce(server, lobby)
    for team in teams:
        await team.connect()
        await team.ask("POST", "register")
        team.leave()
    await teams[0].connect()
    while not msgspec.json.decode((await teams[0].ask("GET", "arena"))[1])["turnNo"]:
        await asyncio.sleep(0.5)
    teams[0].leave()
    return teams


async def _token(server: RunningServer, number: int) -> str:
    response = await server.http.post("/accounts", json={"name": f"team {number}"})
    return str(response.raise_for_status().json()["token"])


async def _announce(server: RunningServer, lobby: float) -> None:
    clock = {"kind": "every", "seconds": _TURN, "early": False}
    template = {"game": "datspulse", "rules": "upstream", "seats": [{}], "clock": clock}
    request = {"name": "bench", "kind": "final", "starts": time.time() + lobby, "lobby": lobby, "template": template}
    (await server.http.post("/rounds", json=request)).raise_for_status()
