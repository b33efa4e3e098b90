"""What holds for all tests, and what several folders of them use."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.postgres import Cluster, binaries, running
from tests.support.time_limit import TimeLimit

pytest_plugins = ["tests.support.server_fixtures", "tests.support.store_fixtures"]
pytest.register_assert_rewrite("marchland.conformance")  # so that a failed check shows its values

# How long one example takes says more about the machine's other work than about ours. The examples are the same in
# every run, so that a run fails only if something has changed; `--hypothesis-profile=explore` draws others.
settings.register_profile(
    "marchland", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, database=None
)
settings.register_profile("explore", settings.get_profile("marchland"), derandomize=False)
settings.load_profile("marchland")


_TESTS = Path(__file__).parent
_LONGEST = (
    "web/test_pages.py",
    "dist/test_wheel.py",
    "kernels/test_programs_first_half.py",
    "kernels/test_programs_second_half.py",
)
"""Files that take a worker longest. They start first, so that no worker is left with one while the others are idle."""

_WAITING = ("arena", "bots", "cli", "client", "cluster", "deploy", "faults", "server", "store", "wire")
"""Folders whose tests mostly wait for processes. The others use the processors meanwhile."""


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(TimeLimit())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import only files with marked tests for ``-m alone``: importing all takes one core ten seconds."""
    if config.option.markexpr != "alone" or collection_path.suffix != ".py" or collection_path == Path(__file__):
        return None
    return True if "pytest.mark.alone" not in collection_path.read_text() else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first, then those that wait and those that compute in turns."""
    ranks: dict[Path, float] = {}
    files = dict.fromkeys(item.path for item in items)
    for is_waiting in (True, False):
        kind = [path for path in files if (path.relative_to(_TESTS).parts[0] in _WAITING) == is_waiting]
        ranks |= {path: number / len(kind) for number, path in enumerate(kind)}
    ranks |= {_TESTS / name: rank - len(_LONGEST) for rank, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: ranks[item.path])


def pytest_collection_finish() -> None:
    """Exempt what is imported from garbage collection, which would look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here; with it (on Debian: apt install postgresql) this runs too")
    with running(programs) as cluster:
        yield cluster
