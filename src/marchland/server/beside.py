"""Work that nobody waits for: each piece has a name, and none is begun again before it has ended."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from marchland.match import Lost, Unavailable

log = logging.getLogger(__name__)


class Beside:
    """Does things at the same time. What fails is logged, and may be begun again."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def do(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin a piece of work, unless it is still being done."""
        if name not in self._tasks:
            self._tasks[name] = task = asyncio.create_task(_tried(name, work))
            task.add_done_callback(lambda _: self._tasks.pop(name, None))

    async def close(self) -> None:
        """Stop everything."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _tried(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    try:
        await work()
    except Unavailable as problem:
        log.warning("waits for the database", extra={"work": name, "why": str(problem)})
    except Lost:
        log.warning("another node has taken over", extra={"work": name})
    except Exception:
        log.exception("could not be done", extra={"work": name})
