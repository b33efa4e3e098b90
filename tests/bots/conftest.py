"""Process bots written for a test, and whether any of their processes is left."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from marchland.bots import ProcessBot

Spawn = Callable[..., ProcessBot]

PATIENCE = 20.0
"""Seconds of a turn that is not to end by the clock, on a machine that has more to do."""
ANSWER = "import json, os, signal, subprocess, sys, time\nsay = lambda line: print(line, flush=True)\n"


def view(turn: int = 1, size: int = 0) -> dict[str, Any]:
    """As much of a view as a process bot looks at, padded to ``size`` bytes."""
    return {"turn": turn, "me": 0, "padding": " " * size}


@pytest.fixture
def spawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Spawn]:
    """A bot from the source of a Python program, with a long turn; it is closed after the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where the stderr of those that fail is saved
    made = []

    def spawn(source: str, **options: Any) -> ProcessBot:
        path = tmp_path / "mybot.py"
        path.write_text(ANSWER + source)
        made.append(ProcessBot([sys.executable, "-I", "-S", str(path)], **{"seconds": PATIENCE, **options}))
        return made[-1]

    yield spawn
    for bot in made:
        bot.close()


def wait_until(happened: Callable[[], bool], seconds: float = 60) -> None:
    """Return as soon as something has happened; fail if it never does."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether there is such a process; a dead one that waits for its new parent is none."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
