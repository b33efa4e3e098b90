"""What holds for all tests, and what several folders of them use."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support.postgres import Cluster, binaries, running

pytest_plugins = ["tests.support.server_fixtures", "tests.support.store_fixtures"]
pytest.register_assert_rewrite("marchland.conformance")  # so that a failed check shows its values

# How long one example takes says more about the machine's other work than about ours.
settings.register_profile("marchland", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("marchland")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The pages first: they take longest, and one worker tests them while the others do everything else."""
    items.sort(key=lambda item: item.path.parent.name != "web")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here; with it (on Debian: apt install postgresql) this runs too")
    with running(programs) as cluster:
        yield cluster
