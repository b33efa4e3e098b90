"""A server whose disk takes no more writes: ``/healthz`` says so, and recovers with the disk."""

import resource
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.support.server import Served


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("writes"))
    yield server
    server.stop()


def limit_files(served: Served, size: int) -> None:
    """Refuse writes of the server beyond this size of a file, as a full disk does."""
    _, most = resource.prlimit(served.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (size, most))


def wait_for(served: Served, condition: Callable[[httpx.Response], bool]) -> httpx.Response:
    """The first answer of ``/healthz`` that meets the condition."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        answer = httpx.get(f"{served.url}/healthz", timeout=30)
        if condition(answer):
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{answer.status_code} {answer.text}")


def test_health_reports_failing_writes_and_recovers(served: Served) -> None:
    limit_files(served, 1)
    answer = wait_for(served, lambda answer: answer.status_code == 503)
    assert answer.json()["error"] == "unavailable"
    assert answer.json()["sentence"].startswith("The database cannot be written: ")
    assert answer.headers["retry-after"]
    limit_files(served, resource.RLIM_INFINITY)
    assert wait_for(served, lambda answer: answer.status_code == 200).text == "ok"
