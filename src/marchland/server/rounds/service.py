"""Rounds: a lobby in which players register, a match at the appointed time, a pause, and again."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import (
    MatchCreate,
    Registered,
    RoundCreate,
    RoundInfo,
    RoundStanding,
    RoundUpdate,
    RunInfo,
    Scoring,
    SeatInfo,
    SeatRequest,
)
from marchland.registry import find
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.http.patch import apply_patch
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import MatchFactory
from marchland.server.matches.manager import MatchManager
from marchland.server.rounds import queries
from marchland.server.rounds.edits import edit_round
from marchland.server.rounds.info import round_info, run_info
from marchland.server.rounds.queries import Entrant, RoundRow, RoundRun, SeatResult
from marchland.server.rounds.registration import register
from marchland.server.rounds.schedule import free_places, next_run
from marchland.server.rounds.standings import compute_standings, scoring_of
from marchland.server.tasks import RetryingTasks
from marchland.store.writer import Lock


class SeatPlan(NamedTuple):
    """The request for a run's match, and who sits where."""

    request: MatchCreate
    seats: list[SeatInfo]


class RoundService:
    """Creates and changes rounds, registers players, and runs what is due."""

    def __init__(
        self, factory: MatchFactory, manager: MatchManager, tasks: RetryingTasks, wake: Callable[[], None]
    ) -> None:
        self._factory = factory
        self._store = factory.store
        self._manager = manager
        self._tasks = tasks
        self._wake = wake

    async def list_rounds(self, caller: Caller | None) -> list[RoundInfo]:
        """All rounds, the newest first."""
        return await self._store.read(
            lambda connection: [round_info(connection, row, caller) for row in queries.list_rounds(connection)]
        )

    async def find(self, caller: Caller | None, round_id: str) -> RoundInfo:
        """One round, by id or name; refused if there is none."""
        return await self._store.read(
            lambda connection: round_info(connection, queries.find_round(connection, round_id), caller)
        )

    async def list_runs(self, round_id: str) -> list[RunInfo]:
        """All runs of a round, the first first."""

        def read(connection: Connection) -> list[RunInfo]:
            row = queries.find_round(connection, round_id)
            return [run_info(connection, row, run) for run in queries.list_runs(connection, row.id)]

        return await self._store.read(read)

    async def round_standings(self, round_id: str) -> list[RoundStanding]:
        """The standings over all runs of a round."""

        def read(connection: Connection) -> list[RoundStanding]:
            row = queries.find_round(connection, round_id)
            return compute_standings(_scored_results(connection, [row]))

        return await self._store.read(read)

    async def final_standings(self, game: str) -> list[RoundStanding]:
        """The standings over all final rounds of a game."""

        def read(connection: Connection) -> list[RoundStanding]:
            finals = [row for row in queries.list_rounds(connection) if row.request.kind == "final"]
            rows = [row for row in reversed(finals) if row.request.template.game == game]
            return compute_standings(_scored_results(connection, rows))

        return await self._store.read(read)

    async def create(self, caller: Caller, request: RoundCreate) -> RoundInfo:
        """Announce a round."""
        if request.starts < time.time():
            raise Refused("bad_request", "round_start_past")
        request = msgspec.structs.replace(request, maps=maps_of(request), scoring=scoring_of(request))
        await self._validate(request)

        def write(connection: Connection) -> RoundRow:
            record(connection, caller, "create round", request.name, request)
            return queries.insert_round(connection, request)

        row: RoundRow = await self._store.write(write)
        return await self._store.read(partial(round_info, row=row, caller=caller))

    async def update(self, caller: Caller, round_id: str, change: RoundUpdate) -> RoundInfo:
        """Change a round before it is played, or later its schedule."""
        row = await self._store.read(partial(queries.find_round, round=round_id))
        await self._validate(apply_patch(row.request, change))

        def write(connection: Connection) -> RoundRow:
            after = edit_round(connection, queries.find_round(connection, row.id), change)
            record(connection, caller, "change round", after.request.name, change)
            return after

        after: RoundRow = await self._store.write(write, lock_of(row))
        self._wake()
        return await self._store.read(partial(round_info, row=after, caller=caller))

    async def close(self, caller: Caller, round_id: str) -> None:
        """Plan no further runs; a lobby with registered players is still followed by its match."""

        def write(connection: Connection) -> None:
            row = queries.find_round(connection, round_id)
            record(connection, caller, "close round", row.request.name)
            queries.close_round(connection, row.id)

        await self._store.write(write)

    async def register(self, caller: Caller, round_id: str, name: str) -> Registered:
        """Register for the current or next run; a registered player gets the same answer at any time."""
        row = await self._store.read(partial(queries.find_round, round=round_id))
        entrant = Entrant(caller.id, " ".join(name.split()) or caller.account.name)
        registered: Registered = await self._store.write(
            lambda connection: register(connection, row, entrant), lock_of(row)
        )
        return registered

    async def _validate(self, request: RoundCreate) -> None:
        for chosen in request.maps or (request.template.map,):
            await self._factory.validate(msgspec.structs.replace(request.template, map=chosen))
        if free_places(request, 0) < 1:
            game = find(request.template.game).name
            raise Refused("bad_request", "round_without_seats", game=game)

    # ---------------------------------------------------------------- scheduled work

    async def tick(self, now: float) -> None:
        """Start the task of every run that may need a step."""
        for row, run in await self._store.read(partial(queries.list_due_runs, now=now)):
            if not self._factory.games.is_loaded(row.request.template.game):
                continue  # it starts late, once its game is loaded
            self._tasks.start(f"round {row.id}", partial(self._advance, row, run, now))

    async def refresh_round_matches(self) -> None:
        """Refresh this node's set of matches to which a round's rate limit applies."""
        self._manager.in_rounds = await self._store.read(queries.running_matches)

    async def _advance(self, row: RoundRow, run: RoundRun, now: float) -> None:
        if run.state == "lobby":
            await self._start(row, run, now)
            return
        ended = await self._store.read(partial(queries.end_of_match, run=run))
        if ended is not None:
            await self._finish(row, run, "over", ended, now)
        else:
            await self._finish_interrupted_start(run)

    async def _start(self, row: RoundRow, run: RoundRun, now: float) -> None:
        entrants = await self._store.read(partial(queries.list_entrants, run=run))
        plan = plan_seats(row.request, run, entrants)
        if len(plan.seats) < max(find(row.request.template.game).least_players, 1) or not entrants:
            await self._finish(row, run, "empty", now, now)
            return

        def claim(connection: Connection, match: str) -> bool:
            is_unchanged = queries.list_entrants(connection, run) == entrants  # a player may have registered meanwhile
            return is_unchanged and queries.update_run(connection, run, "running", match)

        await self._factory.create_for_slot(plan.request, f"round/{row.id}", claim, plan.seats, lock_of(row))
        await self.refresh_round_matches()

    async def _finish_interrupted_start(self, run: RoundRun) -> None:
        """Start a match whose creator died between creation and start."""
        match = await self._store.read(partial(match_queries.find, match=run.match or ""))
        if match is not None and match.state == "lobby":
            await self._factory.start(match.id)

    async def _finish(self, row: RoundRow, run: RoundRun, state: str, ended: float, now: float) -> None:
        following = next_run(row.request, run._replace(state=state), ended, now) if row.open else None

        def write(connection: Connection) -> None:
            if queries.update_run(connection, run, state) and following is not None:
                queries.insert_run(connection, following)

        await self._store.write(write, lock_of(row))


def _scored_results(connection: Connection, rows: list[RoundRow]) -> list[tuple[Scoring, SeatResult]]:
    return [(scoring_of(row.request), result) for row in rows for result in queries.list_results(connection, row.id)]


def lock_of(row: RoundRow) -> Lock:
    """Registering and starting exclude each other."""
    return Lock(f"round {row.id}", exclusive=True)


def plan_seats(request: RoundCreate, run: RoundRun, entrants: list[Entrant]) -> SeatPlan:
    """The organiser's own bots, then all registered players."""
    template = request.template
    bots = [seat for seat in template.seats if seat.kind == "builtin"]
    own = [SeatInfo(seat, "builtin", bot.name, None, bot.bot) for seat, bot in enumerate(bots)]
    players = [
        SeatInfo(len(own) + number, "bot", entrant.name, entrant.account) for number, entrant in enumerate(entrants)
    ]
    seats = own + players
    if not seats:
        return SeatPlan(template, [])
    requests = [
        SeatRequest("builtin", seat.bot, seat.name) if seat.bot else SeatRequest("open", "", seat.name)
        for seat in seats
    ]
    match = msgspec.structs.replace(template, name=name_of(request, run), seats=requests, auto_start=False)
    if run.number > 0:  # the replay of the first run has published the template's seed
        match = msgspec.structs.replace(match, seed=None)
    if request.maps:
        match = msgspec.structs.replace(match, map=request.maps[run.number % len(request.maps)])
    return SeatPlan(match, seats)


def maps_of(request: RoundCreate) -> tuple[Any, ...]:
    """The maps that its runs use in turn: as announced; otherwise the game's own for such a round."""
    template = request.template
    if request.maps or template.map is not None:
        return request.maps
    return find(template.game).default_round_maps(request.kind, template.config)


def name_of(request: RoundCreate, run: RoundRun) -> str:
    """The name of a run's match."""
    return request.template.name or f"{request.name} {run.number + 1}"[:80]
