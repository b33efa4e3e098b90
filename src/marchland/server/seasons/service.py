"""Seasons: create and change them, their games and their teams."""

import datetime
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import (
    Every,
    JobRequest,
    JobRun,
    MatchCreate,
    SeasonCreate,
    SeasonGameCreate,
    SeasonGameInfo,
    SeasonGameUpdate,
    SeasonInfo,
    SeasonUpdate,
    SeatRequest,
    Team,
)
from marchland.messages.clocks import DEFAULT_CLOCK
from marchland.registry import find as find_kind
from marchland.registry import games as game_names
from marchland.server.accounts.queries import find as find_account
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.http.patch import apply_patch, fields_set
from marchland.server.matches import queries as match_queries
from marchland.server.matches.admission import check_template_seed
from marchland.server.matches.factory import MatchFactory
from marchland.server.matches.service import MatchService
from marchland.server.matches.setup import with_team_seats
from marchland.server.matches.visibility import redact_template
from marchland.server.seasons import job_queries, queries
from marchland.server.seasons.matches import SeasonMatches
from marchland.server.seasons.queries import Season, SeasonGame
from marchland.store.writer import Lock

_SEASONS_LOCK = Lock("seasons", exclusive=True)
"""Two nodes could otherwise each add a season that overlaps the other's."""


class SeasonService:
    """What players and organisers do with seasons. ``wake`` makes the scheduler tick at once."""

    def __init__(
        self, factory: MatchFactory, service: MatchService, matches: SeasonMatches, wake: Callable[[], None]
    ) -> None:
        self._factory = factory
        self._store = factory.store
        self._service = service
        self._matches = matches
        self._wake = wake

    # ---------------------------------------------------------------- seasons

    async def list_seasons(self) -> list[SeasonInfo]:
        """All seasons, by start."""
        return await self._store.read(
            lambda connection: [_season_info(connection, season) for season in queries.list_seasons(connection)]
        )

    async def find(self, season: str) -> SeasonInfo:
        """One season, by id or name; refused if there is none."""
        return await self._store.read(
            lambda connection: _season_info(connection, queries.find_season(connection, season))
        )

    async def create(self, caller: Caller, request: SeasonCreate) -> SeasonInfo:
        """Add a season; refused if it overlaps another."""

        def write(connection: Connection) -> SeasonInfo:
            season = queries.insert_season(connection, request)
            record(connection, caller, "create season", request.name, request)
            return _season_info(connection, season)

        season: SeasonInfo = await self._store.write(write, _SEASONS_LOCK)
        return season

    async def update(self, caller: Caller, season: str, change: SeasonUpdate) -> SeasonInfo:
        """Change name or days; refused if it then overlaps another or if running matches could not follow."""

        def write(connection: Connection) -> SeasonInfo:
            before = queries.find_season(connection, season)
            after = before._replace(**fields_set(change))
            _check_started(connection, before, after)
            queries.update_season(connection, after)
            record(connection, caller, "change season", before.name, change)
            return _season_info(connection, after)

        after: SeasonInfo = await self._store.write(write, _SEASONS_LOCK)
        self._wake()
        return after

    async def delete(self, caller: Caller, season: str) -> None:
        """Delete a season that has no games."""

        def write(connection: Connection) -> None:
            found = queries.find_season(connection, season)
            queries.delete_season(connection, found)
            record(connection, caller, "remove season", found.name)

        await self._store.write(write, _SEASONS_LOCK)

    # ---------------------------------------------------------------- games and teams

    async def list_games(self, caller: Caller | None, season: str) -> list[SeasonGameInfo]:
        """The games of a season."""

        def read(connection: Connection) -> list[SeasonGameInfo]:
            games = queries.list_games(connection, queries.find_season(connection, season).id)
            return [_game_info(connection, game, caller) for game in games]

        return await self._store.read(read)

    async def list_games_of(self, caller: Caller) -> list[SeasonGameInfo]:
        """The games in which the caller is a member of a team."""

        def read(connection: Connection) -> list[SeasonGameInfo]:
            games = [_game_info(connection, game, caller) for game in queries.list_games(connection)]
            return [game for game in games if _is_member(game, caller.id)]

        return await self._store.read(read)

    async def find_game(self, caller: Caller | None, game: str) -> SeasonGameInfo:
        """One game, by id; refused if there is none."""
        return await self._store.read(
            lambda connection: _game_info(connection, queries.find_game(connection, game), caller)
        )

    async def create_game(self, caller: Caller, season: str, request: SeasonGameCreate) -> SeasonGameInfo:
        """Add a game to a season; its match is created once the season runs and the game has teams."""
        template = with_season_defaults(request.template)
        await self._factory.validate(with_team_seats(template, request.teams))

        def write(connection: Connection) -> SeasonGameInfo:
            _check_seed(connection, template, request.teams)
            found = queries.find_season(connection, season)
            game = queries.insert_game(connection, found, request.name, template, request.teams)
            record(connection, caller, "create season game", request.name, request)
            return _game_info(connection, game, caller)

        game: SeasonGameInfo = await self._store.write(write)
        self._wake()
        return game

    async def update_game(self, caller: Caller, game: str, change: SeasonGameUpdate) -> SeasonGameInfo:
        """Change a game; once its match exists, only its name and its clock, which the match takes over."""
        before = await self._store.read(partial(queries.find_game, game=game))
        after = _apply_game_update(before, change)
        if after.template != before.template:
            teams = await self._store.read(partial(queries.teams_of, game=game))
            await self._factory.validate(with_team_seats(after.template, teams))

        def write(connection: Connection) -> SeasonGameInfo:
            found = queries.find_game(connection, game)
            if found.match != before.match:
                raise Refused("started", "match_made_meanwhile", game=found.name)
            updated = _apply_game_update(found, change)
            _check_seed(connection, updated.template, queries.teams_of(connection, game))
            queries.update_game(connection, updated)
            record(connection, caller, "change season game", updated.name, change)
            return _game_info(connection, updated, caller)

        if before.match is not None and after.template.clock != before.template.clock:
            return await self._service.set_clock(before.match, after.template.clock, write)
        info: SeasonGameInfo = await self._store.write(write)
        self._wake()
        return info

    async def delete_game(self, caller: Caller, game: str) -> None:
        """Delete a game and its teams, while it has no match."""

        def write(connection: Connection) -> None:
            found = queries.find_game(connection, game)
            if found.match is not None and match_queries.find(connection, found.match) is not None:
                raise Refused("started", "season_game_has_match", game=found.name)
            queries.delete_game(connection, found)
            record(connection, caller, "remove season game", found.name)

        await self._store.write(write)

    async def set_teams(self, caller: Caller, game: str, teams: list[Team]) -> SeasonGameInfo:
        """Replace the teams of a game; a running match takes them over with its next job run."""
        before = await self._store.read(partial(queries.find_game, game=game))
        if before.match is None and teams:
            await self._factory.validate(with_team_seats(before.template, teams))

        def write(connection: Connection) -> SeasonGameInfo:
            found = queries.find_game(connection, game)
            if found.match is not None and len(teams) != len(queries.teams_of(connection, game)):
                raise Refused("started", "team_count_stays")
            _check_seed(connection, found.template, teams)
            queries.set_teams(connection, found, teams)
            if found.match is not None:
                match_queries.set_team_names(connection, found.match, [team.name for team in teams])
            record(connection, caller, "set teams", found.name, teams)
            return _game_info(connection, found, caller)

        info: SeasonGameInfo = await self._store.write(write)
        self._wake()
        return info

    # ---------------------------------------------------------------- jobs

    async def list_jobs(self, match: str | None, limit: int) -> list[JobRun]:
        """Finished jobs, the latest first."""
        return await self._store.read(partial(job_queries.list_jobs, match=match, limit=limit))

    async def run_job(self, caller: Caller, request: JobRequest) -> JobRun:
        """Run a manual job of a season's match now."""
        key = await self._matches.run_job_now(request.match, request.name)
        job = await self._store.read(partial(job_queries.find_job, match=request.match, key=key))
        if job is None:
            raise Refused("not_done", "job_not_done")
        await self._store.write(lambda connection: record(connection, caller, "run job", request.match, request))
        return job


def _check_started(connection: Connection, before: Season, after: Season) -> None:
    """Refuse days that the running matches of the season could not follow."""
    started = any(game.match is not None for game in queries.list_games(connection, before.id))
    today = datetime.datetime.now(datetime.UTC).date()
    if started and after.start != before.start:
        raise Refused("started", "season_first_day", season=before.name)
    if started and after.end < min(before.end, today):
        raise Refused("started", "season_last_day", season=before.name)


def _apply_game_update(game: SeasonGame, change: SeasonGameUpdate) -> SeasonGame:
    """The changed game; refused if its match exists and could not follow."""
    changes = fields_set(change)
    template = game.template
    if isinstance(change.template, MatchCreate):
        template = with_season_defaults(change.template)
        if game.match is not None and msgspec.structs.replace(template, clock=game.template.clock) != game.template:
            raise Refused("started", "only_clock", game=game.name)
    return game._replace(name=changes.get("name", game.name), template=apply_patch(template, change))


def _check_seed(connection: Connection, template: MatchCreate, teams: Sequence[Team]) -> None:
    """Refuse members who can read the seed that the template sets."""
    for team in teams:
        for member in team.members:
            check_template_seed(find_account(connection, member.account), template.seed)


def with_season_defaults(template: MatchCreate) -> MatchCreate:
    """The template with the rules and the turn length of a season, where it sets none of its own."""
    kind = find_kind(template.game)
    hooks = kind.season_hooks
    if hooks is None:
        played = ", ".join(name for name in game_names() if find_kind(name).season_hooks)
        raise Refused("bad_request", "game_without_seasons", game=template.game, games=played)
    has_rules = template.rules is not None or kind.config_type.preset_field in template.config
    has_clock = template.clock is not DEFAULT_CLOCK
    rules = template.rules if has_rules else hooks.rules
    clock = template.clock if has_clock else Every(hooks.turn_length(template.config), early=False)
    seats = template.seats or [SeatRequest()]
    return MatchCreate(**{**msgspec.structs.asdict(template), "rules": rules, "clock": clock, "seats": seats})


def _is_member(game: SeasonGameInfo, account: str) -> bool:
    return any(member.account == account for team in game.teams for member in team.members)


def _season_info(connection: Connection, season: Season) -> SeasonInfo:
    today = datetime.datetime.now(datetime.UTC).date()
    games = [game.id for game in queries.list_games(connection, season.id)]
    return SeasonInfo(season.id, season.name, season.start, season.end, season.includes(today), games)


def _game_info(connection: Connection, game: SeasonGame, caller: Caller | None) -> SeasonGameInfo:
    """A game of a season as the caller may see it."""
    teams = queries.teams_of(connection, game.id)
    names = {member.account: member.name for member in queries.members_of(connection, game.id)}
    template = redact_template(caller, game.template)
    return SeasonGameInfo(game.id, game.season.id, game.name, template, game.match, teams, names, list(game.notes))
