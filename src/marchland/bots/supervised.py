"""A process under its supervisor, as the match sees it: three pipes, and what the supervisor reports."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from marchland.bots.process_options import ProcessOptions
from marchland.bots.sandbox import prepare_launch
from marchland.bots.usage import Usage, measure_descendants

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_END_SECONDS = 5.0
_CHUNK = 4096
_BY_SIGNAL = 128
"""What bubblewrap adds to the number of the signal that ended its program."""
_UNKNOWN_EXIT = -int(signal.SIGKILL)


class Supervised:
    """A running supervisor, and its bot from `start` on."""

    def __init__(self, words: Sequence[str], options: ProcessOptions) -> None:
        self.start_error: int | None = None
        self.exit_code: int | None = None
        self.peak_memory = 0
        self._bot: int | None = None
        self._reported = b""
        launch = prepare_launch(words, options.sandbox)
        self._is_jailed = launch.is_jailed
        lifeline, self._lifeline = os.pipe()
        status, reports = os.pipe()
        self.status: IO[bytes] = open(status, "rb", buffering=0)  # noqa: PTH123, SIM115 - a pipe, closed by `end`
        limits = map(str, (lifeline, reports, os.getpid(), options.memory, options.file_size, options.open_files))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SUPERVISOR), *limits, *launch.words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(lifeline, reports, *launch.descriptors),
                env=options.environment(),
                cwd=options.sandbox.folder,
            )
        except BaseException:
            os.close(self._lifeline)
            self.status.close()
            raise
        finally:
            for descriptor in (lifeline, reports, *launch.descriptors):
                os.close(descriptor)
        self.stdin, self.stdout = _pipe(self._process.stdin), _pipe(self._process.stdout)
        self.stderr = _pipe(self._process.stderr)
        os.set_blocking(self.status.fileno(), False)

    def start(self) -> None:
        """Let the supervisor start the bot."""
        with contextlib.suppress(BrokenPipeError):  # its end is noticed by `read_status`
            os.write(self._lifeline, b"s")

    def read_status(self) -> bool:
        """Take in what the supervisor has reported; False when it has gone."""
        chunk = os.read(self.status.fileno(), _CHUNK)
        *lines, self._reported = (self._reported + chunk).split(b"\n")
        for line in lines:
            what, *values = line.split()
            numbers = [*map(int, values)]
            if what == b"started":
                (self._bot,) = numbers
            elif what == b"failed":
                (self.start_error,) = numbers
            else:
                self.exit_code, self.peak_memory = numbers
                if self._is_jailed and self.exit_code > _BY_SIGNAL:
                    self.exit_code = _BY_SIGNAL - self.exit_code
        if not chunk and self.exit_code is None:
            self.exit_code = _UNKNOWN_EXIT  # the bot was killed with its supervisor
        return bool(chunk)

    def measure(self) -> Usage:
        """What the bot and its descendants use."""
        return measure_descendants(self._process.pid)

    def send_signal(self, number: int) -> None:
        """Send a signal to the bot's process group, which a jailed bot cannot leave."""
        with contextlib.suppress(BlockingIOError, ValueError):  # its number may be unknown yet, or another's by now
            self.read_status()
        if self._bot is not None and self.exit_code is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._bot, number)

    def end(self) -> None:
        """Let the supervisor kill the bot with its descendants, and wait until that is done."""
        with contextlib.suppress(BlockingIOError, ValueError, OSError):  # the bot's number, if it was never read
            self.read_status()
        os.close(self._lifeline)
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGCONT)  # the bot may have stopped it
        try:
            done = self._process.wait(_END_SECONDS) == 0
        except subprocess.TimeoutExpired:
            done = False
        if not done:
            self._kill_group()
        self._bot = None  # the number may become another's
        for pipe in (self.stdin, self.stdout, self.stderr, self.status):
            pipe.close()

    def _kill_group(self) -> None:
        """Without a supervisor only the bot's process group can be found."""
        if self._bot is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._bot, signal.SIGKILL)
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "all three are pipes"
    os.set_blocking(pipe.fileno(), False)
    return pipe
