"""The command as a shell starts it: on a terminal, and with signals accepted or ignored."""

import os
import pty
import signal
import subprocess
import sys

MARCHLAND = [sys.executable, "-m", "marchland.cli"]


def on_a_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run with stdout and stderr on a terminal of 80 by 24; returns the exit code and everything written."""
    leader, follower = pty.openpty()
    size = {"COLUMNS": "80", "LINES": "24", "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    process = subprocess.Popen(
        [*MARCHLAND, *arguments], stdout=follower, stderr=follower, env={**os.environ, **size, **environment}
    )
    os.close(follower)
    written = b""
    while chunk := _read(leader):
        written += chunk
    os.close(leader)
    return process.wait(), written.decode()


def _read(terminal: int) -> bytes:
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
