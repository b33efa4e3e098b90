"""A process in a group of its own, spoken to in lines, that can keep nobody waiting.

Its pipes never block: whatever it does or does not do, each call returns by its deadline. It is ended together with
everything that it started, unless that left the group on purpose.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Sequence
from typing import IO

LONGEST_LINE = 8 * 2**20
KEPT = 64 * 2**10
"""How much of what it writes to stderr is kept: the end of it."""

_CHUNK = 64 * 2**10
_GLANCE = 0.01


class TooLongError(Exception):
    """The process writes more than anybody reads."""


class Child:
    """One process, alive until `end`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        # Also when nobody calls `end`: at the latest as this program ends.
        self._ending = weakref.finalize(self, _end_group, self._process)
        self._unsent, self._unread, self._stderr = bytearray(), bytearray(), bytearray()
        self._searched = 0
        self._stdin, self._stdout = _pipe(self._process.stdin), _pipe(self._process.stdout)
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._stdout, selectors.EVENT_READ, self._read)
        self._ready.register(_pipe(self._process.stderr), selectors.EVENT_READ, self._read_stderr)

    @property
    def stderr(self) -> bytes:
        """The end of what it wrote there."""
        return bytes(self._stderr)

    def keep(self, talk: bytes) -> None:
        """Keep something beside what it wrote to stderr."""
        self._stderr += talk
        del self._stderr[:-KEPT]

    def send(self, line: bytes) -> None:
        """Have a line written as soon as the process reads; `line` and `leave` do the writing."""
        if self._stdin.closed:
            return
        if not self._unsent:
            self._ready.register(self._stdin, selectors.EVENT_WRITE, self._write)
        self._unsent += line

    def line(self, deadline: float) -> bytes | None:
        """The next line it writes, or None if it never will; raises `TimeoutError` at the deadline."""
        while True:
            if not self._unsent and (found := self._taken()) is not None:
                return found
            if self._stdout.closed:
                return None
            if len(self._unread) > LONGEST_LINE:
                raise TooLongError
            if (left := deadline - time.monotonic()) <= 0:
                raise TimeoutError
            self._pump(left)

    def leave(self, deadline: float) -> int | None:
        """Close its stdin and wait for it to leave; returns its exit code, or None if it stayed."""
        while self._unsent and not self._has_left() and time.monotonic() < deadline:
            self._pump(_GLANCE)
        self._close(self._stdin)
        while not (left := self._has_left()) and time.monotonic() < deadline:
            self._pump(_GLANCE)
        self.end()
        return self._process.returncode if left else None

    def end(self) -> None:
        """End it at once, and what it started."""
        try:
            self._pump(0)
        finally:
            self._ending()
            self._ready.close()

    def _has_left(self) -> bool:
        # It is not reaped here: until its group is ended, its number must not become somebody else's.
        if not self._ending.alive or not hasattr(os, "waitid"):
            return not self._ending.alive
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _pump(self, seconds: float) -> None:
        if not self._ready.get_map():
            time.sleep(min(seconds, _GLANCE))
            return
        for key, _ in self._ready.select(seconds):
            act: Callable[[], None] = key.data
            act()

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._unsent[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:  # it reads no more, but may have answered
            self._close(self._stdin)
            return
        del self._unsent[:written]
        if not self._unsent:
            self._ready.unregister(self._stdin)

    def _read(self) -> None:
        chunk = os.read(self._stdout.fileno(), _CHUNK)
        self._unread += chunk
        if not chunk:
            self._close(self._stdout)

    def _read_stderr(self) -> None:
        pipe = _pipe(self._process.stderr)
        chunk = os.read(pipe.fileno(), _CHUNK)
        self.keep(chunk)
        if not chunk:
            self._close(pipe)

    def _taken(self) -> bytes | None:
        end = self._unread.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._unread)
            return None
        found = bytes(self._unread[:end])
        del self._unread[: end + 1]
        self._searched = 0
        return found

    def _close(self, pipe: IO[bytes]) -> None:
        if pipe.closed:
            return
        if pipe in {key.fileobj for key in self._ready.get_map().values()}:
            self._ready.unregister(pipe)
        pipe.close()
        if pipe is self._stdin:
            self._unsent.clear()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "all three are pipes"
    if not pipe.closed:
        os.set_blocking(pipe.fileno(), False)
    return pipe


def _end_group(process: subprocess.Popen[bytes]) -> None:
    # macOS refuses to signal a group in which nobody is alive.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
