"""Floods of WebSocket frames: the sender is closed, and all others are served."""

import contextlib
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.support.processor_time import cpu_seconds
from tests.support.raw_socket import CONTINUATION, PING, TEXT, frame, raw_socket
from tests.support.server import Person, Served, person

pytestmark = pytest.mark.alone

FRAGMENTS = frame(TEXT, b"x", final=False) + frame(CONTINUATION, b"x", final=False) * 400_000
EMPTY_FRAGMENTS = frame(TEXT, final=False) + frame(CONTINUATION, final=False) * 400_000
PINGS = frame(PING, b"x") * 400_000
MESSAGES = frame(TEXT, b'{"type":"see","chunks":[]}') * 100_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with its default limits on sockets."""
    server = Served(tmp_path_factory.mktemp("floods"), "--rate", "20", "--rate-address", "200")
    yield server
    server.stop()


@pytest.fixture
def path(served: Served) -> str:
    """The address of a match's WebSocket."""
    with person(served) as creator:
        match = creator.match("colorfight", "open", "empty")
        creator.join(match)
    return f"/api/v1/matches/{match}/live?want=none"


@contextlib.contextmanager
def health_delays(served: Served) -> Iterator[list[float]]:
    """Seconds that each request to ``/healthz`` takes, from another client, one after another."""
    delays: list[float] = []
    is_over = threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=served.url, timeout=60) as client:
            while not delays or not is_over.wait(0.02):
                begun = time.monotonic()
                client.get("/healthz").raise_for_status()
                delays.append(time.monotonic() - begun)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield delays
    finally:
        is_over.set()
        asking.join()


@pytest.mark.parametrize("flood", [FRAGMENTS, EMPTY_FRAGMENTS, PINGS], ids=["fragments", "empty fragments", "pings"])
def test_a_flood_of_frames_closes_its_socket_and_delays_no_other(served: Served, path: str, flood: bytes) -> None:
    assert send_flood(served, path, flood) == (1008, "Too many frames; the most is 200 a second.")


def test_a_flood_of_messages_is_closed_or_held_back_and_delays_no_other(served: Served, path: str) -> None:
    # If they arrive in small pieces, flow control stops reading before the budget is used up.
    with measure_cost(served), raw_socket(served.port, path) as flooder, contextlib.suppress(TimeoutError):
        flooder.send(MESSAGES, seconds=3)


def send_flood(served: Served, path: str, flood: bytes) -> tuple[int, str]:
    """How the server closes the socket; checks what the flood costs the server and other clients."""
    with measure_cost(served), raw_socket(served.port, path) as flooder:
        flooder.send(flood)
        return flooder.close_frame()


@contextlib.contextmanager
def measure_cost(served: Served) -> Iterator[None]:
    """Check that the block costs the server little processor time and other clients little waiting."""
    with health_delays(served) as delays:
        before = cpu_seconds(served.pid)
        yield
        used = cpu_seconds(served.pid) - before
    assert used < 0.5 + 0.005 * len(delays)  # seconds; answering a health check costs something, too
    assert max(delays) < 2.0


def test_many_sockets_of_one_address_share_a_budget(served: Served, path: str) -> None:
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(raw_socket(served.port, path)) for _ in range(20)]
        before = cpu_seconds(served.pid)
        for flooder in opened:
            flooder.send(PINGS[: 7 * 1_900])  # within the budget of a connection
        with health_delays(served) as delays:
            time.sleep(1)
        assert cpu_seconds(served.pid) - before < 1.0
        assert max(delays) < 2.0


def test_a_client_with_many_small_messages_within_its_limits_is_not_closed(served: Served) -> None:
    with person(served) as player:
        match = player.match("colorfight", "open", "empty")
        player.join(match)
        with player.watch(match, seat=0, want="none") as socket:
            for number in range(100):
                socket.connection.ping()
                socket.send(type="orders", orders=[], key=f"post {number}")
                assert socket.next("answer")["key"] == f"post {number}"


def test_a_large_message_in_ordinary_fragments_is_taken(served: Served) -> None:
    with person(served) as player:
        match = player.match("colorfight", "open", "empty")
        player.join(match)
        with player.watch(match, seat=0, want="none") as socket:
            text = '{"type":"orders","key":"k","orders":[]' + " " * 900_000 + "}"
            socket.connection.send(text[start : start + 4_096] for start in range(0, len(text), 4_096))
            assert socket.next("answer")["receipt"]["orders"] == 0


def test_the_budget_of_an_address_is_not_that_of_another(served: Served, path: str) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(5):
            forwarded = "X-Forwarded-For: 203.0.113.7"
            stack.enter_context(raw_socket(served.port, path, forwarded)).send(PINGS[: 7 * 1_900])
        other = stack.enter_context(raw_socket(served.port, path, "X-Forwarded-For: 203.0.113.8"))
        begun = time.monotonic()
        other.send(PINGS)
        assert other.close_frame()[0] == 1008  # at once: its frames do not wait for those of the first address
        assert time.monotonic() - begun < 2


def test_an_ordinary_message_is_answered_after_a_flood(served: Served) -> None:
    with person(served) as player, Person(served) as stranger:
        match = player.match("colorfight", "open", "empty")
        player.join(match)
        with raw_socket(served.port, f"/api/v1/matches/{match}/live?want=none") as flooder:
            flooder.send(PINGS)
            flooder.close_frame()
        with player.watch(match, seat=0, want="none") as socket:
            socket.send(type="orders", orders=[], key="k")
            assert socket.next("answer")["receipt"]["orders"] == 0
        assert stranger.get(f"/matches/{match}").status_code == 200
