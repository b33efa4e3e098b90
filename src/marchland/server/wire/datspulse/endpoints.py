"""What teams ask for on one base."""

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
from marchland.server.wire.datspulse.match_view import Table
from marchland.server.wire.datspulse.match_views import Tables
from marchland.server.wire.datspulse.schedule import GAME, Playing, Schedule

_NO_ORDERS = (b"", b"null", b"{}", b"[]")
_EMPTY_MOVE = EMPTY_ARENA[:-1] + b',"errors":[]}'


class Moves(msgspec.Struct):
    """The body of a move."""

    moves: list[Move] | None = None


class Desk:
    """Test or final rounds: registration, arena, moves, log and schedule."""

    def __init__(self, manager: MatchManager, tables: Tables, kind: str) -> None:
        self._store = manager.store
        self._most_moves = manager.settings.orders_limit
        self._tables = tables
        self._kind = kind
        self._schedule = Schedule(manager.store, kind)

    async def arena(self, caller: Caller, body: bytes) -> bytes:
        """``GET /api/arena``."""
        table, seat = await self._place(caller)
        return EMPTY_ARENA if table is None else await table.arena(seat)

    async def move(self, caller: Caller, body: bytes) -> bytes:
        """``POST /api/move``; an empty body is no orders."""
        moves = _moves(body)
        if len(moves) > self._most_moves:
            raise errors.too_many_moves(self._most_moves)
        table, seat = await self._place(caller)
        if table is None:
            return _EMPTY_MOVE
        try:
            return await table.move(seat, moves)
        except Refused as problem:
            if problem.error != "over":
                raise
        raise await self._why_not()

    async def register(self, caller: Caller, body: bytes) -> bytes:
        """``POST /api/register``, whatever the body is."""
        playing = await self._mine(caller) or await self._entered(caller)
        table = await self._table(playing)
        seat = None if table is None else table.seat_of(caller.id)
        left = 0 if table is not None else max(1, math.ceil(playing.run.starts - time.time()))
        return msgspec.json.encode(
            {
                "lobbyEndsIn": left,
                "name": playing.teams[caller.id],
                "nextTurn": 0.0 if table is None or seat is None else round(await table.next_turn_in(seat), 3),
                "realm": playing.realm,
            }
        )

    async def logs(self, caller: Caller, body: bytes) -> bytes:
        """``GET /api/logs``: of the round that the team plays, else of the last that it played."""
        playing = self._schedule.known(caller.id) or await self._mine(caller)
        match = playing.run.match if playing is not None else None
        if playing is None:
            match = await self._store.read(
                lambda connection: round_queries.last_match(connection, self._kind, GAME, caller.id)
            )
            if match is None:
                raise await self._why_not()
        table = None if match is None else await self._tables.find(match)
        seat = None if table is None else table.seat_of(caller.id)
        return b"[]" if table is None or seat is None else await table.chronicle.lines(seat)

    async def rounds(self, caller: Caller, body: bytes) -> bytes:
        """``GET /api/rounds``."""
        return await self._schedule.listed()

    async def _place(self, caller: Caller) -> tuple[Table | None, int]:
        """Where the caller plays; no table as long as there is no turn 1."""
        playing = self._schedule.known(caller.id)
        table = None if playing is None or playing.run.match is None else await self._table(playing)
        if table is None or table.match.is_over:
            playing = await self._mine(caller)
            if playing is None:
                raise await self._why_not()
            table = await self._table(playing)
        if table is None:
            return None, 0
        seat = table.seat_of(caller.id)
        if seat is None:  # got up, through our own API
            raise errors.not_registered(playing.realm if playing else "")
        return table, seat

    async def _mine(self, caller: Caller) -> Playing | None:
        """The round that is on for the caller; who seems to have none is looked for again."""
        for fresh in (False, True):
            for playing in await self._schedule.on(fresh=fresh):
                if caller.id in playing.teams and not await self._is_over(playing):
                    return playing
        return None

    async def _why_not(self) -> errors.Refusal:
        for playing in await self._schedule.on():
            if not await self._is_over(playing):
                return errors.not_registered(playing.realm)
        return errors.nothing_on(await self._schedule.coming())

    async def _entered(self, caller: Caller) -> Playing:
        """The caller, who is new, in a lobby that is open."""
        late: Playing | None = None
        for playing in await self._schedule.on(fresh=True):
            if playing.run.state != "lobby" or time.time() >= playing.run.starts:
                late = late or (None if await self._is_over(playing) else playing)
                continue
            wanted, row = Entrant(caller.id, caller.account.name), playing.row
            told = await self._store.write(lambda connection: register(connection, row, wanted), lock_of(row))  # noqa: B023
            self._schedule.forget()
            return playing._replace(teams={**playing.teams, caller.id: told.name})
        if late is not None:
            raise errors.lobby_ended(late.realm, await self._schedule.coming())
        raise errors.nothing_on(await self._schedule.coming())

    async def _is_over(self, playing: Playing) -> bool:
        table = await self._table(playing)
        return table is not None and table.match.is_over

    async def _table(self, playing: Playing) -> Table | None:
        """The match of a round; None before turn 1 exists."""
        if playing.run.match is None:
            return None
        try:
            return await self._tables.find(playing.run.match)
        except Refused as problem:
            if problem.error in ("not_started", "not_found"):
                return None
            raise


def _moves(body: bytes) -> Sequence[Move]:
    if body.strip() in _NO_ORDERS:
        return ()
    try:
        return msgspec.json.decode(body, type=Moves).moves or ()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise errors.bad_body(str(problem)) from None
