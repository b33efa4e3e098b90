"""HTTP routes of rounds."""

from marchland.messages import (
    Registered,
    Registration,
    RoundCreate,
    RoundInfo,
    RoundStanding,
    RoundUpdate,
    RunInfo,
)
from marchland.server.http.auth import Caller
from marchland.server.http.routing import api_router, delete, get, patch, post
from marchland.server.rounds.service import RoundService


@get("/rounds")
async def list_rounds(caller: Caller | None, rounds: RoundService) -> list[RoundInfo]:
    """All rounds, the newest first, each with its current or next run."""
    return await rounds.list_rounds(caller)


@get("/rounds/{round_id}")
async def show_round(round_id: str, caller: Caller | None, rounds: RoundService) -> RoundInfo:
    """One round, by id or name."""
    return await rounds.find(caller, round_id)


@post("/rounds", role="organiser")
async def create_round(data: RoundCreate, caller: Caller, rounds: RoundService) -> RoundInfo:
    """Announce a round. For organisers."""
    return await rounds.create(caller, data)


@patch("/rounds/{round_id}", role="organiser")
async def change_round(round_id: str, data: RoundUpdate, caller: Caller, rounds: RoundService) -> RoundInfo:
    """Change a round before it is played, or later its schedule; close it and open it again. For organisers."""
    return await rounds.update(caller, round_id, data)


@delete("/rounds/{round_id}", role="organiser")
async def close_round(round_id: str, caller: Caller, rounds: RoundService) -> None:
    """Plan no further runs; a running one goes on to its end. For organisers."""
    await rounds.close(caller, round_id)


@post("/rounds/{round_id}/register", status=200, role="player")
async def register(round_id: str, data: Registration, caller: Caller, rounds: RoundService) -> Registered:
    """Take part in the next match, while its lobby is open; a registered player gets the same answer at any time."""
    return await rounds.register(caller, round_id, data.name)


@get("/rounds/{round_id}/runs")
async def list_runs(round_id: str, rounds: RoundService) -> list[RunInfo]:
    """All runs of a round, the first first."""
    return await rounds.list_runs(round_id)


@get("/rounds/{round_id}/standings")
async def show_standings(round_id: str, rounds: RoundService) -> list[RoundStanding]:
    """The standings over all runs of a round."""
    return await rounds.round_standings(round_id)


@get("/standings")
async def all_standings(game: str, rounds: RoundService) -> list[RoundStanding]:
    """The standings over all final rounds of a game."""
    return await rounds.final_standings(game)


router = api_router(
    "rounds",
    list_rounds,
    show_round,
    create_round,
    change_round,
    close_round,
    register,
    list_runs,
    show_standings,
    all_standings,
)
