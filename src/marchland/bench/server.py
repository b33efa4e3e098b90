"""Load on a server. It and its clients run on this machine, over loopback, and share its cores."""

import asyncio
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import websockets

from marchland.bench.harness import TOKEN, RunningServer, percentiles, running_server

_ORDERS = [{"do": "attack", "at": [column, row], "energy": 10} for column in range(5) for row in range(2)]
_NEWS = re.compile(rb'"turn":(\d+).*?"now":([0-9.]+)(?:,"closes":([0-9.]+))?')

_POSTERS, _POST_SECONDS = 16, 10
_MATCHES, _SEATS, _WARM_UP, _TURNS = 100, 8, 3, 20
_SPECTATORS, _WATCHED_TURNS = 500, 10
_IDLE = 200


def scenarios() -> Iterator[dict[str, Any]]:
    """Post rate, turn punctuality of many matches, many spectators, memory: each on a server of its own."""
    for scenario in (_posts, _punctuality, _spectators, _idle):
        yield {"game": "server", **asyncio.run(_run(scenario))}


async def _run(scenario: Any) -> dict[str, Any]:
    async with running_server() as server:
        figures: dict[str, Any] = await scenario(server)
        return figures


async def _match(server: RunningServer, clock: dict[str, Any], seats: int = _SEATS) -> str:
    """A running Colorfight match with every seat taken by the benchmark."""
    request = {"game": "colorfight", "clock": clock, "seats": [{}] * seats}
    match = (await server.http.post("/matches", json=request)).raise_for_status().json()["id"]
    for seat in range(seats):
        (await server.http.post(f"/matches/{match}/join", json={"seat": seat})).raise_for_status()
    return str(match)


# ---------------------------------------------------------------- posts


async def _posts(server: RunningServer) -> dict[str, Any]:
    match = await _match(server, {"kind": "ready"})
    taken: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(_poster(server, match, number, began + _POST_SECONDS, taken) for number in range(_POSTERS)))
    seconds = time.perf_counter() - began
    return {
        "scenario": f"posts of {len(_ORDERS)} orders/{_POSTERS} connections",
        "posts_per_second": round(len(taken) / seconds),
        **percentiles("ms", taken),
    }


async def _poster(server: RunningServer, match: str, number: int, until: float, taken: list[float]) -> None:
    """Post as fast as receipts arrive, over one connection."""
    host, port = server.url.removeprefix("http://").rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    while time.perf_counter() < until:
        key = f"{number}.{len(taken)}"
        body = msgspec.json.encode({"orders": _ORDERS, "key": key, "ready": False, "seat": number % _SEATS})
        head = f"POST /api/v1/matches/{match}/orders HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {TOKEN}\r\n"
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        began = time.perf_counter()
        writer.write((head + kind).encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"A post was refused: {answer[:200]!r}")
        length = int(re.search(rb"content-length: (\d+)", answer.lower())[1])  # type: ignore[index]
        await reader.readexactly(length)
        taken.append(time.perf_counter() - began)
    writer.close()


# ---------------------------------------------------------------- punctuality


@dataclass
class Deliveries:
    """What the players of every match measured."""

    all_connected: asyncio.Barrier
    encoded: list[float] = field(default_factory=list)
    """For each turn and seat the seconds from the deadline to the encoding of the news."""
    delivered: list[float] = field(default_factory=list)
    """The same to their arrival."""
    refused: int = 0
    late: int = 0


async def _punctuality(server: RunningServer) -> dict[str, Any]:
    ids = [await _match(server, {"kind": "every", "seconds": 1.0, "early": False}) for _ in range(_MATCHES)]
    deliveries = Deliveries(asyncio.Barrier(_MATCHES * _SEATS))
    await asyncio.gather(*(_player(server, match, seat, deliveries) for match in ids for seat in range(_SEATS)))
    return {
        "scenario": f"{_MATCHES} matches of {_SEATS} seats/1 turn a second/{len(_ORDERS)} orders each",
        "turns": len(deliveries.encoded) // _SEATS,
        "missed_deadlines": deliveries.late,
        "refused_posts": deliveries.refused,
        **percentiles("ms_late", deliveries.encoded),
        **percentiles("ms_until_delivered", deliveries.delivered),
    }


async def _player(server: RunningServer, match: str, seat: int, deliveries: Deliveries) -> None:
    """Read news undecoded and post orders for each turn; measure how long after the deadline the next turn came."""
    closes = 0.0
    async with _reading(server, match, f"seat={seat}&want=frames") as socket:
        await deliveries.all_connected.wait()
        seen = -_WARM_UP
        while seen < _TURNS:
            message = await socket.recv(decode=False)
            arrived = time.time()
            if message.startswith(b'{"type":"answer"'):
                deliveries.refused += seen > 0 and b'"error"' in message
                continue
            found = _NEWS.search(message[:300])
            if found is None or not message.startswith(b'{"type":"news"'):
                continue
            if seen > 0:
                deliveries.encoded.append(float(found[2]) - closes)
                deliveries.delivered.append(arrived - closes)
                deliveries.late += message.endswith(b'"late":true}')
            closes = float(found[3])
            seen += 1
            post = {"type": "orders", "turn": int(found[1]), "orders": _ORDERS, "key": f"{seat}.{found[1].decode()}"}
            await socket.send(msgspec.json.encode(post), text=True)


# ---------------------------------------------------------------- spectators and memory


async def _spectators(server: RunningServer) -> dict[str, Any]:
    match = await _match(server, {"kind": "every", "seconds": 1.0, "early": False})
    delivered: list[float] = []
    await asyncio.gather(*(_spectator(server, match, delivered) for _ in range(_SPECTATORS)))
    return {"scenario": f"{_SPECTATORS} spectators of one match", **percentiles("ms_until_delivered", delivered)}


async def _spectator(server: RunningServer, match: str, delivered: list[float]) -> None:
    async with _reading(server, match, "want=frames") as socket:
        seen = 0
        while seen <= _WATCHED_TURNS:
            message = await socket.recv(decode=False)
            arrived = time.time()
            found = _NEWS.search(message[:300])
            if found is None or not message.startswith(b'{"type":"news"'):
                continue
            if seen:
                delivered.append(arrived - float(found[2]))
            seen += 1


async def _idle(server: RunningServer) -> dict[str, Any]:
    for _ in range(10):  # what every match shares is loaded by then
        await _match(server, {"kind": "ready"})
    before = server.memory()
    for _ in range(_IDLE):
        await _match(server, {"kind": "ready"})
    return {
        "scenario": f"{_IDLE} idle matches",
        "kb_per_match": round((server.memory() - before) / _IDLE / 1000),
    }


def _reading(server: RunningServer, match: str, query: str) -> websockets.connect:
    address = f"{server.url.replace('http', 'ws', 1)}/api/v1/matches/{match}/live?{query}"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return websockets.connect(
        address, additional_headers=headers, compression=None, open_timeout=60, max_size=None, ping_interval=None
    )
