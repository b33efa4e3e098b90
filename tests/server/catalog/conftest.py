"""The people of these tests call the server in this process."""

import pytest

from tests.support.in_process import InProcessServer


@pytest.fixture(scope="session")
def served(server: InProcessServer) -> InProcessServer:
    return server
