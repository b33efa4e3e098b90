"""The worker processes in which built-in bots play."""

import asyncio
import zlib
from typing import Final

from marchland.match import Match
from marchland.processors import count_processors
from marchland.server.matches.worker_process import WorkerProcess

_LARGE_MATCH: Final = 100_000
"""Cells times seats from which a match counts as large."""
_NICENESS: Final = 10
"""Of the workers for large matches: their bots may be late, the server and other matches may not."""


class BotPool:
    """One worker for each processor, and half as many for large matches; a worker starts with its first match."""

    def __init__(self, processors: int | None = None) -> None:
        count = processors or count_processors()
        self._ordinary = [WorkerProcess(f"bots {number}") for number in range(count)]
        self._large = [WorkerProcess(f"large bots {number}", _NICENESS) for number in range(max(1, count // 2))]

    def worker_of(self, match: Match) -> WorkerProcess:
        """The worker of a match, always the same while the match has as many seats."""
        is_large = match.game.board.size * len(match.seats) > _LARGE_MATCH
        workers = self._large if is_large else self._ordinary
        return workers[zlib.crc32(match.id.encode()) % len(workers)]

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        return [worker.pid for worker in (*self._ordinary, *self._large) if worker.pid is not None]

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.close() for worker in (*self._ordinary, *self._large)))
