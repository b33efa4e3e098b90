"""When a request is sent again, and when not."""

from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchland.client import ClientError, RefusedError, UnreachableError, calls
from marchland.client.address import base_of, live_url
from marchland.client.attempts import Attempts
from marchland.client.backoff import LONGEST, SHORTEST, Backoff
from marchland.client.call import Call
from marchland.messages import NewMatch, OrdersPost, SeatWish

GET = calls.match("m")
ORDERS = calls.orders("m", OrdersPost([], "key"))
CREATE = calls.create(NewMatch("colorfight", [SeatWish()]))


def attempts(call: Call[Any], *, is_known: bool = True) -> Attempts:
    return Attempts(call, "http://there", 30, is_known=is_known)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_waits_grow_to_a_bound_and_vary_by_half(chances: list[float]) -> None:
    drawn = iter(chances)
    backoff = Backoff(60, clock=lambda: 0, chance=lambda: next(drawn))
    for number in range(len(chances)):
        wait = backoff.wait()
        most = min(LONGEST, SHORTEST * 2**number)
        assert wait is not None and most / 2 <= wait <= most


def test_patience_ends_and_begins_anew_with_every_success() -> None:
    now = [0.0]
    backoff = Backoff(10, clock=lambda: now[0])
    assert backoff.wait() is not None
    now[0] = 9.0
    assert backoff.wait() is not None
    now[0] = 10.0
    assert backoff.wait() is None
    backoff.worked()
    assert backoff.wait() is not None


def test_nobody_waits_less_than_the_server_asks_for() -> None:
    assert Backoff(10).wait(asked=7.0) == 7.0


@pytest.mark.parametrize(
    ("call", "status", "again"),
    [(GET, 429, True), (CREATE, 429, True), (GET, 503, True), (ORDERS, 503, True), (CREATE, 503, False)]
    + [(GET, status, False) for status in (200, 400, 404, 409, 500)],
)
def test_only_what_did_nothing_or_may_be_done_twice_is_sent_again(call: Call[Any], status: int, again: bool) -> None:
    assert (attempts(call).after_answer(status, {}, b"") is not None) == again


def test_retry_after_is_kept_to() -> None:
    wait = attempts(GET).after_answer(429, {"retry-after": "3"}, b"")
    assert wait is not None and wait >= 3


@pytest.mark.parametrize("call", [GET, ORDERS, CREATE])
def test_every_request_is_sent_again_after_retry_after_while_a_game_is_loading(call: Call[Any]) -> None:
    loading = b'{"error": "loading", "sentence": "The game colorfight is loading."}'
    wait = attempts(call).after_answer(503, {"retry-after": "2"}, loading)
    assert wait is not None and wait >= 2


def test_a_match_is_not_created_again_if_the_database_may_have_it() -> None:
    unavailable = b'{"error": "unavailable", "sentence": "The database cannot be reached now."}'
    assert attempts(CREATE).after_answer(503, {"retry-after": "1"}, unavailable) is None


def test_a_broken_connection_is_opened_again_for_what_may_be_done_twice() -> None:
    assert attempts(ORDERS).after_failure(httpx.ReadError("gone")) > 0
    with pytest.raises(UnreachableError):
        attempts(CREATE).after_failure(httpx.ReadError("gone"))
    assert attempts(CREATE).after_failure(httpx.ConnectError("refused")) > 0


def test_an_address_at_which_nobody_ever_answered_is_given_up_at_once() -> None:
    with pytest.raises(UnreachableError, match="The server at http://there cannot be reached: refused"):
        attempts(GET, is_known=False).after_failure(httpx.ConnectError("refused"))


def test_a_problem_becomes_an_error_with_its_word_and_sentence() -> None:
    with pytest.raises(RefusedError, match="It is full") as refused:
        GET.read(409, b'{"error": "no_seat", "sentence": "It is full."}')
    assert (refused.value.error, refused.value.status) == ("no_seat", 409)


def test_an_error_that_is_no_problem_is_told_by_its_status() -> None:
    with pytest.raises(RefusedError, match="status 502"):
        GET.read(502, b"<html>")


def test_an_answer_that_is_not_understood_says_so() -> None:
    with pytest.raises(ClientError, match="another version"):
        GET.read(200, b"{}")


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
def test_an_address_is_made_whole(url: str, base: str) -> None:
    assert base_of(url) == base


@pytest.mark.parametrize("url", ["", "ftp://there", "http://", "http://there:port", "://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ClientError, match="is no address of a server"):
        base_of(url)


def test_the_socket_of_a_safe_server_is_safe() -> None:
    assert live_url("https://there", "a/b", 2) == "wss://there/api/v1/matches/a%2Fb/live?seat=2&want=views%2Cresults"
