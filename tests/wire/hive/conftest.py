"""One server for all tests of the wire that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.serving import Served


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()
