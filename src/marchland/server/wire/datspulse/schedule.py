"""Which rounds there are on one base, as the server's rounds say (rulings 19, 24)."""

import math
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

from marchland.messages import Every, NewMatch, NewRound, SeatWish
from marchland.registry import find
from marchland.server.rounds import queries as round_queries
from marchland.server.rounds.queries import RoundRow, RoundRun
from marchland.server.rounds.schedule import next_run
from marchland.server.rounds.service import name_of
from marchland.server.wire.datspulse.errors import second
from marchland.store import Store

GAME = "datspulse"
_FRESH = 0.1  # seconds for which the database is believed without asking it again
_PAST, _AHEAD = 20, 50  # rounds that are told of


class Playing(NamedTuple):
    """A round that is on, from the start of its lobby: what was announced, and the teams by account."""

    row: RoundRow
    run: RoundRun
    teams: Mapping[str, str]

    @property
    def realm(self) -> str:
        """Its name."""
        return name_of(self.row.wish, self.run)


class Told(NamedTuple):
    """A round as ``/api/rounds`` lists it; times in seconds since 1970."""

    name: str
    starts: float
    ends: float
    status: str
    repeat: int

    def json(self) -> dict[str, Any]:
        """With the names of the protocol."""
        return {
            "name": self.name,
            "startAt": second(self.starts),
            "endAt": second(self.ends),
            "duration": math.ceil(self.ends - self.starts),
            "status": self.status,
            "repeat": self.repeat,
        }


class Schedule:
    """The rounds of one kind."""

    def __init__(self, store: Store, kind: str) -> None:
        self._store = store
        self._kind = kind
        self._on: list[Playing] = []
        self._read = -math.inf

    def known(self, account: str) -> Playing | None:
        """The round that an account plays, as it was when somebody last looked."""
        return next((one for one in self._on if account in one.teams), None)

    async def on(self, *, fresh: bool = False) -> list[Playing]:
        """What is on now."""
        if fresh or time.monotonic() - self._read > _FRESH:
            asked = time.monotonic()
            self._on = await self._store.read(partial(_on, kind=self._kind))
            self._read = asked
        return self._on

    def forget(self) -> None:
        """Somebody has registered."""
        self._read = -math.inf

    async def coming(self) -> list[str]:
        """The rounds that are still to come, for people."""
        told = await self._store.read(partial(_told, kind=self._kind))
        return [f"{one.name} at {second(one.starts)}" for one in told if one.status == "pending"][:5]

    async def listed(self) -> bytes:
        """The answer of ``/api/rounds``."""
        told = await self._store.read(partial(_told, kind=self._kind))
        rounds = [one.json() for one in told]
        return msgspec.json.encode({"eventId": f"{GAME}-{self._kind}", "rounds": rounds, "now": second(time.time())})


def usual_test_round(now: float) -> NewRound:
    """Test rounds for ever, under the public server's rules, against three of our own bots."""
    config: Any = find(GAME).config_type.build({"rules": "upstream"})
    template = NewMatch(
        GAME,
        [SeatWish("builtin", "greedy", f"greedy {number}") for number in (1, 2, 3)],
        rules="upstream",
        clock=Every(config.turn_milliseconds / 1000, early=False),
    )
    lobby, pause = float(config.lobby_seconds), float(config.break_seconds)
    return NewRound(f"{GAME} test", template, starts=now + lobby, lobby=lobby, runs=0, pause=pause)


def _on(connection: Connection, kind: str) -> list[Playing]:
    now = time.time()
    return [
        Playing(row, run, {one.account: one.name for one in round_queries.list_entrants(connection, run)})
        for row, run in round_queries.upcoming(connection, kind)
        if row.wish.template.game == GAME and run.starts - row.wish.lobby <= now
    ]


def _told(connection: Connection, kind: str) -> list[Told]:
    now = time.time()
    played = [one for one in round_queries.finished(connection, kind, _PAST) if one[0].wish.template.game == GAME]
    past = [
        Told(name_of(row.wish, run), run.starts - row.wish.lobby, ended, "finished", row.wish.runs)
        for row, run, ended in played
    ]
    planned = [(row, run) for row, run in round_queries.upcoming(connection, kind) if row.wish.template.game == GAME]
    planned += [(row, following) for row, run, ended in played if (following := _unplanned(row, run, ended, now))]
    ahead = [one for row, run in planned for one in _ahead(row.wish, run, now)]
    return sorted(past, key=lambda one: one.starts) + sorted(ahead, key=lambda one: one.starts)[:_AHEAD]


def _unplanned(row: RoundRow, run: RoundRun, ended: float, now: float) -> RoundRun | None:
    """The run after one whose match has just ended, which the next tick will plan."""
    return next_run(row.wish, run, ended, now) if run.state == "running" and row.open else None


def _ahead(wish: NewRound, run: RoundRun, now: float) -> Iterator[Told]:
    """A run and those after it, as far as they are known."""
    length = playing_time(wish)
    opens = run.starts - wish.lobby
    yield Told(name_of(wish, run), opens, run.starts + length, "active" if opens <= now else "pending", wish.runs)
    if wish.every is None:
        later = [run.starts + length + wish.pause + wish.lobby]
    else:
        later = [wish.starts + (run.number + step) * wish.every for step in range(1, _AHEAD)]
    for step, starts in enumerate(later[: wish.runs - run.number - 1] if wish.runs else later, 1):
        name = name_of(wish, run._replace(number=run.number + step))
        yield Told(name, starts - wish.lobby, starts + length, "pending", wish.runs)


def playing_time(wish: NewRound) -> float:
    """How many seconds a match of a round takes, if no turn ends early."""
    template = wish.template
    values = dict(template.config) if template.rules is None else {**template.config, "rules": template.rules}
    config: Any = find(template.game).config_type.build(values)
    clock = template.clock
    return float(config.max_turn * (clock.seconds if isinstance(clock, Every) else 0.0))
