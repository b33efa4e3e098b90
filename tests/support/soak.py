"""A server under everything at once for a long time: rooms of bots, people, spectators, kills.

The rooms are those of a demo server at a faster clock, so that minutes fill and rotate what they store. The server is
killed during the first half only: in the second half one process must stop growing.
"""

import asyncio
import contextlib
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from marchland.server.rooms.service import demo_rooms
from tests.support.posting_players import BOARD, PostingPlayer, wait_for_turns
from tests.support.server import ADMIN, Person, Served, person

PEOPLE_CLOCK = {"kind": "every", "seconds": 0.5, "early": False}
PEOPLE_CONFIG = {"width": BOARD, "height": BOARD, "max_turn": 1_000_000, "early_end": False}
_VIEWING = 3.0
"""Seconds after which a spectator disconnects, at most."""


class SoakPlan(NamedTuple):
    """How long, and how much."""

    seconds: float
    kills: int
    sample_seconds: float
    room_period: float
    """Seconds of a turn in the rooms."""
    room_keep: int
    """Finished matches that a room keeps: few, so that every room discards some within the run."""
    matches: int
    """With people; each has two seats."""
    spectators: int
    seed: int


class Sample(NamedTuple):
    """What the server and its worker processes hold at one moment."""

    second: float
    memory: int
    descriptors: int
    threads: int
    database: int

    @classmethod
    def take(cls, second: float, served: Served) -> "Sample":
        """Read the figures from the kernel; the database includes its write-ahead log."""
        status = [_status(pid) for pid in process_tree(served.pid)]
        return cls(
            round(second, 1),
            sum(int(one["VmRSS"].split()[0]) * 1024 for one in status if "VmRSS" in one),
            len(list(Path(f"/proc/{served.pid}/fd").iterdir())),
            int(_status(served.pid)["Threads"]),
            sum(path.stat().st_size for path in served.database.parent.glob(f"{served.database.name}*")),
        )


def process_tree(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*"):
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def _status(pid: int) -> dict[str, str]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has ended
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def open_rooms(served: Served, plan: SoakPlan) -> None:
    """Rooms like those of a demo server, with a faster clock."""
    with Person(served, ADMIN) as admin:
        for room in demo_rooms():
            body = msgspec.to_builtins(room)
            body["name"] = f"{room.template.game} soak"
            body["template"]["clock"] = {"kind": "every", "seconds": plan.room_period, "early": False}
            body["keep"] = plan.room_keep
            admin.must("POST", "/rooms", json=body)


def seat_people(served: Served, matches: int) -> list[PostingPlayer]:
    """Players of running matches."""
    players = []
    for _ in range(matches):
        people = [person(served) for _ in range(2)]
        match = people[0].match("colorfight", "open", "open", config=PEOPLE_CONFIG, clock=PEOPLE_CLOCK)
        for one in people:
            players.append(PostingPlayer([served], match, one))
            one.close()
    return players


async def run_soak(
    served: Served, players: Sequence[PostingPlayer], plan: SoakPlan, report: Callable[[Sample], None]
) -> list[Sample]:
    """Play, watch and kill; samples of the second half, in which one process serves without a kill."""
    dice = random.Random(plan.seed)
    tasks = [asyncio.create_task(player.play()) for player in players]
    tasks += [asyncio.create_task(_watch(served, random.Random(f"{plan.seed}/{n}"))) for n in range(plan.spectators)]
    begun = time.monotonic()
    kills = sorted(dice.uniform(0, plan.seconds / 2) for _ in range(plan.kills))
    samples: list[Sample] = []
    try:
        while (second := time.monotonic() - begun) < plan.seconds:
            if kills and kills[0] <= second:
                kills.pop(0)
                served.kill()
                await asyncio.to_thread(served.start)
                await wait_for_turns(players, 1, 60)
            samples.append(Sample.take(second, served))
            report(samples[-1])
            for task in tasks:
                assert not task.done(), task.exception()
            await asyncio.sleep(plan.sample_seconds)
        await wait_for_turns(players, 1, 60)
        samples.append(Sample.take(time.monotonic() - begun, served))  # a slow restart may have left no time for others
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return [sample for sample in samples if sample.second >= plan.seconds / 2]


async def _watch(served: Served, dice: random.Random) -> None:
    """Watch one running match after another, and disconnect without a word."""
    while True:
        with contextlib.suppress(OSError, WebSocketException, TimeoutError, KeyError):
            match = await asyncio.to_thread(_pick_match, served, dice)
            url = f"{served.url.replace('http', 'ws', 1)}/api/v1/matches/{match}/live?want=frames"
            socket = await connect(url, proxy=None, compression=None, max_size=None)
            try:
                async with asyncio.timeout(dice.uniform(0, _VIEWING)):
                    async for _ in socket:
                        pass
            finally:
                socket.transport.abort()
        await asyncio.sleep(dice.random())


def _pick_match(served: Served, dice: random.Random) -> str:
    with contextlib.suppress(Exception), Person(served) as client:
        rooms: list[Any] = client.must("GET", "/rooms")
        return str(dice.choice([room["match"]["id"] for room in rooms if room.get("match")]))
    raise KeyError("no room has a match now")


def growth(samples: Sequence[Sample], figure: str) -> float:
    """How much larger a figure is in the last third of the samples than in the middle third, as a share."""
    third = len(samples) // 3
    values = [getattr(sample, figure) for sample in samples]
    middle, last = statistics.median(values[third : 2 * third]), statistics.median(values[2 * third :])
    return float(last / middle - 1)
