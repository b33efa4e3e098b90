"""The matches of seasons: opened when their season starts, told of their teams, with their jobs done on time."""

import asyncio
import datetime
import hashlib
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

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
from marchland.server.seasons.queries import SeasonGame, Sitting
from marchland.server.tasks import RetryingTasks

_LOOKS, _BETWEEN_LOOKS = 200, 0.05


class SeasonMatches:
    """Looks after every match of a season: opening is one node's work, jobs are the work of a match's owner."""

    def __init__(
        self, factory: MatchFactory, manager: MatchManager, spending: ItemSpending, tasks: RetryingTasks
    ) -> None:
        self._tasks = tasks
        self._factory = factory
        self._store = factory.store
        self._manager = manager
        self._spending = spending
        manager.owner_calls.register("job", self._by_hand_here)

    async def open_due(self, now: float) -> None:
        """Open the matches of the season that is on, where there are teams; they end with it by their own job."""
        today = _moment(now).date()
        for game in await self._store.read(queries.games_of):
            if not self._factory.games.is_loaded(game.template.game):
                continue  # it opens late: as soon as its game is loaded
            if game.match is None and game.season.includes(today):
                self._tasks.start(f"season game {game.id}", partial(self._open, game))
            elif game.match is not None:
                row = await self._store.read(partial(match_queries.find, match=game.match))
                if row is not None and row.state == "lobby":
                    self._tasks.start(f"season game {game.id}", partial(self._factory.start, row.id))

    async def _open(self, game: SeasonGame) -> None:
        sitting = await self._store.read(partial(queries.sittings, game=game.id))
        if len(sitting) < find(game.template.game).least_players:
            return
        seats = [SeatInfo(seat, "human", one.name, one.account) for seat, one in enumerate(sitting)]
        await self._factory.create_for_slot(
            wish_of(game, sitting),
            f"season/{game.id}",
            lambda connection, match: queries.put(connection, game, match),
            seats,
        )

    async def tick(self, now: float) -> None:
        """Do what is due for the matches that this node runs."""
        for game in await self._store.read(queries.games_of):
            match = next((one for one in self._manager.loaded if one.id == game.match and not one.is_replica), None)
            if match is not None and not match.is_over:
                self._tasks.start(f"jobs of {match.id}", partial(self.tend, game, match, now))

    async def tend(self, game: SeasonGame, match: Match, now: float) -> None:
        """Teams, then jobs, then what is held."""
        hooks = season_hooks_of(match)
        row = await self._store.read(partial(match_queries.find, match=match.id))
        if hooks is None or row is None:
            return
        settled = await self._store.read(partial(job_queries.settled, match=match.id))
        teams = Job("teams", f"teams/{match.id}/{game.teams_version}")
        if teams.key not in settled:
            await self._seat_teams(hooks, game, match, teams)
        course = course_of(game, row)
        for job in hooks.due_jobs(course, settled, _moment(now)):
            await self.do(hooks, match, course, job, now)
            if job.ends_turn:
                break  # what follows is about the next turn, and looks at it
        await self._spending.reconcile(match)

    async def do(self, hooks: SeasonHooks, match: Match, course: SeasonState, job: Job, now: float) -> None:
        """One job: its orders go in under its key, so that to do it again after a crash changes nothing."""
        orders = hooks.job_orders(job.name, course, match.game, await self._belongings(match), _moment(now))
        done = await self._tell(match, job, orders)
        if not job.ends_turn or await self._end_turn(match, course.turn):
            await self._settle(match, job, done)

    async def _end_turn(self, match: Match, turn: int) -> bool:
        """End the turn if it still is that one; whether it is over for good."""
        if match.open_turn == turn:
            match.end_turn_now()
        for _ in range(_LOOKS):
            row = await self._store.read(partial(match_queries.find, match=match.id))
            if row is None or row.open_turn > turn or row.state != "running":
                return True
            await asyncio.sleep(_BETWEEN_LOOKS)
        return False

    async def _tell(self, match: Match, job: Job, orders: Sequence[Any]) -> int:
        known = hashlib.blake2b(job.key.encode(), digest_size=12).hexdigest()
        acted = [
            await match.act(HOST_PLAYER, order, f"{job.name[:20]}/{known}/{number}")
            for number, order in enumerate(orders)
        ]
        return sum(one.result.ok for one in acted)

    async def _settle(self, match: Match, job: Job, done: int) -> None:
        await self._store.write(
            partial(job_queries.settle, match=match.id, name=job.name, key=job.key, node=self._manager.node, done=done)
        )

    async def _seat_teams(self, hooks: SeasonHooks, game: SeasonGame, match: Match, job: Job) -> None:
        sitting = await self._store.read(partial(queries.sittings, game=game.id))
        for one in sitting:
            if all(seat.account != one.account for seat in match.seats):
                await self._let_in(match, one)
        members = {one.account: one for one in sitting}
        await self._vacate(match, set(members))
        seated = [
            SeatedMember(seat.seat, members[seat.account].team, members[seat.account].role)
            for seat in match.seats
            if seat.account in members
        ]
        await self._settle(match, job, await self._tell(match, job, hooks.team_orders(seated)))

    async def _let_in(self, match: Match, one: Sitting) -> None:
        """A member who came after the start, or who comes back to the seat that has his name."""
        if one.name not in match.game.players:
            joiner = SeatInfo(0, "human", one.name, one.account)
            await match.join(joiner, lambda connection, seat: match_queries.add_seat(connection, match.id, seat))
            return
        seat = SeatInfo(match.game.players.index(one.name), "human", one.name, one.account)
        seats = [*(other for other in match.seats if other.seat != seat.seat), seat]
        await self._reseat(match, sorted(seats, key=lambda seat: seat.seat))

    async def _vacate(self, match: Match, members: set[str]) -> None:
        left = [seat for seat in match.seats if seat.account is not None and seat.account not in members]
        if left:
            gone = {seat.seat: msgspec.structs.replace(seat, kind="empty", account=None) for seat in left}
            await self._reseat(match, [gone.get(seat.seat, seat) for seat in match.seats])

    async def _reseat(self, match: Match, seats: Sequence[SeatInfo]) -> None:
        await self._store.write(partial(match_queries.save_seats, match=match.id, seated=seats))
        match.set_seats(seats)

    async def _belongings(self, match: Match) -> LedgerState:
        seats = {seat.account: seat.seat for seat in match.seats if seat.account is not None}

        def work(connection: Any) -> LedgerState:
            items = [
                Item(one.id, seat, one.kind, one.template, one.mint, one.facts)
                for account, seat in seats.items()
                for one in ledger_queries.free_items(connection, account, match.game.name)
            ]
            stakes = ledger_queries.stakes(connection, list(seats))
            held = frozenset(one.item for one in ledger_queries.held(connection))
            return LedgerState(items, {seats[account]: stake for account, stake in stakes.items()}, held)

        return await self._store.read(work)

    async def by_hand(self, match_id: str, name: str) -> str:
        """Do a job now because an organiser says so; the key under which it is written down, if it was done."""
        games = await self._store.read(queries.games_of)
        game = next((one for one in games if one.match == match_id), None)
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
            asked = {"game": game.id, "name": name, "key": key, "turn": row.open_turn}
            await self._manager.call_owner("job", match, asked)
        else:
            await self._do_by_hand(game, row, match, hooks.job(name, key))
        return key

    async def _by_hand_here(self, match_id: str, asked: Any) -> None:
        """A job that another node was asked for; one that ends a turn ends the turn that was meant."""
        match = await self._manager.owned(match_id)
        game = await self._store.read(partial(queries.game, game=asked["game"]))
        row = await self._store.read(partial(match_queries.find, match=match_id))
        hooks = season_hooks_of(match)
        assert hooks is not None
        job = hooks.job(asked["name"], asked["key"])
        if row is not None and (row.open_turn == asked["turn"] or not job.ends_turn):
            await self._do_by_hand(game, row, match, job)

    async def _do_by_hand(self, game: SeasonGame, row: MatchRow, match: Match, job: Job) -> None:
        hooks = season_hooks_of(match)
        assert hooks is not None
        await self.do(hooks, match, course_of(game, row), job, time.time())


def wish_of(game: SeasonGame, sitting: Sequence[Sitting]) -> MatchCreate:
    """The match of a season's game: a seat for every member."""
    hooks: SeasonHooks | None = find(game.template.game).season_hooks
    teams = len({one.team for one in sitting})
    return msgspec.structs.replace(
        game.template,
        name=game.template.name or f"{game.season.name}: {game.name}"[:80],
        seats=[SeatRequest("open", "", one.name) for one in sitting],
        config={**game.template.config, **(hooks.match_settings(teams) if hooks else {})},
        auto_start=False,
    )


def course_of(game: SeasonGame, row: MatchRow) -> SeasonState:
    """How a match stands by what is kept of it: also after a restart its turn ends when it should have."""
    began, length = turn_times(row.clock, row.closes, row.started or row.created)
    season = game.season
    since = _moment(row.started or row.created).date()
    return SeasonState(row.id, season.name, season.start, season.end, since, row.open_turn, began, length, row.config)


def turn_times(clock: Clock, closes: float | None, started: float) -> tuple[datetime.datetime | None, float]:
    """When the open turn began and how long it is; the first turn's end is kept nowhere."""
    if isinstance(clock, Every):
        ends = started + clock.seconds if closes is None else closes
        return _moment(ends - clock.seconds), clock.seconds
    if isinstance(clock, AtTimes):
        ends_at = next_time(clock.times, _moment(started)) if closes is None else _moment(closes)
        before = next_time(clock.times, ends_at - datetime.timedelta(days=1, seconds=1))
        while (later := next_time(clock.times, before)) < ends_at:
            before = later
        began = max(before, _moment(started))
        return began, (ends_at - began).total_seconds()
    return None, 0.0


def _moment(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
