"""The rounds of one kind as the protocol lists them (rulings 19, 24)."""

import math
import operator
import time
import uuid
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
from marchland.server.wire.datspulse.errors import format_nanoseconds, format_second
from marchland.store import Database

GAME = "datspulse"
_TURN, _LOBBY, _BREAK = 2.0, 300.0, 300.0  # seconds, of the default test rounds (ruling 19)
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

    def __init__(self, store: Database, kind: str) -> None:
        self._store = store
        self._kind = kind
        self._active: list[ActiveRun] = []
        self._last_entrants: frozenset[str] = frozenset()
        self._read_at = -math.inf

    def cached_run(self, account: str) -> ActiveRun | None:
        """The active run of an account as of the last read."""
        return next((run for run in self._active if account in run.teams), None)

    async def active_runs(self, *, fresh: bool = False) -> list[ActiveRun]:
        """The runs that are in their lobby or being played."""
        if fresh or time.monotonic() - self._read_at > _CACHE_SECONDS:
            started = time.monotonic()
            self._active, self._last_entrants = await self._store.read(partial(_load_active_runs, kind=self._kind))
            self._read_at = started
        return self._active

    async def played_last(self, account: str) -> bool:
        """Whether an account was registered for the round that ended last."""
        await self.active_runs()
        return account in self._last_entrants

    def invalidate(self) -> None:
        """Drop the cache; call after a registration."""
        self._read_at = -math.inf

    async def upcoming_rounds(self) -> list[str]:
        """The next rounds as text, for error messages."""
        listings = await self._store.read(partial(_load_listings, kind=self._kind))
        pending = sorted(
            (listing for listing in listings if listing.status == "pending"), key=operator.attrgetter("starts")
        )
        return [f"{listing.name} at {format_second(listing.starts)}" for listing in pending[:5]]

    async def encode(self) -> bytes:
        """The response of ``/api/rounds``."""
        listings = await self._store.read(partial(_load_listings, kind=self._kind))
        rounds, now = [listing.json() for listing in listings], format_nanoseconds(time.time_ns())
        event = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{GAME}-{self._kind}"))
        return msgspec.json.encode({"eventId": event, "rounds": rounds, "now": now})


def default_test_round(now: float) -> RoundCreate:
    """Test rounds without end, under the public server's rules, against three built-in bots."""
    template = MatchCreate(
        GAME,
        [SeatRequest("builtin", "greedy", f"greedy {number}") for number in (1, 2, 3)],
        rules="upstream",
        clock=Every(_TURN, early=False),
    )
    return RoundCreate(f"{GAME} test", template, starts=now + _LOBBY, lobby=_LOBBY, runs=0, pause=_BREAK)


def _load_active_runs(connection: Connection, kind: str) -> tuple[list[ActiveRun], frozenset[str]]:
    """The runs that are on, and the accounts of the one that ended last."""
    now = time.time()
    finished = round_queries.list_finished_runs(connection, kind, _PAST)
    last = next((run for row, run, _ in finished if row.request.template.game == GAME), None)
    entrants = [] if last is None else round_queries.list_entrants(connection, last)
    active = [
        ActiveRun(row, run, {entrant.account: entrant.name for entrant in round_queries.list_entrants(connection, run)})
        for row, run in round_queries.list_upcoming_runs(connection, kind)
        if row.request.template.game == GAME and run.starts - row.request.lobby <= now
    ]
    return active, frozenset(entrant.account for entrant in entrants)


def _load_listings(connection: Connection, kind: str) -> list[RoundListing]:
    """The rounds of a kind as far as they are known, the newest first."""
    now = time.time()
    finished = round_queries.list_finished_runs(connection, kind, _PAST)
    played = [(row, run, ended) for row, run, ended in finished if row.request.template.game == GAME]
    past = [
        RoundListing(name_of(row.request, run), run.starts - row.request.lobby, ended, "finished", _repeat(row.request))
        for row, run, ended in played
    ]
    upcoming = round_queries.list_upcoming_runs(connection, kind)
    planned = [(row, run) for row, run in upcoming if row.request.template.game == GAME]
    planned += [(row, following) for row, run, ended in played if (following := _next_unplanned(row, run, ended, now))]
    ahead = [listing for row, run in planned for listing in _list_ahead(row.request, run, now)]
    by_start = operator.attrgetter("starts")
    return sorted(past + sorted(ahead, key=by_start)[:_AHEAD], key=by_start, reverse=True)


def _repeat(request: RoundCreate) -> int:
    """The announced number of runs, 0 for no limit; each run of a final round stands for itself."""
    return 0 if request.kind == "final" else request.runs


def _next_unplanned(row: RoundRow, run: RoundRun, ended: float, now: float) -> RoundRun | None:
    """The run after one whose match has ended, until the scheduler plans it."""
    return next_run(row.request, run, ended, now) if run.state == "running" and row.open else None


def _list_ahead(request: RoundCreate, run: RoundRun, now: float) -> Iterator[RoundListing]:
    """A run and those after it whose times are known."""
    length = match_duration(request)
    opens = run.starts - request.lobby
    status = "active" if opens <= now else "pending"
    yield RoundListing(name_of(request, run), opens, run.starts + length, status, _repeat(request))
    if request.every is None:
        later = [run.starts + length + request.pause + request.lobby]
    else:
        later = [request.starts + (run.number + step) * request.every for step in range(1, _AHEAD)]
    for step, starts in enumerate(later[: request.runs - run.number - 1] if request.runs else later, 1):
        name = name_of(request, run._replace(number=run.number + step))
        yield RoundListing(name, starts - request.lobby, starts + length, "pending", _repeat(request))


def match_duration(request: RoundCreate) -> float:
    """Seconds that a match of a round takes if no turn ends early."""
    template = request.template
    values = dict(template.config) if template.rules is None else {**template.config, "rules": template.rules}
    config: Any = find(template.game).config_type.build(values)
    clock = template.clock
    return float(config.max_turn * (clock.seconds if isinstance(clock, Every) else 0.0))
