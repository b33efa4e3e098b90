"""What the wire derives from running matches: each team's arena, encoded once a turn, and its log."""

import asyncio
import contextlib
import itertools
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.errors import Refused, StorageUnavailable
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.log import Log
from marchland.games.datspulse.wire import EMPTY_ARENA, Arenas, Judged, Move, judge, move_bytes, ways_of
from marchland.match import Match, MatchReloading, Post, TooLate
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire.datspulse.team_log import TeamLog, add_turn, create_log
from marchland.server.wire.match_fold import MatchFold
from marchland.store import Database
from marchland.store.match_log import OpenTurn, open_turn

Ways = Mapping[int, int]

_TIME = b'"nextTurnIn":'
_MAX_TRIES = 5  # turns that may end before a post is accepted
_TURN_TIMEOUT = 10.0  # seconds to wait for the end of a turn that is being closed
_ARENA_TIMEOUT = 5.0  # seconds after which an arena is answered as it was before the turn
_FINISHED_LIMIT = 4  # finished matches whose logs stay in memory

_KEYS = secrets.token_hex(8)
"""What the idempotency keys of this process begin with; a number follows."""
_numbers = itertools.count()


class EncodedArena(NamedTuple):
    """A team's arena of one turn, split at the seconds that are left of the turn."""

    turn: int
    posts: int
    before: bytes
    after: bytes

    def at(self, next_turn_in: float) -> bytes:
        """The response with that many seconds left."""
        return self.before + msgspec.json.encode(round(next_turn_in, 3)) + self.after


class MatchView:
    """Caches for one match in memory; all of it can be rebuilt from the database."""

    def __init__(self, store: Database, match: Match, log: MatchFold[Log]) -> None:
        self.match = match
        self._store = store
        self.log = log
        self.team_log = TeamLog(log)
        self._encoded: dict[int, EncodedArena] = {}
        self._arenas: Arenas | None = None
        self._ways: dict[str, Ways] = {}
        """The moves of this turn's posts, by idempotency key."""
        self._turn_ended = asyncio.Event()
        self._last_seats: dict[str, int] = {}
        """Where each account had its seat when it last asked."""

    async def next_turn_in(self, seat: int) -> float:
        """Seconds that are left of the open turn."""
        return self._seconds_left(await self._open_turn(seat))

    def seat_of(self, account: str) -> int | None:
        """The seat of an account."""
        seats, known = self.match.seats, self._last_seats.get(account)
        if known is not None and seats[known].account == account:  # a final has hundreds of seats to look through
            return known
        found = next((seat.seat for seat in seats if seat.account == account), None)
        if found is not None:
            self._last_seats[account] = found
        return found

    async def arena(self, seat: int) -> bytes:
        """A team's arena, empty after the last turn. While a turn is being carried out, it waits for the next one."""
        if not self.match.is_owned():
            raise MatchReloading
        await self._wait_for_open_turn(seat)
        if self.match.is_over:
            return EMPTY_ARENA
        encoded = self._encoded.get(seat)
        if encoded is not None and encoded.turn < self.match.open_turn:
            return encoded.at(0.0)
        turn = await self._open_turn(seat)
        if encoded is None or encoded.posts != len(turn.posts):
            self._encoded[seat] = encoded = await self.match.read(lambda game: self._encode(game, seat, turn))
            if encoded.turn > turn.turn:  # the turn ended meanwhile
                turn = await self._open_turn(seat)
        return encoded.at(self._seconds_left(turn) if encoded.turn == turn.turn else 0.0)

    async def _wait_for_open_turn(self, seat: int) -> None:
        """Wait while a turn is being carried out, for a limited time: the database may not answer."""
        if not self._has_ended(await self._open_turn(seat)):
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ARENA_TIMEOUT):
                while True:
                    turn_ended = self._turn_ended
                    if not self._has_ended(await self._open_turn(seat)):
                        return
                    await turn_ended.wait()

    def _has_ended(self, turn: OpenTurn) -> bool:
        """Whether the turn that the game shows takes no more orders."""
        match = self.match
        if match.is_over or match.is_broken:
            return False
        return turn.turn > match.logged_turn or (turn.closes is not None and turn.closes <= time.time())

    async def _open_turn(self, seat: int) -> OpenTurn:
        """The open turn with a team's posts; of a replica, from the database."""
        match = self.match
        if match.is_replica:
            return await self._store.read(partial(open_turn, match=match.id, seat=seat))
        return OpenTurn(match.open_turn, match.closes, match.posts_of(seat))

    def _seconds_left(self, turn: OpenTurn) -> float:
        closes = turn.closes
        if closes is None and self.match.is_replica:  # the first turn, not in the database yet
            closes = self.match.clock.closes
        return 0.0 if closes is None or self.match.is_over else max(0.0, closes - time.time())

    def _encode(self, game: Game, seat: int, turn: OpenTurn) -> EncodedArena:
        assert isinstance(game, Datspulse)
        posts = turn.posts if turn.turn == game.turn else ()
        if self._arenas is None:
            self._arenas = Arenas(game)
        ways = _pending_ways(game, seat, posts, self._ways)
        before, _, after = self._arenas.arena(seat, 0.0, ways).rpartition(_TIME + b"0.0")
        return EncodedArena(game.turn, len(posts), before + _TIME, after)

    async def move(self, seat: int, moves: Sequence[Move]) -> bytes:
        """Post orders for the open turn; the arena with the errors."""
        key = f"{_KEYS}{next(_numbers)}"
        for _ in range(_MAX_TRIES):
            turn_ended = self._turn_ended
            turn, judged = await self.match.read(lambda game: _judge(game, seat, moves))
            self._ways[key] = judged.ways
            try:
                await self.match.post(seat, judged.orders, key, turn=turn)
            except TooLate:  # the turn ended meanwhile: post to the next
                await _wait_for(turn_ended)
                continue
            except Refused:
                self._ways.pop(key, None)
                raise
            return move_bytes(await self.arena(seat), judged.errors)
        raise StorageUnavailable("Turns end faster than orders can be stored.")

    def on_turn(self, report: Report) -> None:
        """Drop what was encoded for the turn before."""
        self._encoded.clear()
        self._arenas = None
        self._ways.clear()
        self._turn_ended.set()
        self._turn_ended = asyncio.Event()
        self.log.add_turn(report)


def _pending_ways(game: Datspulse, seat: int, posts: Sequence[Post], judged: Mapping[str, Ways]) -> Ways:
    """The moves of a team's ants this turn; a later post replaces those of the ants that it names."""
    found: dict[int, int] = {}
    for post in posts:
        known = judged.get(post.key)
        found |= ways_of(game, seat, post.orders) if known is None else known
    return found


def _judge(game: Game, seat: int, moves: Sequence[Move]) -> tuple[int, Judged]:
    assert isinstance(game, Datspulse)
    return game.turn, judge(game, seat, moves)


async def _wait_for(turn_ended: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(_TURN_TIMEOUT):
            await turn_ended.wait()
    except TimeoutError:
        raise StorageUnavailable("The turn does not end.") from None


class MatchViews:
    """The views of the matches that teams play on this wire."""

    def __init__(self, manager: MatchManager, service: MatchService) -> None:
        self._manager = manager
        self._service = service
        self._views: OrderedDict[str, MatchView] = OrderedDict()

    async def find(self, id: str) -> MatchView:
        """The view of a match that has started."""
        match = await self._manager.match(id)
        view = self._views.get(id)
        if view is None or view.match is not match:  # first request, or the match was loaded again
            self._views[id] = view = self._create(match)
            await view.log.begin()
        return view

    def _create(self, match: Match) -> MatchView:
        finished = [view.match.id for view in self._views.values() if view.match.is_over]
        for old in finished[:-_FINISHED_LIMIT]:
            del self._views[old]
        return MatchView(
            self._manager.store, match, MatchFold(self._manager, self._service, match, create_log, add_turn)
        )

    def on_turn(self, match: Match, report: Report) -> None:
        """Called after each turn of each match."""
        view = self._views.get(match.id)
        if view is not None and view.match is match:
            view.on_turn(report)
