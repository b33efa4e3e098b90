"""Seats of the games' built-in bots: worker processes play them on replicas of their matches.

The server builds no view for a bot. It sends a match's snapshot once, then the entries of its log, and asks for the
orders of all seats in one message. A match has at most one question under way; what happens meanwhile waits here as
entries, and if they become too many, the next question has a new snapshot instead.
"""

import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from marchland.arena.worker import BotSeat, Forget, Play, Response
from marchland.errors import StorageUnavailable
from marchland.match import Entry, Match
from marchland.server.matches.bot_pool import BotPool
from marchland.server.matches.worker_process import WorkerLostError

_MAX_ENTRIES: Final = 64
"""Entries that wait for a slow worker."""
_MAX_ATTEMPTS: Final = 3
"""Workers that may be lost over one turn before its bots give no orders."""

log = logging.getLogger(__name__)

Spawn = Callable[[Coroutine[Any, Any, Any]], None]


class BuiltinBots:
    """The bots of all matches that this node runs."""

    def __init__(self, spawn: Spawn) -> None:
        self._spawn = spawn
        self.pool = BotPool()
        self._matches: dict[str, MatchBots] = {}

    def __len__(self) -> int:
        return len(self._matches)

    def ask(self, match: Match) -> None:
        """Follow a match after it was loaded or has appended an entry; ask its bots once in each turn."""
        if not any(seat.kind == "builtin" for seat in match.seats):
            return
        bots = self._matches.get(match.id)
        if bots is None or bots.match is not match:
            bots = self._matches[match.id] = MatchBots(match, self.pool)
        bots.note_entry(match.last_entry)
        if not bots.is_asking:
            bots.is_asking = True
            self._spawn(bots.ask())

    def release(self, match: Match) -> None:
        """Discard the bots of a match that this node no longer runs."""
        bots = self._matches.get(match.id)
        if bots is not None and bots.match is match:
            del self._matches[match.id]
            bots.release()

    async def close(self) -> None:
        """End the worker processes."""
        await self.pool.close()


class MatchBots:
    """The bots of one match, and what its replica in a worker process has."""

    def __init__(self, match: Match, pool: BotPool) -> None:
        self.match = match
        self.is_asking = False
        self._pool = pool
        self._worker = pool.worker_of(match)
        self._generation = 0
        """The start of the worker that has the replica; 0 if none has it."""
        self._next_index = -1
        """The entry that the replica needs next, after those that wait; -1 if it needs a snapshot."""
        self._entries: list[Entry] = []
        self._asked_turn = -1
        self._attempts = 0
        self._is_released = False

    def note_entry(self, entry: Entry | None) -> None:
        """Queue an entry for the replica; a gap, or too many entries, make a snapshot necessary."""
        if entry is None or entry.index < self._next_index or self._next_index < 0:
            return
        if entry.index > self._next_index or len(self._entries) >= _MAX_ENTRIES:
            self._lose_replica()
            return
        self._entries.append(entry)
        self._next_index += 1

    async def ask(self) -> None:
        """Ask for orders, turn after turn, until the bots have nothing to do; a slow bot misses turns."""
        try:
            while (turn := self._turn_to_play()) is not None:
                await self._ask(turn, self._seats_to_play())
        except StorageUnavailable:
            log.info("bots wait until their match is loaded again", extra={"match": self.match.id})
        finally:
            self.is_asking = False

    def release(self) -> None:
        """Let the worker drop the replica."""
        self._is_released = True
        self._worker.send(Forget(self.match.id))

    def _turn_to_play(self) -> int | None:
        match, turn = self.match, self.match.logged_turn
        if self._is_released or match.is_over or match.is_closed or not self._seats_to_play():
            return None
        if turn != match.open_turn or turn <= self._asked_turn:  # being played, or played by these bots already
            return None
        return turn

    def _seats_to_play(self) -> list[BotSeat]:
        expected = self.match.expects_orders
        seats = self.match.seats
        return [BotSeat(seat.seat, seat.bot) for seat in seats if seat.kind == "builtin" and expected(seat.seat)]

    async def _ask(self, turn: int, seats: Sequence[BotSeat]) -> None:
        try:
            response = await self._play(turn, seats)
        except WorkerLostError:
            self._lose_replica()
            self._attempts += 1
            if self._attempts < _MAX_ATTEMPTS or self._is_released:
                return
            log.error("bots give no orders: their worker was lost", extra={"match": self.match.id, "turn": turn})
            response = Response(-1)
        if response is None:
            return
        self._attempts, self._asked_turn = 0, turn
        for place in seats:
            self.match.set_bot_orders(place.seat, response.orders.get(place.seat, []), turn)

    async def _play(self, turn: int, seats: Sequence[BotSeat]) -> Response | None:
        """The bots' orders; None if the turn ended before the question, or the replica must be sent again."""
        generation = await self._worker.start()
        self.note_entry(self.match.last_entry)
        snapshot = b""
        if self._next_index != self.match.next_index or generation != self._generation:
            self._lose_replica()
            self._next_index, snapshot = await self.match.snapshot()
        if self._is_released or self.match.logged_turn != turn or self.match.open_turn != turn:
            if snapshot:
                self._lose_replica()
            return None
        entries, self._entries = self._entries, []
        self._generation = generation

        def make_request(number: int) -> Play:
            return Play(number, self.match.id, turn, list(seats), entries, snapshot)

        response = await self._worker.ask(make_request, generation)
        if response.problem:
            log.error("a replica was lost", extra={"match": self.match.id, "problem": response.problem})
            raise WorkerLostError(response.problem)
        return response

    def _lose_replica(self) -> None:
        self._next_index = -1
        self._entries.clear()
