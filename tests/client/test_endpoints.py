"""Requests of the HTTP API, and one definition of them for both clients."""

import inspect

import pytest

from marchland.client import AsyncClient, AsyncSeat, Client, ClientError, RefusedError, Seat
from marchland.client import _endpoints as endpoints

GET = endpoints.match("m")


def test_a_refusal_is_an_error_with_its_word_and_sentence() -> None:
    with pytest.raises(RefusedError, match="It is full") as refused:
        GET.decode(409, b'{"error": "no_seat", "sentence": "It is full."}')
    assert (refused.value.error, refused.value.status) == ("no_seat", 409)


def test_an_error_without_a_body_of_ours_is_described_by_its_status() -> None:
    with pytest.raises(RefusedError, match="status 502"):
        GET.decode(502, b"<html>")


def test_a_response_of_the_wrong_type_says_so() -> None:
    with pytest.raises(ClientError, match="another version"):
        GET.decode(200, b"{}")


def public_names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_both_clients_have_the_same_requests() -> None:
    assert public_names(Client) == public_names(AsyncClient)
    assert public_names(Seat) == public_names(AsyncSeat)


def test_a_request_method_shows_its_signature_and_docstring() -> None:
    with Client("there") as client:
        assert list(inspect.signature(client.frames).parameters) == ["id", "since", "count", "seat"]
        assert inspect.getdoc(client.frames) == inspect.getdoc(Client.frames)
