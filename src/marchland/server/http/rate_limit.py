"""Rate limits: one token bucket per key."""

import time
from collections import OrderedDict
from typing import Any

from marchland.errors import Refused

_MAX_KEYS = 100_000


class RateLimited(Refused):
    """More requests than the limit allows."""

    retry: int

    def __init__(self, wait: float, error: str = "too_many", **arguments: Any) -> None:
        super().__init__(error, error, **(arguments or {"seconds": round(wait, 1)}))
        self.retry = int(wait) + 1


class TokenBuckets:
    """``rate`` requests a second for each key, in bursts of ``burst``, by default twice the rate."""

    def __init__(self, rate: float, burst: float | None = None) -> None:
        self._rate = rate
        self._burst = max(1.0, 2 * rate if burst is None else burst)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, now: float | None = None, *, cost: float = 1.0) -> float:
        """Take tokens of the key's bucket; 0, or the seconds until there are enough.

        What costs more than half a bucket needs a bucket that is half full, and is paid off before the next request.
        """
        now = time.monotonic() if now is None else now
        left = self._tokens_left(key, now)
        wait = 0.0 if left >= cost else self._seconds_until(left, cost)
        self._set(key, left if wait else left - cost, now)
        return wait

    def charge(self, key: str, cost: float) -> float:
        """Charge work that is done, into debt if need be; 0, or the seconds until the debt is paid."""
        now = time.monotonic()
        left = self._tokens_left(key, now) - cost
        self._set(key, left, now)
        return max(0.0, -left / self._rate)

    def wait_for(self, key: str, cost: float) -> float:
        """Seconds until `take` would grant this cost; 0 if it would now."""
        now = time.monotonic()
        left = self._tokens_left(key, now)
        self._set(key, left, now)
        return self._seconds_until(left, cost)

    def _seconds_until(self, left: float, cost: float) -> float:
        needed = min(cost, max(1.0, self._burst / 2))
        return max(0.0, (needed - left) / self._rate)

    def _tokens_left(self, key: str, now: float) -> float:
        left, seen = self._buckets.pop(key, (self._burst, now))
        return min(self._burst, left + (now - seen) * self._rate)

    def _set(self, key: str, left: float, now: float) -> None:
        self._buckets[key] = (left, now)
        if len(self._buckets) > _MAX_KEYS:  # the least recently used key gets a full bucket
            self._buckets.popitem(last=False)
