"""Seasons over HTTP: their games and teams."""

import datetime
from collections.abc import Sequence
from functools import partial

import msgspec
from litestar import Router
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import (
    MatchCreate,
    SeasonCreate,
    SeasonGameCreate,
    SeasonGameInfo,
    SeasonInfo,
    SeasonUpdate,
    SeatRequest,
    Team,
)
from marchland.registry import find
from marchland.server.audit import record
from marchland.server.http.auth import Caller, caller_or_none, require_caller, require_role
from marchland.server.http.patch import fields_set
from marchland.server.http.routing import delete, get, patch, post, put
from marchland.server.matches.visibility import redact_template
from marchland.server.scheduler import Scheduler
from marchland.server.seasons import queries
from marchland.server.seasons.queries import Season, SeasonGame
from marchland.store import Store
from marchland.store.writer import Lock

_ONE_AT_A_TIME = Lock("seasons", exclusive=True)
"""Two nodes could otherwise each add a season that overlaps the other's."""


@get("/seasons")
async def list_seasons(store: Store) -> list[SeasonInfo]:
    """All seasons, the first first."""
    return await store.read(lambda connection: [_info(connection, one) for one in queries.listed(connection)])


@get("/seasons/{season:str}")
async def show_season(season: str, store: Store) -> SeasonInfo:
    """One season, by id or name."""
    return await store.read(lambda connection: _info(connection, queries.find(connection, season)))


@post("/seasons")
async def create_season(data: SeasonCreate, scope: Scope, store: Store) -> SeasonInfo:
    """Add a season; refused if it overlaps another. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")

    def work(connection: Connection) -> SeasonInfo:
        made = queries.create(connection, data)
        record(connection, caller, "create season", data.name, data)
        return _info(connection, made)

    made: SeasonInfo = await store.write(work, _ONE_AT_A_TIME)
    return made


@patch("/seasons/{season:str}")
async def change_season(
    season: str, data: SeasonUpdate, scope: Scope, store: Store, scheduler: Scheduler
) -> SeasonInfo:
    """Change a season's name or days; refused if it then overlaps another. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")

    def work(connection: Connection) -> SeasonInfo:
        before = queries.find(connection, season)
        after = before._replace(**fields_set(data))
        _check_started(connection, before, after)
        queries.change(connection, after)
        record(connection, caller, "change season", before.name, data)
        return _info(connection, after)

    made: SeasonInfo = await store.write(work, _ONE_AT_A_TIME)
    scheduler.wake()
    return made


@delete("/seasons/{season:str}")
async def remove_season(season: str, scope: Scope, store: Store) -> None:
    """Forget a season that has no games. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")

    def work(connection: Connection) -> None:
        found = queries.find(connection, season)
        queries.remove(connection, found)
        record(connection, caller, "remove season", found.name)

    await store.write(work, _ONE_AT_A_TIME)


@get("/seasons/{season:str}/games")
async def list_games(season: str, scope: Scope, store: Store) -> list[SeasonGameInfo]:
    """The games of a season."""
    caller = caller_or_none(scope)

    def work(connection: Connection) -> list[SeasonGameInfo]:
        games = queries.games_of(connection, queries.find(connection, season).id)
        return [game_info(connection, game, caller) for game in games]

    return await store.read(work)


@post("/seasons/{season:str}/games")
async def create_game(
    season: str, data: SeasonGameCreate, scope: Scope, store: Store, scheduler: Scheduler
) -> SeasonGameInfo:
    """Add a game to a season. Its match is opened when the season is on and its teams are there. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")
    await scheduler.factory.validate(with_seats(data.template, data.teams))

    def work(connection: Connection) -> SeasonGameInfo:
        game = queries.add_game(connection, queries.find(connection, season), data)
        record(connection, caller, "create season game", data.name, data)
        return game_info(connection, game, caller)

    made: SeasonGameInfo = await store.write(work)
    scheduler.wake()
    return made


@get("/season-games/{game:str}")
async def show_game(game: str, scope: Scope, store: Store) -> SeasonGameInfo:
    """One game of a season, by id."""
    caller = caller_or_none(scope)
    return await store.read(lambda connection: game_info(connection, queries.game(connection, game), caller))


@put("/season-games/{game:str}/teams")
async def set_teams(game: str, data: list[Team], scope: Scope, store: Store, scheduler: Scheduler) -> SeasonGameInfo:
    """Replace the teams of a game, with their leaders and vice-leaders; a running match is told. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")
    before = await store.read(partial(queries.game, game=game))
    if before.match is None and data:
        await scheduler.factory.validate(with_seats(before.template, data))

    def work(connection: Connection) -> SeasonGameInfo:
        found = queries.game(connection, game)
        if found.match is not None and len(data) != len(queries.teams_of(connection, game)):
            raise Refused("started", "The match has started: the number of its teams stays.")
        queries.set_teams(connection, found, data)
        record(connection, caller, "set teams", found.name, data)
        return game_info(connection, found, caller)

    changed: SeasonGameInfo = await store.write(work)
    scheduler.wake()
    return changed


@get("/teams")
async def my_teams(scope: Scope, store: Store) -> list[SeasonGameInfo]:
    """The games of seasons in which one is a member of a team."""
    caller = require_caller(scope)

    def work(connection: Connection) -> list[SeasonGameInfo]:
        games = [game_info(connection, game, caller) for game in queries.games_of(connection)]
        return [game for game in games if any(one.account == caller.id for team in game.teams for one in team.members)]

    return await store.read(work)


def _check_started(connection: Connection, before: Season, after: Season) -> None:
    """The days of a season that is being played move only so far as its games can follow."""
    playing = [game for game in queries.games_of(connection, before.id) if game.match is not None]
    today = datetime.datetime.now(datetime.UTC).date()
    if playing and after.start != before.start:
        raise Refused("started", f"Games of the season {before.name!r} have started: its first day stays.")
    if playing and after.end < min(before.end, today):
        raise Refused("started", f"Games of the season {before.name!r} have started: it ends today at the earliest.")


def with_seats(template: MatchCreate, teams: Sequence[Team]) -> MatchCreate:
    """The template with as many seats as its match will have; as few as it could have, while there are no teams."""
    kind = find(template.game)
    count = len(teams) or 2
    seats = max(sum(len(team.members) for team in teams), kind.least_players, count)
    config = {**template.config, **(kind.season_hooks.match_settings(count) if kind.season_hooks else {})}
    return msgspec.structs.replace(template, seats=[SeatRequest()] * seats, config=config)


def _info(connection: Connection, season: Season) -> SeasonInfo:
    today = datetime.datetime.now(datetime.UTC).date()
    games = [game.id for game in queries.games_of(connection, season.id)]
    return SeasonInfo(season.id, season.name, season.start, season.end, season.includes(today), games)


def game_info(connection: Connection, game: SeasonGame, caller: Caller | None) -> SeasonGameInfo:
    """A game of a season as the caller may see it."""
    teams = queries.teams_of(connection, game.id)
    names = {one.account: one.name for one in queries.sittings(connection, game.id)}
    template = redact_template(caller, game.template)
    return SeasonGameInfo(game.id, game.season.id, game.name, template, game.match, teams, names)


router = Router(
    "/",
    route_handlers=[
        list_seasons,
        show_season,
        create_season,
        change_season,
        remove_season,
        list_games,
        create_game,
        show_game,
        set_teams,
        my_teams,
    ],
    tags=["seasons"],
)
