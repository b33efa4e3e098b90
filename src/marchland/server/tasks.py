"""Work that nobody waits for: each piece has a name, and none is begun again before it has ended."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from marchland.errors import MarchlandError, OwnershipLost, StorageUnavailable

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before what could not be done is begun again: each time twice as many, up to the longest."""

log = logging.getLogger(__name__)

Work = Callable[[], Coroutine[Any, Any, None]]


class _Pause(NamedTuple):
    seconds: float
    until: float


class Beside:
    """Does things at the same time. What fails is logged, and is begun again less and less often."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pauses: dict[str, _Pause] = {}

    def do(self, name: str, work: Work) -> None:
        """Begin a piece of work, unless it is still being done or has failed a moment ago."""
        pause = self._pauses.get(name)
        if name not in self._tasks and (pause is None or time.monotonic() >= pause.until):
            self._tasks[name] = task = asyncio.create_task(self._tried(name, work))
            task.add_done_callback(lambda _: self._tasks.pop(name, None))

    def hope_again(self) -> None:
        """Something has changed: what could not be done may be by now."""
        self._pauses.clear()

    async def close(self) -> None:
        """Stop everything."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _tried(self, name: str, work: Work) -> None:
        try:
            await work()
        except StorageUnavailable as problem:
            log.warning("waits for the database", extra={"work": name, "why": str(problem)})
        except OwnershipLost:
            log.warning("another node has taken over", extra={"work": name})
        except MarchlandError as problem:
            seconds = self._pause(name)
            log.error("cannot be done", extra={"work": name, "why": str(problem), "again_in": seconds})
        except Exception:
            log.exception("could not be done", extra={"work": name, "again_in": self._pause(name)})
        else:
            self._pauses.pop(name, None)

    def _pause(self, name: str) -> float:
        """Leave a piece of work alone for a while; returns for how long."""
        before = self._pauses.get(name)
        seconds = FIRST_PAUSE if before is None else min(2 * before.seconds, LONGEST_PAUSE)
        self._pauses[name] = _Pause(seconds, time.monotonic() + seconds)
        return seconds
