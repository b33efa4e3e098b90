"""What tests of several folders use."""

from collections.abc import Iterator

import pytest

from tests.postgres import Cluster, binaries, running


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here; with it (on Debian: apt install postgresql) this runs too")
    with running(programs) as cluster:
        yield cluster
