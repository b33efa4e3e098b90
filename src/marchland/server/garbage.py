"""A search for garbage in all that a server holds stops everybody for a tenth of a second: it is seldom made."""

import gc
import time
from typing import Any

_SELDOM = 600.0
"""Seconds after which what has survived earlier searches is searched again."""


class Searches:
    """Told by the interpreter of every search: what survives a whole one is left alone for a while."""

    def __init__(self) -> None:
        self._searched = time.monotonic()

    def __call__(self, phase: str, info: dict[str, Any]) -> None:
        """Before a search and after it."""
        if info["generation"] != 2:
            return
        if phase == "stop":
            gc.freeze()
        elif time.monotonic() - self._searched > _SELDOM:
            self._searched = time.monotonic()
            gc.unfreeze()


def search_seldom() -> None:
    """Have searches of everything made seldom in this process."""
    gc.callbacks.append(Searches())
