"""A child process that reads and writes lines.

Its pipes are non-blocking, so each call returns by its deadline whatever the process does. It runs under a supervisor,
which limits its resources and ends it with everything that it started.
"""

import fcntl
import os
import selectors
import signal
import time
import weakref
from collections.abc import Callable, Sequence
from typing import IO

from marchland.bots.process_options import DEFAULT_OPTIONS, ProcessOptions
from marchland.bots.supervised import Supervised
from marchland.bots.usage import Usage

MAX_LINE = 8 * 2**20
MAX_STDERR = 64 * 2**10
"""Only the last bytes of stderr are buffered."""

_CHUNK = 64 * 2**10
_PIPE_SIZE = 64 * 2**10
_MAX_PIPE_SIZE = 2**20
"""What Linux lets every user have."""
_GLANCE = 0.01
_CHECK_SECONDS = 0.01


class TooLongError(Exception):
    """A line is longer than `MAX_LINE`."""


class LineProcess:
    """One process, running from `start` until `kill`. Its supervisor runs already before, so that `start` is fast."""

    def __init__(self, words: Sequence[str], options: ProcessOptions = DEFAULT_OPTIONS) -> None:
        self._process = Supervised(words, options)
        # Also without a call of `kill`: at the latest when this program exits.
        self._killer = weakref.finalize(self, self._process.end)
        self._unsent, self._unread, self._stderr = bytearray(), bytearray(), bytearray()
        self._searched = 0
        self._pipe_size = _PIPE_SIZE
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ, self._read)
        self._selector.register(self._process.stderr, selectors.EVENT_READ, self._read_stderr)
        self._selector.register(self._process.status, selectors.EVENT_READ, self._read_status)

    def start(self) -> None:
        """Start the process."""
        self._process.start()

    @property
    def start_error(self) -> int | None:
        """The error number with which its start failed."""
        return self._process.start_error

    @property
    def peak_memory(self) -> int:
        """Its largest resident memory in bytes; 0 before it has exited."""
        return self._process.peak_memory

    def measure(self) -> Usage:
        """What it and its descendants use."""
        return self._process.measure()

    def stop(self) -> None:
        """Stop its processes until `resume`."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let its processes run."""
        self._process.send_signal(signal.SIGCONT)

    @property
    def stderr(self) -> bytes:
        """The last bytes that it wrote to stderr."""
        return bytes(self._stderr)

    def append_stderr(self, data: bytes | bytearray) -> None:
        """Add to what it wrote to stderr."""
        self._stderr += data
        del self._stderr[:-MAX_STDERR]

    def send(self, line: bytes) -> None:
        """Queue a line; `read_line` and `wait_for_exit` write it as the process reads."""
        if self._stdin.closed:
            return
        if self._unsent:
            self._unsent += line
            return
        if len(line) > self._pipe_size:
            self._pipe_size = _enlarge_pipe(self._stdin, len(line))
        written = self._try_write(line)
        if written < len(line) and not self._stdin.closed:
            self._unsent += memoryview(line)[written:]
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)

    def read_line(self, deadline: float, check: Callable[[], None] | None = None) -> bytes | None:
        """The next line it writes, or None at the end of stdout; raises `TimeoutError` at the deadline.

        ``check`` is called now and then, and may raise, too.
        """
        checked = time.monotonic()
        while True:
            if not self._unsent and (found := self._take_line()) is not None:
                return found
            if self._stdout.closed:
                return None
            if len(self._unread) > MAX_LINE:
                raise TooLongError
            now = time.monotonic()
            if check is not None and now - checked >= _CHECK_SECONDS:
                check()
                checked = now
            if (left := deadline - now) <= 0:
                raise TimeoutError
            self._pump(left if check is None else min(left, _CHECK_SECONDS))

    def wait_for_exit(self, deadline: float) -> int | None:
        """Close its stdin and wait for it to exit; returns its exit code, or None if it did not."""
        while self._unsent and not self._has_exited() and time.monotonic() < deadline:
            self._pump(_GLANCE)
        self._close(self._stdin)
        while not (left := self._has_exited()) and time.monotonic() < deadline:
            self._pump(_GLANCE)
        self.kill()
        return self._process.exit_code if left else None

    def read_to_end(self, deadline: float, check: Callable[[], None]) -> int | None:
        """Close its stdin and collect the end of its output until it exits; returns its exit code, or None if late."""
        self._close(self._stdin)
        while not (left := self._has_exited()) and time.monotonic() < deadline:
            self._pump(_CHECK_SECONDS)
            self._move_output()
            check()
        self.kill()
        self._move_output()
        return self._process.exit_code if left else None

    def _move_output(self) -> None:
        self.append_stderr(self._unread)
        self._unread.clear()

    def kill(self) -> None:
        """Kill it and its descendants."""
        try:
            self._process.send_signal(signal.SIGKILL)  # at once, for one that is taking memory
            self._pump(0)
        finally:
            self._killer()
            self._selector.close()

    def _has_exited(self) -> bool:
        return self._process.exit_code is not None or not self._killer.alive

    def _pump(self, seconds: float) -> None:
        if not self._selector.get_map():
            time.sleep(min(seconds, _GLANCE))
            return
        for key, _ in self._selector.select(seconds):
            act: Callable[[], None] = key.data
            act()

    def _write(self) -> None:
        del self._unsent[: self._try_write(self._unsent)]
        if not self._unsent and not self._stdin.closed:
            self._selector.unregister(self._stdin)

    def _try_write(self, data: bytes | bytearray) -> int:
        """Write as much as the pipe takes; returns how much."""
        try:
            return os.write(self._stdin.fileno(), data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:  # it closed its stdin, but may have answered
            self._close(self._stdin)
            return 0

    def _read(self) -> None:
        chunk = os.read(self._stdout.fileno(), _CHUNK)
        self._unread += chunk
        if not chunk:
            self._close(self._stdout)

    def _read_stderr(self) -> None:
        chunk = os.read(self._process.stderr.fileno(), _CHUNK)
        self.append_stderr(chunk)
        if not chunk:
            self._close(self._process.stderr)

    def _read_status(self) -> None:
        if not self._process.read_status():
            self._close(self._process.status)

    def _take_line(self) -> bytes | None:
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
        if pipe in {key.fileobj for key in self._selector.get_map().values()}:
            self._selector.unregister(pipe)
        pipe.close()
        if pipe is self._stdin:
            self._unsent.clear()


def _enlarge_pipe(pipe: IO[bytes], size: int) -> int:
    """Make room for a line of that size, so that one write and one switch to the bot pass it on; returns the limit."""
    wanted = min(1 << (size - 1).bit_length(), _MAX_PIPE_SIZE)
    try:
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, wanted)
    except (AttributeError, OSError):  # not Linux, or the user's pipes are full
        return MAX_LINE
    return wanted if wanted >= size else MAX_LINE
