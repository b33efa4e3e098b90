"""HTTP routes of rounds."""

import time

from litestar import Router
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.messages import (
    Registered,
    Registration,
    RoundCreate,
    RoundInfo,
    RoundStanding,
    RoundUpdate,
    RunInfo,
    Scoring,
)
from marchland.server.http.auth import Caller, caller_or_none, require_caller, require_role
from marchland.server.http.routing import delete, get, patch, post
from marchland.server.matches.visibility import redact_template
from marchland.server.rounds import queries
from marchland.server.rounds.queries import RoundRow, RoundRun, SeatResult
from marchland.server.rounds.service import RoundService
from marchland.server.rounds.standings import scoring_of, standings
from marchland.store import Store


@get("/rounds")
async def list_rounds(scope: Scope, store: Store) -> list[RoundInfo]:
    """All rounds, the newest first, each with the playing that is on or comes next."""
    caller = caller_or_none(scope)
    return await store.read(
        lambda connection: [_info(connection, row, caller) for row in queries.list_rounds(connection)]
    )


@get("/rounds/{round_id:str}")
async def show_round(round_id: str, scope: Scope, store: Store) -> RoundInfo:
    """One round, by id or name."""
    caller = caller_or_none(scope)
    return await store.read(lambda connection: _info(connection, queries.find_round(connection, round_id), caller))


@post("/rounds")
async def create_round(data: RoundCreate, scope: Scope, store: Store, rounds: RoundService) -> RoundInfo:
    """Announce a round. For organisers."""
    caller = _require_organiser(scope)
    row = await rounds.create(caller, data)
    return await store.read(lambda connection: _info(connection, row, caller))


@patch("/rounds/{round_id:str}")
async def change_round(round_id: str, data: RoundUpdate, scope: Scope, store: Store, rounds: RoundService) -> RoundInfo:
    """Change a round before it is played, or later its schedule; close it and open it again. For organisers."""
    caller = _require_organiser(scope)
    row = await rounds.update(caller, round_id, data)
    return await store.read(lambda connection: _info(connection, row, caller))


@delete("/rounds/{round_id:str}")
async def close_round(round_id: str, scope: Scope, rounds: RoundService) -> None:
    """Plan no further playings; one that is on goes on to its end. For organisers."""
    await rounds.close(_require_organiser(scope), round_id)


@post("/rounds/{round_id:str}/register", status_code=200)
async def register(round_id: str, data: Registration, scope: Scope, rounds: RoundService) -> Registered:
    """Take part in the next match, while its lobby is open; a registered player gets the same answer at any time."""
    return await rounds.register(require_caller(scope), round_id, data.name)


@get("/rounds/{round_id:str}/runs")
async def list_runs(round_id: str, store: Store) -> list[RunInfo]:
    """Every playing of a round, the first first."""

    def work(connection: Connection) -> list[RunInfo]:
        row = queries.find_round(connection, round_id)
        return [_run_info(connection, row, run) for run in queries.list_runs(connection, row.id)]

    return await store.read(work)


@get("/rounds/{round_id:str}/standings")
async def show_standings(round_id: str, store: Store) -> list[RoundStanding]:
    """Who leads over all playings of a round."""

    def work(connection: Connection) -> list[RoundStanding]:
        row = queries.find_round(connection, round_id)
        return standings(_scored(connection, [row]))

    return await store.read(work)


@get("/standings")
async def all_standings(game: str, store: Store) -> list[RoundStanding]:
    """Who leads over all final rounds of a game."""

    def work(connection: Connection) -> list[RoundStanding]:
        finals = [row for row in queries.list_rounds(connection) if row.wish.kind == "final"]
        return standings(_scored(connection, [row for row in reversed(finals) if row.wish.template.game == game]))

    return await store.read(work)


def _require_organiser(scope: Scope) -> Caller:
    caller = require_caller(scope)
    require_role(caller, "organiser")
    return caller


def _scored(connection: Connection, rows: list[RoundRow]) -> list[tuple[Scoring, SeatResult]]:
    return [(scoring_of(row.wish), result) for row in rows for result in queries.list_results(connection, row.id)]


def _info(connection: Connection, row: RoundRow, caller: Caller | None) -> RoundInfo:
    wish, run = row.wish, queries.last_run(connection, row.id)
    done = run is None or run.state in ("over", "empty") or (run.state == "lobby" and not row.open)
    return RoundInfo(
        id=row.id,
        name=wish.name,
        kind=wish.kind,
        game=wish.template.game,
        template=redact_template(caller, wish.template),
        starts=wish.starts,
        lobby=wish.lobby,
        pause=wish.pause,
        every=wish.every,
        runs=wish.runs,
        scoring=scoring_of(wish),
        maps=wish.maps,
        open=row.open,
        now=time.time(),
        current=None if run is None or done else _run_info(connection, row, run),
    )


def _run_info(connection: Connection, row: RoundRow, run: RoundRun) -> RunInfo:
    count = queries.count_registered(connection, run)
    return RunInfo(run.number, run.starts - row.wish.lobby, run.starts, run.state, count, run.match)


router = Router(
    "/",
    route_handlers=[
        list_rounds,
        show_round,
        create_round,
        change_round,
        close_round,
        register,
        list_runs,
        show_standings,
        all_standings,
    ],
    tags=["rounds"],
)
