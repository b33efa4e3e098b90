"""How long to wait before the next try."""

import random
import time
from collections.abc import Callable

SHORTEST = 0.1
LONGEST = 10.0


class Backoff:
    """Waits grow from try to try, up to a bound, and vary, so that not everybody comes back at the same moment.

    After ``patience`` seconds without success there is no next try.
    """

    def __init__(
        self,
        patience: float,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._patience = patience
        self._clock = clock
        self._chance = chance
        self.worked()

    def worked(self) -> None:
        """Begin anew: somebody answered."""
        self._tries = 0
        self._failing_since: float | None = None

    def wait(self, asked: float | None = None) -> float | None:
        """Seconds until the next try, no fewer than were ``asked`` for; None to give up."""
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = now
        if now - self._failing_since >= self._patience:
            return None
        most = min(LONGEST, SHORTEST * 2.0**self._tries)
        self._tries += 1
        varied: float = most * (0.5 + self._chance() / 2)
        return max(asked or 0.0, varied)
