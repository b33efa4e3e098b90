"""A time limit for each test: one that hangs fails, and a process that cannot even do that is ended with tracebacks.

A signal interrupts the test as an exception, so that its fixtures are torn down. Compiled code and clean-up that hangs
as well do not notice it: then the process ends, which pytest-xdist reports as a crash of the test.
"""

import contextlib
import faulthandler
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

SECONDS = 300
"""For each of set-up, call and teardown."""
_GRACE = 120
_TESTS = Path(__file__).parents[1]
_LONGER = {_TESTS / "web" / "test_pages.py": 900, _TESTS / "acceptance": 10**6}
"""A browser runs all specs in one set-up; acceptance tests take hours."""


class TimeLimit:
    """The plugin."""

    def __init__(self) -> None:
        self._stderr = os.dup(2)  # pytest captures the descriptor during tests

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        with self._limited(item, "set-up"):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        with self._limited(item, "call"):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None]:
        with self._limited(item, "teardown"):
            return (yield)

    @contextlib.contextmanager
    def _limited(self, item: pytest.Item, phase: str) -> Iterator[None]:
        seconds = limit_of(item.path)

        def interrupt(*_: object) -> None:
            pytest.fail(f"The {phase} took more than {seconds} seconds.")

        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        faulthandler.dump_traceback_later(seconds + _GRACE, exit=True, file=self._stderr)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def limit_of(path: Path) -> int:
    """Seconds for one phase of a test in this file."""
    return next((longer for place, longer in _LONGER.items() if path.is_relative_to(place)), SECONDS)
