"""One server for all tests that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.support.processor_time import waiting_seconds
from tests.support.server import ADMIN, Person, Served, Server, person


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def anna(served: Server) -> Iterator[Person]:
    with person(served) as client:
        yield client


@pytest.fixture
def bert(served: Server) -> Iterator[Person]:
    with person(served) as client:
        yield client


@pytest.fixture
def anonymous(served: Server) -> Iterator[Person]:
    """A client without a token."""
    with Person(served) as client:
        yield client


@pytest.fixture
def organiser(served: Server) -> Iterator[Person]:
    with person(served, "organiser") as client:
        yield client


@pytest.fixture
def admin_person(served: Server) -> Iterator[Person]:
    with Person(served, ADMIN) as person_with_admin_token:
        yield person_with_admin_token


@pytest.fixture(scope="module")
def undisturbed(served: Served) -> Iterator[str]:
    """A match that runs beside the tests of a module; afterwards every turn must have come at its time.

    A server that had to wait for a processor may be late by as much.
    """
    period = 0.5
    with person(served) as creator:
        clock = {"kind": "every", "seconds": period, "early": False}
        match = creator.match("colorfight", "open", "idle", clock=clock, config={"max_turn": 100_000})
        creator.join(match)
        with creator.watch(match, want="none") as socket:
            first, waited = socket.news_of(creator.info(match).turn + 1), waiting_seconds(served.pid)
            yield match
            last = socket.news_of(creator.info(match).turn + 1)
            waited = waiting_seconds(served.pid) - waited
        due = round((last["now"] - first["now"]) / period)
        assert abs(last["turn"] - first["turn"] - due) <= 1 + waited / period
        late = [line for line in served.metrics() if line.startswith("marchland_turn_lateness_seconds_bucket")]
        within = {line.partition('le="')[2].partition('"')[0]: float(line.split()[-1]) for line in late}
        assert within["1.0"] == within["+Inf"] or waited >= 1.0
