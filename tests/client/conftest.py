"""A real server in a process of its own, and matches on it."""

import contextlib
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marchland.client import Client
from marchland.messages import MatchInfo, NewMatch, SeatWish, WhenReady
from tests.serving import Served

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


def new_match(admin: Client, *seats: str, **more: Any) -> MatchInfo:
    """A small match: a seat of each kind, the first ``open`` unless something else is said."""
    wishes = [SeatWish("builtin", kind) if kind == "greedy" else SeatWish(kind) for kind in seats or ("open", "empty")]  # type: ignore[arg-type]
    return admin.create(NewMatch("colorfight", wishes, **{"config": SMALL, "clock": WhenReady(), "seed": 11, **more}))


@contextlib.contextmanager
def beside(work: Any, *told: Any) -> Iterator["queue.Queue[Any]"]:
    """Do ``work`` in a thread meanwhile; what it returns, or raises, is put into the queue."""
    outcome: queue.Queue[Any] = queue.Queue()

    def run() -> None:
        try:
            outcome.put(work(*told))
        except BaseException as error:
            outcome.put(error)

    thread = threading.Thread(target=run)
    thread.start()
    yield outcome
    thread.join()
