"""The limits of one turn of a bot: its time, and the memory of all its processes together."""

import time

from marchland.bots.line_process import LineProcess
from marchland.bots.process_options import MEGABYTE, ProcessOptions

_GRACE = 0.02
"""The part of a turn's time that may pass before processor time is measured: most answers come sooner, for free."""


class LimitExceededError(Exception):
    """A bot has used more than it may; the message says what."""


class TurnLimit:
    """The limits of the turn that begins now."""

    def __init__(self, process: LineProcess, seconds: float, options: ProcessOptions) -> None:
        self._process = process
        self._seconds = seconds
        self._options = options
        self._began = time.monotonic()
        self._cpu_before: float | None = None
        self._clock_seconds = seconds * (options.clock_factor if options.counts_cpu else 1)

    @property
    def deadline(self) -> float:
        """When the clock ends the turn."""
        return self._began + self._clock_seconds

    @property
    def is_measured(self) -> bool:
        """Whether `check` is to be called while the bot thinks."""
        return self._options.counts_cpu or self._options.sandbox.level != "open"

    def check(self) -> None:
        """Measure the bot; raises `LimitExceededError`."""
        if time.monotonic() - self._began < _GRACE * self._seconds:
            return
        used = self._process.measure()
        if self._cpu_before is None:
            self._cpu_before = used.cpu
        if self._options.counts_cpu and used.cpu - self._cpu_before > self._seconds:
            raise LimitExceededError(f"it used more than {self._seconds:g} seconds of processor time and was stopped")
        if used.memory > self._options.memory:
            most = self._options.memory // MEGABYTE
            raise LimitExceededError(f"its processes together used more than {most} MB of memory and were stopped")

    def check_answer(self) -> None:
        """Measure a bot that has answered, if it can have used too much: on one core not before its time has passed."""
        if self._options.counts_cpu and time.monotonic() - self._began > self._seconds:
            self.check()

    def describe_timeout(self) -> str:
        """What to say when the clock has ended the turn."""
        of_cpu = f", {self._options.clock_factor:g} times its processor time," if self._options.counts_cpu else ""
        return f"it gave no answer within {self._clock_seconds:g} seconds{of_cpu} and was stopped"
