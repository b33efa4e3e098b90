"""The command as a shell starts it: on a terminal, and with signals accepted or ignored."""

import os
import pty
import select
import signal
import subprocess
import sys

MARCHLAND = [sys.executable, "-m", "marchland.cli"]
_PATIENCE = 120


def on_a_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run with stdout and stderr on a terminal of 80 by 24; returns the exit code and everything written."""
    leader, follower = pty.openpty()
    size = {"COLUMNS": "80", "LINES": "24", "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    process = subprocess.Popen(
        [*MARCHLAND, *arguments], stdout=follower, stderr=follower, env={**os.environ, **size, **environment}
    )
    os.close(follower)
    written = b""
    try:
        while chunk := _read(leader):
            written += chunk
        return process.wait(_PATIENCE), written.decode()
    finally:
        process.kill()
        os.close(leader)


def _read(terminal: int) -> bytes:
    readable, _, _ = select.select([terminal], [], [], _PATIENCE)
    assert readable, f"nothing was written for {_PATIENCE} seconds"
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux's way to say that the other end has been closed
        return b""


def accept_signals() -> None:
    """Undo what shells do for background jobs, and ``nohup``: children inherit that SIGINT or SIGHUP is ignored."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def ignore(number: signal.Signals) -> None:
    """What ``nohup`` and shells do for background jobs."""
    signal.signal(number, signal.SIG_IGN)
