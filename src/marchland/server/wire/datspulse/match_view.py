"""One running match: the arena of each team, encoded once a turn, and every team's log."""

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.errors import Refused, StorageUnavailable
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.log import Log
from marchland.games.datspulse.wire import Arenas, Judged, Move, judge, move_bytes, ways_of
from marchland.match import Match, MatchReloading, Post, TooLate
from marchland.server.wire.datspulse.team_log import Chronicle
from marchland.server.wire.match_fold import MatchFold
from marchland.store import Store
from marchland.store.match_log import OpenTurn, open_turn

Ways = Mapping[int, int]

_TIME = b'"nextTurnIn":'
_TRIES = 5  # turns that may end while orders are on their way
_LONGEST_TURN = 10.0  # seconds after which a turn that should have ended is not waited for any more


class Drawn(NamedTuple):
    """A team's arena of one turn, around the time that is left of it."""

    turn: int
    posts: int
    before: bytes
    after: bytes

    def at(self, next_turn_in: float) -> bytes:
        """The answer now."""
        return self.before + msgspec.json.encode(round(next_turn_in, 3)) + self.after


class Table:
    """What the wire keeps of a match that is in memory; all of it can be made again from what is stored."""

    def __init__(self, store: Store, match: Match, log: MatchFold[Log]) -> None:
        self.match = match
        self._store = store
        self.log = log
        self.chronicle = Chronicle(log)
        self._drawn: dict[int, Drawn] = {}
        self._arenas: Arenas | None = None
        self._ways: dict[str, Ways] = {}
        """By the keys of this turn's posts that came over the wire, the ways that they mean."""
        self._turned = asyncio.Event()

    async def next_turn_in(self, seat: int) -> float:
        """Seconds that are left of the open turn."""
        return self._left(await self._open_turn(seat))

    def seat_of(self, account: str) -> int | None:
        """Where an account sits."""
        return next((seat.seat for seat in self.match.seats if seat.account == account), None)

    async def arena(self, seat: int) -> bytes:
        """A team's arena. While a turn is being played, the one before is still shown, with no time left."""
        if not self.match.is_owned():
            raise MatchReloading
        drawn = self._drawn.get(seat)
        if drawn is not None and drawn.turn < self.match.open_turn:
            return drawn.at(0.0)
        turn = await self._open_turn(seat)
        if drawn is None or drawn.posts != len(turn.posts):
            self._drawn[seat] = drawn = await self.match.read(lambda game: self._draw(game, seat, turn))
            if drawn.turn > turn.turn:  # it ended while this one waited to look
                turn = await self._open_turn(seat)
        return drawn.at(self._left(turn) if drawn.turn == turn.turn else 0.0)

    async def _open_turn(self, seat: int) -> OpenTurn:
        """How the open turn stands for a team; where another node runs the match, the database knows."""
        match = self.match
        if match.is_replica:
            return await self._store.read(partial(open_turn, match=match.id, seat=seat))
        return OpenTurn(match.open_turn, match.closes, match.posts_of(seat))

    def _left(self, turn: OpenTurn) -> float:
        closes = turn.closes
        if closes is None and self.match.is_replica:  # the first turn: this node began to follow it a moment ago
            closes = self.match.clock.closes
        return 0.0 if closes is None or self.match.is_over else max(0.0, closes - time.time())

    def _draw(self, game: Game, seat: int, turn: OpenTurn) -> Drawn:
        assert isinstance(game, Datspulse)
        posts = turn.posts if turn.turn == game.turn else ()
        if self._arenas is None:
            self._arenas = Arenas(game)
        ways = pending(game, seat, posts, self._ways)
        before, _, after = self._arenas.arena(seat, 0.0, ways).rpartition(_TIME + b"0.0")
        return Drawn(game.turn, len(posts), before + _TIME, after)

    async def move(self, seat: int, moves: Sequence[Move]) -> bytes:
        """Give orders for the turn that is open; the arena with what was wrong."""
        key = secrets.token_hex(8)
        for _ in range(_TRIES):
            turned = self._turned
            turn, judged = await self.match.read(lambda game: _judged(game, seat, moves))
            self._ways[key] = judged.ways
            try:
                await self.match.post(seat, judged.orders, key, turn=turn)
            except TooLate:  # the turn ended meanwhile: whoever names no turn gets the next
                await _wait(turned)
                continue
            except Refused:
                self._ways.pop(key, None)
                raise
            return move_bytes(await self.arena(seat), judged.errors)
        raise StorageUnavailable("Turns end faster than orders can be kept.")

    def note(self, report: Report) -> None:
        """A turn was played and kept."""
        self._drawn.clear()
        self._arenas = None
        self._ways.clear()
        self._turned.set()
        self._turned = asyncio.Event()
        self.log.note(report)


def pending(game: Datspulse, seat: int, posts: Sequence[Post], judged: Mapping[str, Ways]) -> Ways:
    """The ways that a team's ants are to go: each post counts for the ants that it names."""
    found: dict[int, int] = {}
    for post in posts:
        known = judged.get(post.key)
        found |= ways_of(game, seat, post.orders) if known is None else known
    return found


def _judged(game: Game, seat: int, moves: Sequence[Move]) -> tuple[int, Judged]:
    assert isinstance(game, Datspulse)
    return game.turn, judge(game, seat, moves)


async def _wait(turned: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(_LONGEST_TURN):
            await turned.wait()
    except TimeoutError:
        raise StorageUnavailable("The turn does not end.") from None
