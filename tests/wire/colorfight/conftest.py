"""One server for all tests that do not stop it."""

from collections.abc import Iterator

import pytest

from tests.support.server import Served


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()
