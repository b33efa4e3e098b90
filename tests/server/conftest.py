"""A real server in a process of its own, and what organisers and players send it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.api import Api
from tests.support.server import ADMIN, Served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests that do it no harm."""
    server = Served(tmp_path_factory.mktemp("organising"))
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """One that may be killed."""
    server = Served(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def admin(server: Served) -> Iterator[Api]:
    with Api(server.url, ADMIN) as api:
        yield api


@pytest.fixture
def player(admin: Api) -> Iterator[Api]:
    with admin.new_account() as api:
        yield api
