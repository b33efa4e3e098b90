"""Whether a request that did not work is sent again, and when."""

from collections.abc import Mapping
from typing import Any

import httpx

from marchland.client.backoff import Backoff
from marchland.client.call import Call, may_repeat, seconds_asked
from marchland.client.errors import UnreachableError


class Attempts:
    """All attempts at one call. Only what may be done twice is sent again after it may have arrived."""

    def __init__(self, call: Call[Any], base: str, patience: float, *, is_known: bool) -> None:
        self._call = call
        self._base = base
        self._is_known = is_known
        self._backoff = Backoff(patience)

    def after_answer(self, status: int, headers: Mapping[str, str], content: bytes) -> float | None:
        """Seconds until the next attempt, or None if this answer stands."""
        if not may_repeat(self._call, status, content):
            return None
        return self._backoff.wait(seconds_asked(headers))

    def after_failure(self, problem: httpx.TransportError) -> float:
        """Seconds until the next attempt; raises if there is none."""
        has_not_arrived = isinstance(problem, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        # An address at which nobody ever answered is wrong more often than it is asleep.
        may_go_on = self._is_known and (self._call.repeatable or has_not_arrived)
        seconds = self._backoff.wait() if may_go_on else None
        if seconds is None:
            why = str(problem) or type(problem).__name__
            raise UnreachableError(f"The server at {self._base} cannot be reached: {why}.") from None
        return seconds
