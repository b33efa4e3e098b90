"""The matches of seasons: created when the season starts, seated by their teams, with their jobs run on time."""

import asyncio
import datetime
import hashlib
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection

from marchland.core.orders import HOST_PLAYER
from marchland.core.season_hooks import Item, Job, LedgerState, SeasonHooks, SeasonState, SeatedMember
from marchland.errors import Refused
from marchland.match import Match
from marchland.match.clock import next_time
from marchland.messages import AtTimes, Clock, Every, MatchCreate, SeatInfo, SeatRequest
from marchland.registry import find
from marchland.server.ledger import queries as ledger_queries
from marchland.server.ledger.item_use import ItemSpending, season_hooks_of
from marchland.server.matches import queries as match_queries
from marchland.server.matches.factory import MatchFactory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.seasons import job_queries, queries
from marchland.server.seasons.queries import SeasonGame, TeamMember
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
        seats = [SeatInfo(seat, "human", member.name, member.account) for seat, member in enumerate(members)]
        await self._factory.create_for_slot(
            match_request(game, members),
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
        if teams.key not in finished:
            await self._seat_teams(hooks, game, match, teams)
        season = season_state(game, row)
        for job in hooks.due_jobs(season, finished, _utc(now)):
            await self.run_job(hooks, match, season, job, now)
            if job.ends_turn:
                break  # later jobs need the state of the next turn
        await self._spending.reconcile(match)

    async def run_job(self, hooks: SeasonHooks, match: Match, season: SeasonState, job: Job, now: float) -> None:
        """Run a job; idempotent, because its orders enter the match under its key."""
        orders = hooks.job_orders(job.name, season, match.game, await self._ledger_state(match), _utc(now))
        done = await self._send_host_orders(match, job, orders)
        if not job.ends_turn or await self._end_turn(match, season.turn):
            await self._mark_finished(match, job, done)

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

    async def _send_host_orders(self, match: Match, job: Job, orders: Sequence[Any]) -> int:
        digest = hashlib.blake2b(job.key.encode(), digest_size=12).hexdigest()
        results = [
            await match.act(HOST_PLAYER, order, f"{job.name[:20]}/{digest}/{number}")
            for number, order in enumerate(orders)
        ]
        return sum(acted.result.ok for acted in results)

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

    async def _seat_teams(self, hooks: SeasonHooks, game: SeasonGame, match: Match, job: Job) -> None:
        members = await self._store.read(partial(queries.members_of, game=game.id))
        for member in members:
            if all(seat.account != member.account for seat in match.seats):
                await self._seat_member(match, member)
        by_account = {member.account: member for member in members}
        await self._vacate(match, set(by_account))
        seated = [
            SeatedMember(seat.seat, by_account[seat.account].team, by_account[seat.account].role)
            for seat in match.seats
            if seat.account in by_account
        ]
        done = await self._send_host_orders(match, job, hooks.team_orders(seated))
        await self._mark_finished(match, job, done)

    async def _seat_member(self, match: Match, member: TeamMember) -> None:
        """Seat a member who joined the team after the start; a returning one gets the seat of that name."""
        if member.name not in match.game.players:
            joiner = SeatInfo(0, "human", member.name, member.account)
            await match.join(joiner, lambda connection, seat: match_queries.add_seat(connection, match.id, seat))
            return
        seat = SeatInfo(match.game.players.index(member.name), "human", member.name, member.account)
        seats = [*(other for other in match.seats if other.seat != seat.seat), seat]
        await self._reseat(match, sorted(seats, key=lambda seat: seat.seat))

    async def _vacate(self, match: Match, members: set[str]) -> None:
        leaving = [seat for seat in match.seats if seat.account is not None and seat.account not in members]
        if leaving:
            empty = {seat.seat: msgspec.structs.replace(seat, kind="empty", account=None) for seat in leaving}
            await self._reseat(match, [empty.get(seat.seat, seat) for seat in match.seats])

    async def _reseat(self, match: Match, seats: Sequence[SeatInfo]) -> None:
        await self._store.write(partial(match_queries.save_seats, match=match.id, seated=seats))
        match.set_seats(seats)

    async def _ledger_state(self, match: Match) -> LedgerState:
        seats = {seat.account: seat.seat for seat in match.seats if seat.account is not None}

        def read(connection: Connection) -> LedgerState:
            items = [
                Item(item.id, seat, item.kind, item.template, item.mint, item.facts)
                for account, seat in seats.items()
                for item in ledger_queries.free_items(connection, account, match.game.name)
            ]
            stakes = ledger_queries.stakes_of(connection, list(seats))
            held = frozenset(hold.item for hold in ledger_queries.list_holds(connection))
            return LedgerState(items, {seats[account]: stake for account, stake in stakes.items()}, held)

        return await self._store.read(read)

    async def run_job_now(self, match_id: str, name: str) -> str:
        """Run a manual job; returns the key under which it is stored if it was done."""
        games = await self._store.read(queries.list_games)
        game = next((game for game in games if game.match == match_id), None)
        row = await self._store.read(partial(match_queries.find, match=match_id))
        if game is None or row is None or row.state != "running":
            raise Refused("not_found", f"No season has a running match {match_id!r}.")
        match = await self._manager.match(match_id)
        hooks = season_hooks_of(match)
        if hooks is None or name not in hooks.manual_jobs:
            have = ", ".join(hooks.manual_jobs) if hooks else "none"
            raise Refused("bad_request", f"There is no job {name!r}; there is {have}.")
        key = f"{name}/{match_id}/by hand {time.time():.3f}"
        if match.is_replica and not match.is_over:
            call = {"game": game.id, "name": name, "key": key, "turn": row.open_turn}
            await self._manager.call_owner("job", match, call)
        else:
            await self._run_manual_job(game, row, match, hooks.job(name, key))
        return key

    async def _run_job_as_owner(self, match_id: str, call: Any) -> None:
        """Owner call: run a manual job; one that ends a turn ends only the turn open at the request."""
        match = await self._manager.owned(match_id)
        game = await self._store.read(partial(queries.find_game, game=call["game"]))
        row = await self._store.read(partial(match_queries.find, match=match_id))
        hooks = season_hooks_of(match)
        assert hooks is not None
        job = hooks.job(call["name"], call["key"])
        if row is not None and (row.open_turn == call["turn"] or not job.ends_turn):
            await self._run_manual_job(game, row, match, job)

    async def _run_manual_job(self, game: SeasonGame, row: MatchRow, match: Match, job: Job) -> None:
        hooks = season_hooks_of(match)
        assert hooks is not None
        await self.run_job(hooks, match, season_state(game, row), job, time.time())


def match_request(game: SeasonGame, members: Sequence[TeamMember]) -> MatchCreate:
    """The request for the match of a season's game: a seat for every member."""
    hooks: SeasonHooks | None = find(game.template.game).season_hooks
    teams = len({member.team for member in members})
    return msgspec.structs.replace(
        game.template,
        name=game.template.name or f"{game.season.name}: {game.name}"[:80],
        seats=[SeatRequest("open", "", member.name) for member in members],
        config={**game.template.config, **(hooks.match_settings(teams) if hooks else {})},
        auto_start=False,
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
