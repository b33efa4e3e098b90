"""A database without rows, of both kinds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from marchland.store import Database
from tests.support.postgres import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return _cluster(request).new_database() if request.param == "postgresql" else str(tmp_path / "march.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables."""
    return _cluster(request).empty_database() if request.param == "postgresql" else str(tmp_path / "march.db")


def _cluster(request: pytest.FixtureRequest) -> Cluster:
    """The PostgreSQL of the session, started by the first test that needs it."""
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster


@pytest.fixture
def store(url: str) -> Iterator[Database]:
    with Database(url) as store:
        yield store
