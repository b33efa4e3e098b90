"""A real server in a process of its own, and matches on it."""

import contextlib
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from marchland.client import Client
from marchland.messages import MatchCreate, MatchInfo, SeatRequest, WhenReady
from tests.support.server import Served

SMALL = {"width": 12, "height": 12, "max_turn": 40}
EXAMPLES = Path(__file__).parents[2] / "examples/bots"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests that do it no harm."""
    server = Served(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def admin(served: Served) -> Iterator[Client]:
    with served.admin() as client:
        yield client


@pytest.fixture
def guest(served: Served) -> Iterator[Client]:
    with served.guest() as client:
        yield client


def new_match(admin: Client, *kinds: Literal["open", "empty", "greedy"], **more: Any) -> MatchInfo:
    """Create a small match with a seat of each kind: an open and an empty one by default."""
    seats = [
        SeatRequest("builtin", kind) if kind == "greedy" else SeatRequest(kind) for kind in kinds or ("open", "empty")
    ]
    options = {"config": SMALL, "clock": WhenReady(), "seed": 11, **more}
    return admin.create(MatchCreate("colorfight", seats, **options))


@contextlib.contextmanager
def in_thread(work: Any, *arguments: Any) -> Iterator["queue.Queue[Any]"]:
    """Do ``work`` in a thread meanwhile; what it returns, or raises, is put into the queue."""
    outcome: queue.Queue[Any] = queue.Queue()

    def run() -> None:
        try:
            outcome.put(work(*arguments))
        except BaseException as error:
            outcome.put(error)

    thread = threading.Thread(target=run)
    thread.start()
    yield outcome
    thread.join()
