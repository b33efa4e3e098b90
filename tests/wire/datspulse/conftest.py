"""Real servers, and teams that speak the public protocol to them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import Served
from tests.wire.datspulse.talk import Talk


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on which nobody is slowed down."""
    server = Served(tmp_path_factory.mktemp("datspulse"), "--rate-round", "10000")
    yield server
    server.stop()


@pytest.fixture
def final(served: Served) -> Iterator[Talk]:
    with Talk(served, "/datspulse/final") as talk:
        yield talk


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """A server that may be killed."""
    server = Served(tmp_path, "--rate-round", "10000")
    yield server
    server.stop()
