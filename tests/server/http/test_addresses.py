"""Addresses of clients: limits by network, proxies that are believed."""

from collections.abc import Iterator

import httpx
import pytest

from marchland.errors import MarchlandError
from marchland.server.http.addresses import Networks, limit_key, parse_network
from tests.support.server import Served


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that answers each address twice and then hardly ever; it believes a proxy of another address."""
    options = ("--rate-address", "0.1", "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.0/8")
    server = Served(tmp_path_factory.mktemp("limited"), *options)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose only proxy is elsewhere."""
    server = Served(tmp_path_factory.mktemp("proxied"), "--trusted-proxy", "10.0.0.7")
    yield server
    server.stop()


def status(served: Served, *forwarded: str, path: str = "/api/v1/rooms") -> int:
    return httpx.get(served.url + path, headers=[("X-Forwarded-For", one) for one in forwarded]).status_code


def test_addresses_of_one_ipv6_network_share_a_limit(limited: Served) -> None:
    first = status(limited, "2001:db8:1:2::1")
    assert (first, status(limited, "2001:db8:1:2:ffff::9"), status(limited, "2001:db8:1:3::1")) == (200, 429, 200)


def test_the_rightmost_untrusted_address_counts(limited: Served) -> None:
    assert status(limited, "203.0.113.1, 198.51.100.4, 10.0.0.3") == 200
    assert status(limited, "203.0.113.2", "198.51.100.4, 10.0.0.3") == 429


def test_a_proxy_that_is_not_trusted_is_not_believed(proxied: Served) -> None:
    assert status(proxied, "203.0.113.9", path="/metrics") == 200


def test_an_ipv4_address_written_as_ipv6_is_the_same() -> None:
    assert limit_key("::ffff:203.0.113.9") == limit_key("203.0.113.9") == "203.0.113.9"


def test_networks_contain_their_addresses_only() -> None:
    networks = Networks(["10.0.0.0/8", "::1"])
    assert [one in networks for one in ("10.1.2.3", "::1", "11.0.0.1", "::2", "", "x")] == [True, True] + [False] * 4


@pytest.mark.parametrize("given", ["", "10.0.0.1/8", "localhost", "10.0.0.0/99"])
def test_a_network_that_makes_no_sense_is_refused(given: str) -> None:
    with pytest.raises(MarchlandError, match="no address or network"):
        parse_network(given)
