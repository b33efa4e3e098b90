"""Deadlines of turns."""

import math
import time
from datetime import UTC, datetime, timedelta

from marchland.messages import AtTimes, Clock, Every, WhenReady

_SHORTEST = 0.8
"""The part of its length that a turn has at least after a late one; otherwise a deadline is skipped."""


class TurnClock:
    """The deadline of the open turn, on the monotonic clock; where the turn waits for every player, the longest wait.

    With a fixed period deadline k is start + k * period, so the clock does not drift, and matches that began at
    different times do not end their turns together. After an overrun deadlines are skipped: no turn is much shorter,
    and missed ones do not run in a burst. An early end or a restart starts the count again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.deadline = 0.0
        self.opened = 0.0
        self._ended: float | None = None
        self.restart()

    def set_clock(self, clock: Clock) -> None:
        """Use another clock from the next turn on."""
        self._clock = clock

    @property
    def early(self) -> bool:
        """Whether a turn ends as soon as every player is ready."""
        return self._clock.early if isinstance(self._clock, Every) else isinstance(self._clock, WhenReady)

    @property
    def earliest(self) -> float:
        """When the open turn may end if every player is ready, on the monotonic clock."""
        least = self._clock.least if isinstance(self._clock, Every) else 0.0
        return min(self.opened + least, self.deadline)

    @property
    def closes(self) -> float | None:
        """The deadline in seconds since 1970; None if the turn ends when every player is ready."""
        return None if isinstance(self._clock, WhenReady) else time.time() + self.deadline - time.monotonic()

    def lock_time(self, percent: int) -> float | None:
        """When the locked last part of the open turn begins; None if there is none."""
        if percent == 0 or isinstance(self._clock, WhenReady):
            return None
        return self.opened + (self.deadline - self.opened) * (100 - percent) / 100

    def begin(self) -> None:
        """Open the first turn of a match now."""
        self.restart()
        if isinstance(self._clock, Every) and self._clock.first is not None:
            self.deadline = self.opened + self._clock.first

    @property
    def has_short_first_turn(self) -> bool:
        """Whether the first turn is shorter than the others: too short for orders of every player."""
        clock = self._clock
        return isinstance(clock, Every) and clock.first is not None and clock.first < clock.seconds

    def restart(self) -> None:
        """Open a turn of full length now."""
        self.opened = time.monotonic()
        self.deadline = self._after(self.opened)

    def next(self) -> None:
        """Open the turn after the one that is over."""
        now = time.monotonic()
        self._ended = self.deadline if now >= self.deadline else None
        if now < self.deadline or not isinstance(self._clock, Every):
            self.restart()
            return
        self.opened = now
        self.deadline += self._clock.seconds * math.ceil((now - self.deadline) / self._clock.seconds + _SHORTEST)

    def lateness(self) -> float:
        """How long ago the deadline of the open turn was; 0 before it."""
        return max(0.0, time.monotonic() - self.deadline)

    @property
    def overdue(self) -> float:
        """How long ago the turn before had its deadline; 0 if it ended earlier."""
        return 0.0 if self._ended is None else time.monotonic() - self._ended

    def _after(self, now: float) -> float:
        if isinstance(self._clock, Every):
            return now + self._clock.seconds
        if isinstance(self._clock, AtTimes):
            return now + (next_time(self._clock.times, datetime.now(UTC)) - datetime.now(UTC)).total_seconds()
        return now + self._clock.max_seconds


def next_time(times: list[str], now: datetime) -> datetime:
    """The first of these times of the day that is yet to come."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    moments = (
        midnight + timedelta(days=day, hours=int(text[:2]), minutes=int(text[3:])) for day in (0, 1) for text in times
    )
    return min(moment for moment in moments if moment > now)
