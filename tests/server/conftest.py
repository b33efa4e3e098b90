"""A server in this process or in one of its own, and what organisers and players send it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from marchland.server.settings import Settings
from tests.support.api import Api
from tests.support.in_process import InProcessServer, in_process_server
from tests.support.server import ADMIN, Served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """One for all tests that do it no harm and need no process."""
    with in_process_server(tmp_path_factory.mktemp("organising"), round_rate=Settings.round_rate) as server:
        yield server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """One that may be killed."""
    server = Served(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def admin(server: InProcessServer) -> Iterator[Api]:
    with Api(server, ADMIN) as api:
        yield api


@pytest.fixture
def player(admin: Api) -> Iterator[Api]:
    with admin.new_account() as api:
        yield api
