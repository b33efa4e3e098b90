"""Rounds over HTTP."""

import time
from functools import partial

import msgspec
from litestar import Router
from litestar.datastructures import State
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import (
    NewRound,
    Registered,
    Registration,
    RoundChange,
    RoundInfo,
    RoundStanding,
    RunInfo,
    Scoring,
)
from marchland.registry import find
from marchland.server.audit import note
from marchland.server.http.auth import Caller, caller_of, require, somebody
from marchland.server.http.patch import changed
from marchland.server.http.routing import delete, get, patch, post
from marchland.server.matches.visibility import template_for
from marchland.server.rounds import queries
from marchland.server.rounds.edits import change_round
from marchland.server.rounds.queries import Entrant, Figures, RoundRow, Run
from marchland.server.rounds.registration import registered
from marchland.server.rounds.service import lock_of, maps_of, room_left
from marchland.server.rounds.standings import standings
from marchland.store import Store


@get("/rounds")
async def list_rounds(scope: Scope, store: Store) -> list[RoundInfo]:
    """All rounds, the newest first, each with the playing that is on or comes next."""
    caller = somebody(scope)
    return await store.read(lambda connection: [_info(connection, row, caller) for row in queries.listed(connection)])


@get("/rounds/{round_id:str}")
async def show_round(round_id: str, scope: Scope, store: Store) -> RoundInfo:
    """One round, by id or name."""
    caller = somebody(scope)
    return await store.read(lambda connection: _info(connection, queries.find(connection, round_id), caller))


@post("/rounds")
async def create_round(data: NewRound, scope: Scope, store: Store, state: State) -> RoundInfo:
    """Announce a round. For organisers."""
    caller = caller_of(scope)
    require(caller, "organiser")
    if data.starts < time.time():
        raise Refused("bad_request", "A round starts in the future.")
    data = msgspec.structs.replace(data, maps=maps_of(data))
    await _check(data, state)

    def work(connection: Connection) -> RoundInfo:
        note(connection, caller, "create round", data.name, data)
        return _info(connection, queries.create(connection, data), caller)

    made: RoundInfo = await store.write(work)
    return made


@patch("/rounds/{round_id:str}")
async def edit_round(round_id: str, data: RoundChange, scope: Scope, store: Store, state: State) -> RoundInfo:
    """Change a round before it is played, or later its schedule; close it and open it again. For organisers."""
    caller = caller_of(scope)
    require(caller, "organiser")
    row = await store.read(partial(queries.find, round=round_id))
    await _check(changed(row.wish, data), state)

    def work(connection: Connection) -> RoundInfo:
        made = change_round(connection, queries.find(connection, row.id), data)
        note(connection, caller, "change round", made.wish.name, data)
        return _info(connection, made, caller)

    made: RoundInfo = await store.write(work, lock_of(row))
    state.organiser.wake()
    return made


@delete("/rounds/{round_id:str}")
async def close_round(round_id: str, scope: Scope, store: Store) -> None:
    """Plan no further playings; one that is on goes on to its end. For organisers."""
    caller = caller_of(scope)
    require(caller, "organiser")

    def work(connection: Connection) -> None:
        row = queries.find(connection, round_id)
        note(connection, caller, "close round", row.wish.name)
        queries.close(connection, row.id)

    await store.write(work)


@post("/rounds/{round_id:str}/register", status_code=200)
async def register(round_id: str, data: Registration, scope: Scope, store: Store) -> Registered:
    """Take part in the next match, while its lobby is open; whoever is registered is told so at any time."""
    caller = caller_of(scope)
    name = " ".join(data.name.split()) or caller.account.name
    row = await store.read(partial(queries.find, round=round_id))

    told: Registered = await store.write(
        lambda connection: registered(connection, row, Entrant(caller.id, name)), lock_of(row)
    )
    return told


@get("/rounds/{round_id:str}/runs")
async def list_runs(round_id: str, store: Store) -> list[RunInfo]:
    """Every playing of a round, the first first."""

    def work(connection: Connection) -> list[RunInfo]:
        row = queries.find(connection, round_id)
        return [_run_info(connection, row, run) for run in queries.runs_of(connection, row.id)]

    return await store.read(work)


@get("/rounds/{round_id:str}/standings")
async def show_standings(round_id: str, store: Store) -> list[RoundStanding]:
    """Who leads over all playings of a round."""

    def work(connection: Connection) -> list[RoundStanding]:
        row = queries.find(connection, round_id)
        return standings(_scored(connection, [row]))

    return await store.read(work)


@get("/standings")
async def all_standings(game: str, store: Store) -> list[RoundStanding]:
    """Who leads over all final rounds of a game."""

    def work(connection: Connection) -> list[RoundStanding]:
        finals = [row for row in queries.listed(connection) if row.wish.kind == "final"]
        return standings(_scored(connection, [row for row in reversed(finals) if row.wish.template.game == game]))

    return await store.read(work)


async def _check(wish: NewRound, state: State) -> None:
    for one in wish.maps or (wish.template.map,):
        await state.organiser.opener.check(msgspec.structs.replace(wish.template, map=one))
    if room_left(wish, 0) < 1:
        raise Refused("bad_request", f"{find(wish.template.game).name} has no seat left for anybody to register.")


def _scored(connection: Connection, rows: list[RoundRow]) -> list[tuple[Scoring, Figures]]:
    return [(row.wish.scoring, one) for row in rows for one in queries.figures(connection, row.id)]


def _info(connection: Connection, row: RoundRow, caller: Caller | None) -> RoundInfo:
    wish, run = row.wish, queries.last_run(connection, row.id)
    done = run is None or run.state in ("over", "empty") or (run.state == "lobby" and not row.open)
    return RoundInfo(
        id=row.id,
        name=wish.name,
        kind=wish.kind,
        game=wish.template.game,
        template=template_for(caller, wish.template),
        starts=wish.starts,
        lobby=wish.lobby,
        pause=wish.pause,
        every=wish.every,
        runs=wish.runs,
        scoring=wish.scoring,
        maps=wish.maps,
        open=row.open,
        now=time.time(),
        current=None if run is None or done else _run_info(connection, row, run),
    )


def _run_info(connection: Connection, row: RoundRow, run: Run) -> RunInfo:
    count = queries.registered(connection, run)
    return RunInfo(run.number, run.starts - row.wish.lobby, run.starts, run.state, count, run.match)


router = Router(
    "/",
    route_handlers=[
        list_rounds,
        show_round,
        create_round,
        edit_round,
        close_round,
        register,
        list_runs,
        show_standings,
        all_standings,
    ],
    tags=["rounds"],
)
