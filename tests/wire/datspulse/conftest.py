"""Servers, and clients of the public protocol."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.datspulse_client import TeamClient
from tests.support.server import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without a low rate limit."""
    server = Served(tmp_path_factory.mktemp("datspulse"), "--rate-round", "10000")
    yield server
    server.stop()


@pytest.fixture
def final(served: Served) -> Iterator[TeamClient]:
    with TeamClient(served, "/datspulse/final") as client:
        yield client


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """A server that may be killed."""
    server = Served(tmp_path, "--rate-round", "10000")
    yield server
    server.stop()
