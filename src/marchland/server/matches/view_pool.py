"""The worker processes that encode views of large boards."""

import asyncio
from typing import Final

from marchland.arena.worker import EncodeView
from marchland.processors import count_processors
from marchland.server.http.rate_limit import RateLimited
from marchland.server.matches.worker_process import WorkerLostError, WorkerProcess

_NICENESS: Final = 10
_RETRY: Final = 5.0
"""Seconds after which a reader may ask again."""
_MAX_UNANSWERED: Final = 32
"""Views that may wait; each has a snapshot of its match."""


class ViewPool:
    """Half as many workers as processors, started when the first large view is asked for."""

    def __init__(self, processors: int | None = None) -> None:
        count = max(1, (processors or count_processors()) // 2)
        self._workers = [WorkerProcess(f"views {number}", _NICENESS) for number in range(count)]

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def encode(self, snapshot: bytes, audience: int | None) -> bytes:
        """A view of the game in a snapshot, as JSON; a lost worker is tried once more."""
        for _ in range(2):
            worker = min(self._workers, key=lambda worker: worker.unanswered)
            if worker.unanswered >= _MAX_UNANSWERED:
                break
            try:
                generation = await worker.start()
                response = await worker.ask(lambda number: EncodeView(number, snapshot, audience), generation)
            except WorkerLostError:
                continue
            if response.problem:
                raise RuntimeError(response.problem)
            return response.view
        raise RateLimited(_RETRY)

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.close() for worker in self._workers))
