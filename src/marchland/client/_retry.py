"""Retries: exponential backoff with jitter, and which HTTP requests may be sent again."""

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from marchland.client._endpoints import Endpoint
from marchland.client._errors import UnreachableError, refusal, retry_after

FIRST_DELAY = 0.1
MAX_DELAY = 10.0
SHARE_OF_OUTAGE = 0.25
"""Seconds between two tries: this share of the time since the first failure, so that a client is back soon after a
short restart and asks rarely during a long outage."""

_TOO_MANY_REQUESTS = 429
_BAD_GATEWAY, _UNAVAILABLE, _GATEWAY_TIMEOUT = 502, 503, 504
_LOADING = "loading"
"""The error while the server compiles or loads a game."""


class Backoff:
    """Exponential backoff with jitter, so that the clients of a restarted server do not reconnect all at once.

    There is no next try once ``patience`` seconds have passed since the first failure after a success.
    """

    def __init__(
        self,
        patience: float,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._patience = patience
        self._clock = clock
        self._jitter = jitter
        self.reset()

    def reset(self) -> None:
        """Start over, after a success."""
        self._failing_since: float | None = None

    def next_delay(self, at_least: float | None = None) -> float | None:
        """Seconds until the next try, never less than ``at_least``; None to give up."""
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = now
        outage = now - self._failing_since
        if outage >= self._patience:
            return None
        longest = min(MAX_DELAY, max(FIRST_DELAY, SHARE_OF_OUTAGE * outage))
        delay: float = longest * (0.5 + self._jitter() / 2)
        return max(at_least or 0.0, delay)


class RetryPolicy:
    """The tries of one request. After it may have arrived, only an idempotent request is sent again."""

    def __init__(self, endpoint: Endpoint[Any], base: str, patience: float, *, has_answered: bool) -> None:
        self._endpoint = endpoint
        self._base = base
        self._has_answered = has_answered
        self._backoff = Backoff(patience)

    def delay_after_response(self, status: int, headers: Mapping[str, str], content: bytes) -> float | None:
        """Seconds until the next try, or None if this response is final."""
        if not may_retry(self._endpoint, status, content):
            return None
        return self._backoff.next_delay(retry_after(headers))

    def delay_after_error(self, error: httpx.TransportError) -> float:
        """Seconds until the next try; raises `UnreachableError` if there is none."""
        was_not_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        # An address that has never answered is more often wrong than down.
        may_go_on = self._has_answered and (self._endpoint.idempotent or was_not_sent)
        delay = self._backoff.next_delay() if may_go_on else None
        if delay is None:
            reason = str(error) or type(error).__name__
            raise UnreachableError(f"The server at {self._base} cannot be reached: {reason}.") from None
        return delay


def may_retry(endpoint: Endpoint[Any], status: int, content: bytes) -> bool:
    """Whether the request may be sent again after this response.

    One that is not idempotent is sent again only if the server says that it has done nothing yet.
    """
    if status in (_BAD_GATEWAY, _UNAVAILABLE, _GATEWAY_TIMEOUT) and endpoint.idempotent:
        return True
    return status == _TOO_MANY_REQUESTS or (status == _UNAVAILABLE and refusal(status, content).error == _LOADING)
