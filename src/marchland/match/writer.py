"""Writes what a match has done to its log: one entry per input, and a snapshot from time to time."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.match.log import Closing, Entry, EntryKind, ExtraWrite, MatchLog, Post, SeatTiming, packed_bytes
from marchland.messages import ActResult

_SNAPSHOT_BUDGET = 20_000_000
"""Nanoseconds of stepping that a restart may cost."""
_LARGE_BOARD = 5_000
"""Cells from which a turn is computed in a thread."""
_MANY_ORDERS = 2_000
"""Orders from which a turn is computed in a thread: unpacking them takes some milliseconds."""
_CACHED_ANSWERS = 1_000
_threads = ThreadPoolExecutor(4, "match")
"""For turns and what readers see of them. New matches, maps and past turns are computed elsewhere, and may wait."""


class LogWriter:
    """Appends a game's inputs. The game is dirty until the append has succeeded: memory is ahead of the log."""

    def __init__(self, game: Game, log: MatchLog, next_index: int) -> None:
        self._game = game
        self._log = log
        self._since_snapshot = 0
        self._answers: OrderedDict[tuple[int, str], ActResult] = OrderedDict()
        self.next_index = next_index
        self.dirty = False

    async def append(
        self,
        kind: EntryKind,
        report: Report | None,
        extra: ExtraWrite | None = None,
        lateness: float = 0.0,
        closing: Closing | None = None,
        **fields: Any,
    ) -> Entry:
        """Make the input that the game has just applied durable, together with the close of its turn."""
        self.dirty = True
        snapshot = await run_off_loop_if_large(self._game, self._game.snapshot) if self._needs_snapshot() else None
        entry = Entry(
            index=self.next_index,
            kind=kind,
            turn=report.turn if report else self._game.turn,
            seq=self._game.seq,
            orders=packed_bytes(report.orders) if report else b"",
            digest=self._game.digest(),
            at=time.time(),
            lateness=round(lateness, 6),
            outcome=self._game.outcome,
            **fields,
        )
        await self._log.append(entry, snapshot, extra, closing)
        self.next_index += 1
        self.dirty = False
        return entry

    def _needs_snapshot(self) -> bool:
        """Whether replaying the entries since the last snapshot would make a restart slow."""
        self._since_snapshot += 10_000 + self._game.layout.size
        if self._since_snapshot <= _SNAPSHOT_BUDGET and self._game.outcome is None:
            return False
        self._since_snapshot = 0
        return True

    async def answer(self, seat: int, key: str) -> ActResult | None:
        """The response to an immediate action of this idempotency key, if it was done."""
        if (seat, key) in self._answers:
            return self._answers[seat, key]
        stored = await self._log.answer(seat, key)
        return None if stored is None else msgspec.json.decode(stored, type=ActResult)

    def cache_answer(self, seat: int, key: str, acted: ActResult) -> None:
        """Remember a response, which saves a query when the action is repeated."""
        self._answers[seat, key] = acted
        if len(self._answers) > _CACHED_ANSWERS:
            self._answers.popitem(last=False)


def runs_off_loop(game: Game, orders: int = 0) -> bool:
    """Whether turns and snapshots are computed in a thread: the board is large, or a turn has many orders."""
    return game.board.size > _LARGE_BOARD or orders > _MANY_ORDERS


async def run_off_loop_if_large(game: Game, work: Callable[..., Any], *arguments: Any) -> Any:
    """Run what takes long on a large board in a thread, otherwise at once and without suspending."""
    return await run_in_thread(work, *arguments) if runs_off_loop(game) else work(*arguments)


async def run_in_thread(work: Callable[..., Any], *arguments: Any) -> Any:
    """Run something for a match in one of the threads that are reserved for that."""
    return await asyncio.get_running_loop().run_in_executor(_threads, work, *arguments)


def seat_timings(
    expected: Sequence[bool], posts: Sequence[Post], opened: float | None, acted: Set[int] = frozenset()
) -> list[SeatTiming]:
    """For each seat: whether orders or actions were expected and missing, and the latency of its last post."""
    last = {post.seat: post.received for post in posts}
    timings = []
    for seat, is_expected in enumerate(expected):
        latency = None if opened is None or seat not in last else round(max(0.0, last[seat] - opened), 4)
        timings.append(SeatTiming(is_expected and seat not in last and seat not in acted, latency))
    return timings
