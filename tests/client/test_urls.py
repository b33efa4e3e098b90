"""Addresses of a server."""

import pytest

from marchland.client import ClientError
from marchland.client._urls import live_url, normalize


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("localhost:8000", "http://localhost:8000"),
        ("https://games.example/arena/", "https://games.example/arena"),
        ("http://localhost:8000/api/v1", "http://localhost:8000"),
    ],
)
def test_an_address_is_completed(url: str, base: str) -> None:
    assert normalize(url) == base


@pytest.mark.parametrize("url", ["", "ftp://there", "http://", "http://there:port", "://"])
def test_an_invalid_address_is_refused(url: str) -> None:
    with pytest.raises(ClientError, match="is no address of a server"):
        normalize(url)


def test_the_socket_of_an_https_server_is_encrypted() -> None:
    assert live_url("https://there", "a/b", 2) == "wss://there/api/v1/matches/a%2Fb/live?seat=2&want=views%2Cresults"
