"""Processes of a benchmark: what is measured of them, and that none is left behind."""

from pathlib import Path

import pytest

from marchland.bench.processes import start_process
from marchland.errors import MarchlandError
from tests.bots.conftest import is_running, wait_until

BUSY = "sum(range(10_000_000))"


def test_cpu_seconds_include_those_of_children(tmp_path: Path) -> None:
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}], check=True)"
    with start_process(["-c", script], tmp_path) as process, start_process(["-c", BUSY], tmp_path) as child:
        assert process.wait() > 0
        child.wait()
    assert process.cpu_seconds > child.cpu_seconds / 2 > 0.02


def test_a_process_gets_the_cache_that_was_named(tmp_path: Path) -> None:
    with start_process(["-c", "import os; print(os.environ['MARCHLAND_CACHE'])"], tmp_path) as process:
        process.wait()
        assert process.output.read().decode().strip() == str(tmp_path)


def test_a_process_that_fails_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    with (
        start_process(["-c", "raise SystemExit('no such board')"], tmp_path) as process,
        pytest.raises(MarchlandError, match=r"ended with code 1\. no such board$"),
    ):
        process.wait()


def test_a_process_that_takes_too_long_is_killed_with_its_children(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)"
    )
    with start_process(["-c", script], tmp_path) as process:
        child = int(process.output.readline())
        assert is_running(child)
        with pytest.raises(MarchlandError, match="took more than 0 s"):
            process.wait(limit=0)
    assert process.has_ended()
    wait_until(lambda: not is_running(child))


def test_a_stopped_process_may_end_by_itself(tmp_path: Path) -> None:
    script = (
        "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\nprint(flush=True)\nsignal.pause()"
    )
    with start_process(["-c", script], tmp_path) as process:
        process.output.readline()
        process.stop()
        assert process.wait() > 0
