"""Who may read ``/metrics``."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.server import Served, problem

TOKEN = "of-the-prometheus-of-the-tests"


@pytest.fixture(scope="module")
def restricted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    options = ("--metrics-token", TOKEN, "--metrics-from", "192.0.2.0/24")
    server = Served(tmp_path_factory.mktemp("metrics"), *options)
    yield server
    server.stop()


def read(served: Served, address: str, token: str | None = None) -> httpx.Response:
    headers = {"X-Forwarded-For": address} | ({"Authorization": f"Bearer {token}"} if token else {})
    return httpx.get(f"{served.url}/metrics", headers=headers)


def test_by_default_the_same_machine_reads_metrics(served: Served) -> None:
    assert "marchland_matches" in httpx.get(f"{served.url}/metrics").text


def test_by_default_other_machines_do_not_read_metrics(served: Served) -> None:
    assert problem(read(served, "203.0.113.1"), 403).error == "not_allowed"


def test_listed_networks_read_metrics(restricted: Served) -> None:
    assert read(restricted, "192.0.2.77").status_code == 200
    assert read(restricted, "198.51.100.1").status_code == 403


def test_the_token_for_metrics_reads_them_from_anywhere(restricted: Served) -> None:
    assert read(restricted, "198.51.100.1", TOKEN).status_code == 200
    assert read(restricted, "198.51.100.1", "another").status_code == 403
