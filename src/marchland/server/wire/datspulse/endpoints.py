"""The endpoints of the protocol over the rounds of one kind."""

import math
import time
from collections.abc import Sequence

import msgspec

from marchland.errors import Refused
from marchland.games.datspulse.wire import EMPTY_ARENA, Move
from marchland.server.http.auth import Caller
from marchland.server.matches.manager import MatchManager
from marchland.server.rounds import queries as round_queries
from marchland.server.rounds.queries import Entrant
from marchland.server.rounds.registration import register
from marchland.server.rounds.service import lock_of
from marchland.server.wire.datspulse import errors
from marchland.server.wire.datspulse.match_view import MatchView, MatchViews
from marchland.server.wire.datspulse.schedule import GAME, ActiveRun, Schedule

_NO_ORDERS = (b"", b"null", b"{}", b"[]")
_EMPTY_MOVE = EMPTY_ARENA[:-1] + b',"errors":[]}'


class Moves(msgspec.Struct):
    """The body of a move."""

    moves: list[Move] | None = None


class Endpoints:
    """Registration, arena, moves, log and schedule of test or final rounds."""

    def __init__(self, manager: MatchManager, views: MatchViews, kind: str) -> None:
        self._store = manager.store
        self._max_moves = manager.settings.orders_limit
        self._views = views
        self._kind = kind
        self._schedule = Schedule(manager.store, kind)

    async def arena(self, caller: Caller, body: bytes) -> bytes:
        """``GET /api/arena``."""
        view, seat = await self._find_team(caller)
        return EMPTY_ARENA if view is None else await view.arena(seat)

    async def move(self, caller: Caller, body: bytes) -> bytes:
        """``POST /api/move``; an empty body is no orders."""
        moves = _parse_moves(body)
        if len(moves) > self._max_moves:
            raise errors.too_many_moves(self._max_moves)
        view, seat = await self._find_team(caller)
        if view is None:
            return _EMPTY_MOVE
        try:
            return await view.move(seat, moves)
        except Refused as problem:
            if problem.error != "over":
                raise
        return _EMPTY_MOVE

    async def register(self, caller: Caller, body: bytes) -> bytes:
        """``POST /api/register``; the body is ignored."""
        active = await self._current_run(caller) or await self._register(caller)
        view = await self._view(active.run.match)
        seat = None if view is None else view.seat_of(caller.id)
        left = 0 if view is not None else max(1, math.ceil(active.run.starts - time.time()))
        return msgspec.json.encode(
            {
                "lobbyEndsIn": left,
                "name": active.teams[caller.id],
                "nextTurn": 0.0 if view is None or seat is None else round(await view.next_turn_in(seat), 3),
                "realm": active.realm,
            }
        )

    async def logs(self, caller: Caller, body: bytes) -> bytes:
        """``GET /api/logs``: of the round that the team plays, else of the last that it played."""
        active = self._schedule.cached_run(caller.id) or await self._current_run(caller)
        match = active.run.match if active is not None else None
        if active is None:
            match = await self._store.read(
                lambda connection: round_queries.last_match(connection, self._kind, GAME, caller.id)
            )
            if match is None:
                raise await self._refusal()
        view = await self._view(match)
        seat = None if view is None else view.seat_of(caller.id)
        return b"[]" if view is None or seat is None else await view.team_log.lines(seat)

    async def rounds(self, caller: Caller, body: bytes) -> bytes:
        """``GET /api/rounds``."""
        return await self._schedule.encode()

    async def _find_team(self, caller: Caller) -> tuple[MatchView | None, int]:
        """The match and seat of the caller; no match before turn 1 and after the last turn (ruling 24)."""
        active = self._schedule.cached_run(caller.id)
        view = None if active is None else await self._view(active.run.match)
        if view is None or view.match.is_over:
            active = await self._current_run(caller)
            if active is None:
                if await self._is_in_break(caller):
                    return None, 0
                raise await self._refusal()
            view = await self._view(active.run.match)
        if view is None:
            return None, 0
        seat = view.seat_of(caller.id)
        if seat is None:  # the team left the match through our own API
            raise errors.not_registered(active.realm if active else "")
        return view, seat

    async def _current_run(self, caller: Caller) -> ActiveRun | None:
        """The caller's active run; without one in the cache, from the database."""
        for fresh in (False, True):
            for active in await self._schedule.active_runs(fresh=fresh):
                if caller.id in active.teams and not await self._is_over(active):
                    return active
        return None

    async def _is_in_break(self, caller: Caller) -> bool:
        """Whether the caller's round has ended and no other lobby has opened since."""
        has_played = False
        for active in await self._schedule.active_runs():
            if not await self._is_over(active):
                return False
            has_played = has_played or caller.id in active.teams
        return has_played or await self._schedule.played_last(caller.id)

    async def _refusal(self) -> errors.Refusal:
        for active in await self._schedule.active_runs():
            if not await self._is_over(active):
                return errors.not_registered(active.realm)
        return errors.no_active_round(await self._schedule.upcoming_rounds())

    async def _register(self, caller: Caller) -> ActiveRun:
        """Register a new team in the first open lobby."""
        late: ActiveRun | None = None
        for active in await self._schedule.active_runs(fresh=True):
            if active.run.state != "lobby" or time.time() >= active.run.starts:
                late = late or (None if await self._is_over(active) else active)
                continue
            entrant, row = Entrant(caller.id, caller.account.name), active.row
            try:
                registered = await self._store.write(
                    lambda connection: register(connection, row, entrant),  # noqa: B023
                    lock_of(row),
                )
            except Refused as problem:
                if problem.error != "lobby_closed":
                    raise
                late = late or active  # the lobby ended meanwhile
                continue
            self._schedule.invalidate()
            return active._replace(teams={**active.teams, caller.id: registered.name})
        if late is not None:
            raise errors.lobby_ended(late.realm, await self._schedule.upcoming_rounds())
        raise errors.no_active_round(await self._schedule.upcoming_rounds())

    async def _is_over(self, active: ActiveRun) -> bool:
        view = await self._view(active.run.match)
        return view is not None and view.match.is_over

    async def _view(self, match: str | None) -> MatchView | None:
        """The match of a round; None before turn 1 exists."""
        if match is None:
            return None
        try:
            return await self._views.find(match)
        except Refused as problem:
            if problem.error in ("not_started", "not_found"):
                return None
            raise


def _parse_moves(body: bytes) -> Sequence[Move]:
    if body.strip() in _NO_ORDERS:
        return ()
    try:
        return msgspec.json.decode(body, type=Moves).moves or ()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise errors.bad_request(str(problem)) from None
