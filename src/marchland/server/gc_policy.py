"""Garbage collection policy: a full pass takes about 100 ms, so survivors are frozen and thawed every ten minutes."""

import asyncio
import gc
import time

_TICK_SECONDS = 1.0
_THAW_SECONDS = 600.0
"""How often everything is collected again, frozen objects included."""


class GcFreezer:
    """Freezes what has survived a full collection, so that later passes skip it."""

    def __init__(self) -> None:
        self._passes = _count_full_passes()
        self._thawed = time.monotonic()

    def tick(self) -> None:
        """Freeze if there was a full pass since the last tick; thaw when it is time."""
        if time.monotonic() - self._thawed > _THAW_SECONDS:
            self._thawed = time.monotonic()
            gc.unfreeze()
        elif _count_full_passes() != self._passes:
            gc.freeze()
        self._passes = _count_full_passes()


def _count_full_passes() -> int:
    return int(gc.get_stats()[2]["collections"])


async def run_gc_policy() -> None:
    """Tick until cancelled: from the event loop, since a gc callback would run in the middle of anything."""
    freezer = GcFreezer()
    while True:
        await asyncio.sleep(_TICK_SECONDS)
        freezer.tick()
