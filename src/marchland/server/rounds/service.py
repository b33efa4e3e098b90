"""Rounds: a lobby in which teams register, a match at the appointed time, a break, and again."""

from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

from marchland.messages import NewMatch, NewRound, SeatInfo, SeatWish
from marchland.registry import find
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import Opener
from marchland.server.matches.manager import Host
from marchland.server.rounds import queries
from marchland.server.rounds.queries import Entrant, RoundRow, Run
from marchland.server.tasks import Beside
from marchland.store.writer import Lock


class Places(NamedTuple):
    """A match for those who registered, and who sits where."""

    wish: NewMatch
    seats: list[SeatInfo]


class Rounds:
    """Moves every round on when it is time."""

    def __init__(self, opener: Opener, host: Host, beside: Beside) -> None:
        self._beside = beside
        self._opener = opener
        self._store = opener.store
        self._host = host

    async def tick(self, now: float) -> None:
        """Start what is due, and plan what comes after that which is over."""
        for row, run in await self._store.read(partial(queries.due, now=now)):
            if not self._opener.games.is_loaded(row.wish.template.game):
                continue  # it starts late: as soon as its game is loaded
            self._beside.do(f"round {row.id}", partial(self._move_on, row, run, now))

    async def remember(self) -> None:
        """Tell this node which matches are a round's, so that nobody asks too often in them."""
        self._host.in_rounds = await self._store.read(queries.playing)

    async def _move_on(self, row: RoundRow, run: Run, now: float) -> None:
        if run.state == "lobby":
            await self._start(row, run, now)
            return
        ended = await self._store.read(partial(queries.ended, run=run))
        if ended is not None:
            await self._finish(row, run, "over", ended, now)
        else:
            await self._begin_if_it_should(run)

    async def _start(self, row: RoundRow, run: Run, now: float) -> None:
        entrants = await self._store.read(partial(queries.entrants, run=run))
        places = seated(row.wish, run, entrants)
        if len(places.seats) < max(find(row.wish.template.game).least_players, 1) or not entrants:
            await self._finish(row, run, "empty", now, now)
            return

        def claim(connection: Connection, match: str) -> bool:
            same = queries.entrants(connection, run) == entrants  # somebody may have come in at the last moment
            return same and queries.change_run(connection, run, "running", match)

        await self._opener.open(places.wish, f"round/{row.id}", claim, places.seats, lock_of(row))
        await self.remember()

    async def _begin_if_it_should(self, run: Run) -> None:
        match = await self._store.read(partial(match_queries.find, match=run.match or ""))
        if match is not None and match.state == "lobby":
            await self._opener.begin(match.id)

    async def _finish(self, row: RoundRow, run: Run, state: str, ended: float, now: float) -> None:
        following = after(row.wish, run, ended, now) if row.open else None

        def work(connection: Connection) -> None:
            if queries.change_run(connection, run, state) and following is not None:
                queries.plan(connection, following)

        await self._store.write(work, lock_of(row))


def lock_of(row: RoundRow) -> Lock:
    """Registering and starting exclude each other."""
    return Lock(f"round {row.id}", alone=True)


def after(wish: NewRound, run: Run, ended: float, now: float) -> Run | None:
    """The playing after one that is over: after the break, or by the schedule if at least half its lobby is left."""
    number = run.number + 1
    if wish.runs and number >= wish.runs:
        return None
    if wish.every is None:
        starts = max(ended + wish.pause, now) + wish.lobby
    else:
        starts = wish.starts + number * wish.every
        while starts - now < wish.lobby / 2:
            starts += wish.every  # missed playings are not made up for in a burst
    return Run(run.round, number, starts, "lobby", None)


def seated(wish: NewRound, run: Run, entrants: list[Entrant]) -> Places:
    """The organiser's own bots, then everybody who registered."""
    template = wish.template
    own = [SeatInfo(seat, "builtin", one.name, None, one.bot) for seat, one in enumerate(_bots(template))]
    seats = own + [SeatInfo(len(own) + number, "bot", one.name, one.account) for number, one in enumerate(entrants)]
    wishes = [
        SeatWish("builtin", seat.bot, seat.name) if seat.bot else SeatWish("open", "", seat.name) for seat in seats
    ]
    if not wishes:
        return Places(template, [])
    made = msgspec.structs.replace(template, name=name_of(wish, run), seats=wishes, auto_start=False)
    if wish.maps:
        made = msgspec.structs.replace(made, map=wish.maps[run.number % len(wish.maps)])
    return Places(made, seats)


def maps_of(wish: NewRound) -> tuple[Any, ...]:
    """The maps that its playings use in turn: as announced; else, of a final round, those that the game names."""
    template = wish.template
    if wish.maps or wish.kind != "final" or template.map is not None or "generator" in template.config:
        return wish.maps
    return getattr(find(template.game), "final_maps", ())


def name_of(wish: NewRound, run: Run) -> str:
    """What a playing is called."""
    return wish.template.name or f"{wish.name} {run.number + 1}"[:80]


def room_left(wish: NewRound, entrants: int) -> int:
    """How many more may register."""
    return find(wish.template.game).most_players - len(_bots(wish.template)) - entrants


def _bots(template: NewMatch) -> list[SeatWish]:
    return [seat for seat in template.seats if seat.kind == "builtin"]
