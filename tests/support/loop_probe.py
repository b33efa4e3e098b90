"""Measures how long the event loop is blocked by its own process.

A loop that waits for a processor is late as well, so a delay counts only as far as this process computed meanwhile.
"""

import asyncio
import contextlib
import time
from types import TracebackType
from typing import Self

_PERIOD = 0.002


class LoopProbe:
    """A task that wakes every few milliseconds while the block runs; ``longest`` is its longest delay in seconds."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        await asyncio.sleep(0)  # it measures from here on
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await asyncio.sleep(2 * _PERIOD)  # it notices what blocked the loop last
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while True:
            began, computed = time.monotonic(), time.process_time()
            await asyncio.sleep(_PERIOD)
            delay = min(time.monotonic() - began - _PERIOD, time.process_time() - computed)
            self.longest = max(self.longest, delay)
