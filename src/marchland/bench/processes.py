"""Fresh processes, measured from outside: wall seconds, and CPU seconds with those of their children."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from marchland.errors import MarchlandError

MARCHLAND = ("-m", "marchland")
LIMIT = 600.0
"""Seconds that a process may take."""

_STOP_LIMIT = 30.0
_TAIL = 500


class Process:
    """A run of this Python, in a process group of its own, so that it can be killed with its children."""

    def __init__(self, arguments: Sequence[str], cache: Path, errors: IO[bytes]) -> None:
        self.cpu_seconds = 0.0
        """Of the process and the children it has waited for; known once it has ended."""
        self._arguments = arguments
        self._errors = errors
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "MARCHLAND_CACHE": str(cache)},
            start_new_session=True,
        )

    @property
    def output(self) -> IO[bytes]:
        """What it prints."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def elapsed(self) -> float:
        """Seconds since its start."""
        return time.perf_counter() - self._started

    def has_ended(self) -> bool:
        """Whether it has ended; its CPU seconds are known from then on."""
        if self._process.returncode is None:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                self.cpu_seconds = usage.ru_utime + usage.ru_stime
                self._process.returncode = os.waitstatus_to_exitcode(status)
        return self._process.returncode is not None

    def wait(self, limit: float = LIMIT) -> float:
        """Wait for its end and return the seconds it took; `MarchlandError` if it fails or takes too long."""
        while not self.has_ended():
            if self.elapsed > limit:
                raise self.failure(f"took more than {limit:g} s")
            time.sleep(0.0005 if self.elapsed < 1 else 0.005)
        elapsed = self.elapsed
        if self._process.returncode:
            raise self.failure(f"ended with code {self._process.returncode}")
        return elapsed

    def stop(self) -> None:
        """Ask it to end, and kill it if it does not."""
        if not self.has_ended():
            os.kill(self._process.pid, signal.SIGTERM)
        deadline = time.perf_counter() + _STOP_LIMIT
        while not self.has_ended() and time.perf_counter() < deadline:
            time.sleep(0.005)
        self.kill()

    def kill(self) -> None:
        """Kill it, with its children, if it still runs."""
        if not self.has_ended():  # so its number and its group's belong to no other process
            os.killpg(self._process.pid, signal.SIGKILL)
        while not self.has_ended():
            time.sleep(0.005)

    def failure(self, what: str) -> MarchlandError:
        """An error that says what went wrong, with the last output of the process."""
        self._errors.seek(0)
        words = self._errors.read().decode(errors="replace").strip()
        return MarchlandError(f"python {' '.join(self._arguments)} {what}. {words[-_TAIL:]}".strip())


@contextlib.contextmanager
def start_process(arguments: Sequence[str], cache: Path) -> Iterator[Process]:
    """Start Python with these arguments and this kernel cache; it has ended when the block is left."""
    with tempfile.TemporaryFile() as errors:
        process = Process(arguments, cache, errors)
        try:
            yield process
        finally:
            process.kill()
            process.output.close()
