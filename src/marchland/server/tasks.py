"""Named background tasks: single-flight, exponential backoff after failure."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from marchland.errors import MarchlandError, OwnershipLost, StorageUnavailable

FIRST_DELAY, MAX_DELAY = 1.0, 60.0
"""Seconds before a failed task may start again: doubled after each failure, up to the maximum."""

log = logging.getLogger(__name__)

Work = Callable[[], Coroutine[Any, Any, None]]


class _Backoff(NamedTuple):
    seconds: float
    until: float


class RetryingTasks:
    """Runs tasks concurrently. A failure is logged; the task's next start is delayed."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._backoffs: dict[str, _Backoff] = {}

    def start(self, name: str, work: Work) -> None:
        """Start ``work`` unless a task of that name is running or backing off."""
        backoff = self._backoffs.get(name)
        if name not in self._tasks and (backoff is None or time.monotonic() >= backoff.until):
            self._tasks[name] = task = asyncio.create_task(self._run(name, work))
            task.add_done_callback(lambda _: self._tasks.pop(name, None))

    def reset_backoff(self) -> None:
        """Retry everything on its next start; call after a change that may have removed the cause."""
        self._backoffs.clear()

    async def close(self) -> None:
        """Cancel all tasks."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, name: str, work: Work) -> None:
        try:
            await work()
        except StorageUnavailable as error:
            log.warning("task waits for the database", extra={"task": name, "error": str(error)})
        except OwnershipLost:
            log.warning("task lost its lease", extra={"task": name})
        except MarchlandError as error:
            retry_in = self._back_off(name)
            log.error("task refused", extra={"task": name, "error": str(error), "retry_in": retry_in})
        except Exception:
            log.exception("task failed", extra={"task": name, "retry_in": self._back_off(name)})
        else:
            self._backoffs.pop(name, None)

    def _back_off(self, name: str) -> float:
        """Delay the next start of a task; returns the delay."""
        before = self._backoffs.get(name)
        seconds = FIRST_DELAY if before is None else min(2 * before.seconds, MAX_DELAY)
        self._backoffs[name] = _Backoff(seconds, time.monotonic() + seconds)
        return seconds
