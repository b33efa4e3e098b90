"""The rounds of one kind as the protocol lists them (rulings 19, 24)."""

import math
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

from marchland.messages import Every, MatchCreate, RoundCreate, SeatRequest
from marchland.registry import find
from marchland.server.rounds import queries as round_queries
from marchland.server.rounds.queries import RoundRow, RoundRun
from marchland.server.rounds.schedule import next_run
from marchland.server.rounds.service import name_of
from marchland.server.wire.datspulse.errors import format_second
from marchland.store import Store

GAME = "datspulse"
_CACHE_SECONDS = 0.1
_PAST, _AHEAD = 20, 50  # finished and planned rounds in the list


class ActiveRun(NamedTuple):
    """A run of a round from the start of its lobby, with its teams' names by account."""

    row: RoundRow
    run: RoundRun
    teams: Mapping[str, str]

    @property
    def realm(self) -> str:
        """The name of the run."""
        return name_of(self.row.request, self.run)


class RoundListing(NamedTuple):
    """A round as ``/api/rounds`` lists it; times in seconds since 1970."""

    name: str
    starts: float
    ends: float
    status: str
    repeat: int

    def json(self) -> dict[str, Any]:
        """The listing with the keys of the protocol."""
        return {
            "name": self.name,
            "startAt": format_second(self.starts),
            "endAt": format_second(self.ends),
            "duration": math.ceil(self.ends - self.starts),
            "status": self.status,
            "repeat": self.repeat,
        }


class Schedule:
    """The rounds of one kind, with a short cache."""

    def __init__(self, store: Store, kind: str) -> None:
        self._store = store
        self._kind = kind
        self._active: list[ActiveRun] = []
        self._read_at = -math.inf

    def cached_run(self, account: str) -> ActiveRun | None:
        """The active run of an account as of the last read."""
        return next((one for one in self._active if account in one.teams), None)

    async def active_runs(self, *, fresh: bool = False) -> list[ActiveRun]:
        """The runs that are in their lobby or being played."""
        if fresh or time.monotonic() - self._read_at > _CACHE_SECONDS:
            started = time.monotonic()
            self._active = await self._store.read(partial(_load_active_runs, kind=self._kind))
            self._read_at = started
        return self._active

    def invalidate(self) -> None:
        """Drop the cache; call after a registration."""
        self._read_at = -math.inf

    async def upcoming_rounds(self) -> list[str]:
        """The next rounds as text, for error messages."""
        listings = await self._store.read(partial(_load_listings, kind=self._kind))
        return [f"{one.name} at {format_second(one.starts)}" for one in listings if one.status == "pending"][:5]

    async def encode(self) -> bytes:
        """The response of ``/api/rounds``."""
        listings = await self._store.read(partial(_load_listings, kind=self._kind))
        rounds, now = [one.json() for one in listings], format_second(time.time())
        return msgspec.json.encode({"eventId": f"{GAME}-{self._kind}", "rounds": rounds, "now": now})


def default_test_round(now: float) -> RoundCreate:
    """Test rounds without end, under the public server's rules, against three built-in bots."""
    config: Any = find(GAME).config_type.build({"rules": "upstream"})
    template = MatchCreate(
        GAME,
        [SeatRequest("builtin", "greedy", f"greedy {number}") for number in (1, 2, 3)],
        rules="upstream",
        clock=Every(config.turn_milliseconds / 1000, early=False),
    )
    lobby, pause = float(config.lobby_seconds), float(config.break_seconds)
    return RoundCreate(f"{GAME} test", template, starts=now + lobby, lobby=lobby, runs=0, pause=pause)


def _load_active_runs(connection: Connection, kind: str) -> list[ActiveRun]:
    now = time.time()
    return [
        ActiveRun(row, run, {one.account: one.name for one in round_queries.list_entrants(connection, run)})
        for row, run in round_queries.upcoming(connection, kind)
        if row.request.template.game == GAME and run.starts - row.request.lobby <= now
    ]


def _load_listings(connection: Connection, kind: str) -> list[RoundListing]:
    now = time.time()
    played = [one for one in round_queries.finished(connection, kind, _PAST) if one[0].request.template.game == GAME]
    past = [
        RoundListing(name_of(row.request, run), run.starts - row.request.lobby, ended, "finished", row.request.runs)
        for row, run, ended in played
    ]
    planned = [(row, run) for row, run in round_queries.upcoming(connection, kind) if row.request.template.game == GAME]
    planned += [(row, following) for row, run, ended in played if (following := _next_unplanned(row, run, ended, now))]
    ahead = [one for row, run in planned for one in _list_ahead(row.request, run, now)]
    return sorted(past, key=lambda one: one.starts) + sorted(ahead, key=lambda one: one.starts)[:_AHEAD]


def _next_unplanned(row: RoundRow, run: RoundRun, ended: float, now: float) -> RoundRun | None:
    """The run after one whose match has ended, until the scheduler plans it."""
    return next_run(row.request, run, ended, now) if run.state == "running" and row.open else None


def _list_ahead(wish: RoundCreate, run: RoundRun, now: float) -> Iterator[RoundListing]:
    """A run and those after it whose times are known."""
    length = match_duration(wish)
    opens = run.starts - wish.lobby
    status = "active" if opens <= now else "pending"
    yield RoundListing(name_of(wish, run), opens, run.starts + length, status, wish.runs)
    if wish.every is None:
        later = [run.starts + length + wish.pause + wish.lobby]
    else:
        later = [wish.starts + (run.number + step) * wish.every for step in range(1, _AHEAD)]
    for step, starts in enumerate(later[: wish.runs - run.number - 1] if wish.runs else later, 1):
        name = name_of(wish, run._replace(number=run.number + step))
        yield RoundListing(name, starts - wish.lobby, starts + length, "pending", wish.runs)


def match_duration(wish: RoundCreate) -> float:
    """Seconds that a match of a round takes if no turn ends early."""
    template = wish.template
    values = dict(template.config) if template.rules is None else {**template.config, "rules": template.rules}
    config: Any = find(template.game).config_type.build(values)
    clock = template.clock
    return float(config.max_turn * (clock.seconds if isinstance(clock, Every) else 0.0))
