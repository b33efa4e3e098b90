"""Tests that hang: what the time limit of `tests/support/time_limit.py` makes of them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFTEST = """
from tests.support import time_limit

time_limit.SECONDS, time_limit._GRACE = 1, 1


def pytest_configure(config):
    config.pluginmanager.register(time_limit.TimeLimit())
"""


def run_pytest(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run a file of tests with a limit of one second."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_hanging.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_a_test_that_hangs_fails_and_its_fixtures_are_torn_down(tmp_path: Path) -> None:
    ran = run_pytest(
        tmp_path,
        "import pytest, time\n\n\n@pytest.fixture\ndef held():\n    yield\n    print('torn down')\n\n\n"
        "def test_one(held):\n    time.sleep(600)\n\n\ndef test_other():\n    pass\n",
    )
    assert "Failed: The call took more than 1 seconds." in ran.stdout
    assert "torn down" in ran.stdout
    assert "1 failed, 1 passed" in ran.stdout


def test_a_process_that_takes_no_signal_is_ended_with_its_traceback(tmp_path: Path) -> None:
    ran = run_pytest(
        tmp_path,
        "import signal, time\n\n\n"
        "def test_one():\n    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n    time.sleep(600)\n",
    )
    assert ran.returncode == 1
    assert "Timeout (0:00:02)!" in ran.stderr
    assert "in test_one" in ran.stderr
