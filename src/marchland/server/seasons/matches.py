"""The matches of seasons: created when the season starts, seated by their teams, with their jobs run on time."""

import asyncio
import datetime
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from marchland.core.season_hooks import Job, SeasonHooks, SeasonState
from marchland.errors import Refused
from marchland.match import Match
from marchland.match.turn_clock import next_time
from marchland.messages import AtTimes, Clock, Every, MatchCreate, SeatInfo, SeatRequest
from marchland.registry import find
from marchland.server.ledger.item_use import ItemSpending, season_hooks_of
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import MatchFactory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.seasons import job_queries, queries
from marchland.server.seasons.host_orders import send_host_orders
from marchland.server.seasons.ledger_state import load_ledger_state
from marchland.server.seasons.queries import SeasonGame, TeamMember
from marchland.server.seasons.team_seats import TeamSeats
from marchland.server.tasks import RetryingTasks

_POLLS, _POLL_INTERVAL = 200, 0.05


class SeasonMatches:
    """Creates the matches of seasons, on the scheduler's leader, and runs their jobs, on each match's owner."""

    def __init__(
        self, factory: MatchFactory, manager: MatchManager, spending: ItemSpending, tasks: RetryingTasks
    ) -> None:
        self._tasks = tasks
        self._factory = factory
        self._store = factory.store
        self._manager = manager
        self._spending = spending
        self._team_seats = TeamSeats(factory.store)
        manager.owner_calls.register("job", self._run_job_as_owner)

    async def open_due(self, now: float) -> None:
        """Create the matches of the current season's games that have teams; a job ends them with the season."""
        today = _utc(now).date()
        for game in await self._store.read(queries.list_games):
            if not self._factory.games.is_loaded(game.template.game):
                continue  # it starts late, once its game is loaded
            if game.match is None and game.season.includes(today):
                self._tasks.start(f"season game {game.id}", partial(self._create_match, game))
            elif game.match is not None:
                row = await self._store.read(partial(match_queries.find, match=game.match))
                if row is not None and row.state == "lobby":
                    self._tasks.start(f"season game {game.id}", partial(self._factory.start, row.id))

    async def _create_match(self, game: SeasonGame) -> None:
        members = await self._store.read(partial(queries.members_of, game=game.id))
        if len(members) < find(game.template.game).least_players:
            return
        names = await self._store.read(partial(queries.team_names_of, game=game.id))
        seats = [SeatInfo(seat, "human", member.name, member.account) for seat, member in enumerate(members)]
        await self._factory.create_for_slot(
            match_request(game, members, names),
            f"season/{game.id}",
            lambda connection, match: queries.set_match(connection, game, match),
            seats,
        )

    async def tick(self, now: float) -> None:
        """Start a task for every running match that this node owns."""
        for game in await self._store.read(queries.list_games):
            match = next(
                (match for match in self._manager.loaded if match.id == game.match and not match.is_replica), None
            )
            if match is not None and not match.is_over:
                self._tasks.start(f"jobs of {match.id}", partial(self.run_due_jobs, game, match, now))

    async def run_due_jobs(self, game: SeasonGame, match: Match, now: float) -> None:
        """Seat changed teams, run the due jobs, then reconcile held items."""
        hooks = season_hooks_of(match)
        row = await self._store.read(partial(match_queries.find, match=match.id))
        if hooks is None or row is None:
            return
        finished = await self._store.read(partial(job_queries.finished_keys, match=match.id))
        teams = Job("teams", f"teams/{match.id}/{game.teams_version}")
        if teams.key not in finished and self._team_seats.is_due(game, match):
            await self._seat_teams(hooks, game, match, teams)
        season = season_state(game, row)
        for job in hooks.ended_turn_jobs(season, finished):
            await self._mark_finished(match, job, 0)
        for job in hooks.due_jobs(season, finished, _utc(now)):
            await self.run_job(hooks, match, season, job, now)
            if job.ends_turn:
                break  # later jobs need the state of the next turn
        await self._spending.reconcile(match)

    async def run_job(self, hooks: SeasonHooks, match: Match, season: SeasonState, job: Job, now: float) -> None:
        """Run a job; idempotent, because its orders enter the match under its key."""
        ledger = await load_ledger_state(self._store, match)
        orders = await match.read(lambda game: hooks.job_orders(job.name, season, game, ledger, _utc(now)))
        done = await send_host_orders(match, job, orders)
        if not job.ends_turn or await self._end_turn(match, season.turn):
            await self._mark_finished(match, job, done)

    async def _seat_teams(self, hooks: SeasonHooks, game: SeasonGame, match: Match, job: Job) -> None:
        seated = await self._team_seats.apply(hooks, game, match, job)
        if seated.is_complete:
            await self._mark_finished(match, job, seated.accepted)

    async def _end_turn(self, match: Match, turn: int) -> bool:
        """End the turn if it is still open; True once its end is stored."""
        if match.open_turn == turn:
            match.end_turn_now()
        for _ in range(_POLLS):
            row = await self._store.read(partial(match_queries.find, match=match.id))
            if row is None or row.open_turn > turn or row.state != "running":
                return True
            await asyncio.sleep(_POLL_INTERVAL)
        return False

    async def _mark_finished(self, match: Match, job: Job, done: int) -> None:
        await self._store.write(
            partial(
                job_queries.mark_finished,
                match=match.id,
                name=job.name,
                key=job.key,
                node=self._manager.node,
                done=done,
            )
        )

    async def run_job_now(self, match_id: str, name: str) -> str:
        """Run a manual job; returns the key under which it is stored if it was done."""
        games = await self._store.read(queries.list_games)
        game = next((game for game in games if game.match == match_id), None)
        row = await self._store.read(partial(match_queries.find, match=match_id))
        if game is None or row is None or row.state != "running":
            raise Refused("not_found", "no_season_match", match=match_id)
        match = await self._manager.match(match_id)
        hooks = season_hooks_of(match)
        if hooks is None or name not in hooks.manual_jobs:
            have = ", ".join(hooks.manual_jobs) if hooks else "none"
            raise Refused("bad_request", "no_such_job", job=name, jobs=have)
        job = hooks.manual_job(name, season_state(game, row), _utc(time.time()))
        if match.is_replica and not match.is_over:
            call = {"game": game.id, "job": job, "turn": row.open_turn}
            await self._manager.call_owner("job", match, call)
        else:
            await self._run_manual_job(game, row, match, job)
        return job.key

    async def _run_job_as_owner(self, match_id: str, call: Any) -> None:
        """Owner call: run a manual job; one that ends a turn ends only the turn open at the request."""
        match = await self._manager.require_owned(match_id)
        game = await self._store.read(partial(queries.find_game, game=call["game"]))
        row = await self._store.read(partial(match_queries.find, match=match_id))
        job = Job(*call["job"])
        if row is not None and (row.open_turn == call["turn"] or not job.ends_turn):
            await self._run_manual_job(game, row, match, job)

    async def _run_manual_job(self, game: SeasonGame, row: MatchRow, match: Match, job: Job) -> None:
        hooks = season_hooks_of(match)
        assert hooks is not None
        finished = await self._store.read(partial(job_queries.finished_keys, match=match.id))
        if job.key in finished:
            return
        if job.name == "teams":
            seated = await self._team_seats.apply(hooks, game, match, job)
            await self._mark_finished(match, job, seated.accepted)
        else:
            await self.run_job(hooks, match, season_state(game, row), job, time.time())


def match_request(game: SeasonGame, members: Sequence[TeamMember], team_names: Sequence[str]) -> MatchCreate:
    """The request for the match of a season's game: a seat for every member, the names of the teams."""
    hooks: SeasonHooks | None = find(game.template.game).season_hooks
    teams = len({member.team for member in members})
    return msgspec.structs.replace(
        game.template,
        name=game.template.name or f"{game.season.name}: {game.name}"[:80],
        seats=[SeatRequest("open", "", member.name) for member in members],
        config={**game.template.config, **(hooks.match_settings(teams) if hooks else {})},
        auto_start=False,
        team_names=[*team_names],
    )


def season_state(game: SeasonGame, row: MatchRow) -> SeasonState:
    """The state of a match by its stored row, so that a restart does not move the end of the turn."""
    began, length = turn_times(row.clock, row.closes, row.started or row.created)
    season = game.season
    since = _utc(row.started or row.created).date()
    return SeasonState(row.id, season.name, season.start, season.end, since, row.open_turn, began, length, row.config)


def turn_times(clock: Clock, closes: float | None, started: float) -> tuple[datetime.datetime | None, float]:
    """When the open turn began and how long it is; the end of the first turn is not stored."""
    if isinstance(clock, Every):
        ends = started + clock.seconds if closes is None else closes
        return _utc(ends - clock.seconds), clock.seconds
    if isinstance(clock, AtTimes):
        ends_at = next_time(clock.times, _utc(started)) if closes is None else _utc(closes)
        before = next_time(clock.times, ends_at - datetime.timedelta(days=1, seconds=1))
        while (later := next_time(clock.times, before)) < ends_at:
            before = later
        began = max(before, _utc(started))
        return began, (ends_at - began).total_seconds()
    return None, 0.0


def _utc(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
