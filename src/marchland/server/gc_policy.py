"""A search for garbage in all that a server holds stops everybody for a tenth of a second: it is seldom made."""

import asyncio
import gc
import time

_PAUSE = 1.0  # seconds between two looks
_SELDOM = 600.0
"""Seconds after which what has survived earlier searches is searched again."""


class Searches:
    """Leaves alone for a while what has survived a whole search."""

    def __init__(self) -> None:
        self._seen = _whole()
        self._thawed = time.monotonic()

    def look(self) -> None:
        """Set aside what is there if there was a search; after a while have the next one search all of it."""
        if time.monotonic() - self._thawed > _SELDOM:
            self._thawed = time.monotonic()
            gc.unfreeze()
        elif _whole() != self._seen:
            gc.freeze()
        self._seen = _whole()


def _whole() -> int:
    """How many searches of everything there were."""
    return int(gc.get_stats()[2]["collections"])


async def search_seldom() -> None:
    """Look after it for ever. The interpreter would also call us in each search, but in the middle of anything."""
    searches = Searches()
    while True:
        await asyncio.sleep(_PAUSE)
        searches.look()
