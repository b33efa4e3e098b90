"""Which requests are retried, and when."""

import random
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchland.client import UnreachableError
from marchland.client import _endpoints as endpoints
from marchland.client._endpoints import Endpoint
from marchland.client._retry import FIRST_DELAY, MAX_DELAY, Backoff, RetryPolicy
from marchland.messages import MatchCreate, OrdersPost, SeatRequest

GET = endpoints.match("m")
ORDERS = endpoints.orders("m", OrdersPost([], "key"))
CREATE = endpoints.create(MatchCreate("colorfight", [SeatRequest()]))


def policy(endpoint: Endpoint[Any], *, has_answered: bool = True) -> RetryPolicy:
    return RetryPolicy(endpoint, "http://there", 30, has_answered=has_answered)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_delays_grow_with_the_outage_up_to_a_bound_with_jitter_of_a_half(chances: list[float]) -> None:
    drawn, now = iter(chances), 0.0
    backoff = Backoff(3600, clock=lambda: now, jitter=lambda: next(drawn))
    for _ in range(len(chances)):
        delay = backoff.next_delay()
        longest = min(MAX_DELAY, max(FIRST_DELAY, now / 4))
        assert delay is not None and longest / 2 <= delay <= longest
        now += delay


@given(st.floats(0.1, 30), st.randoms(use_true_random=False))
def test_a_client_is_back_at_most_a_quarter_later_than_the_server(outage: float, dice: random.Random) -> None:
    now = tries = 0.0
    backoff = Backoff(60, clock=lambda: now, jitter=dice.random)
    while now < outage:
        delay = backoff.next_delay()
        assert delay is not None
        now += delay
        tries += 1
    assert now <= 1.25 * outage + FIRST_DELAY
    assert tries < 50


def test_patience_ends_and_starts_over_with_every_success() -> None:
    now = [0.0]
    backoff = Backoff(10, clock=lambda: now[0])
    assert backoff.next_delay() is not None
    now[0] = 9.0
    assert backoff.next_delay() is not None
    now[0] = 10.0
    assert backoff.next_delay() is None
    backoff.reset()
    assert backoff.next_delay() is not None


def test_a_delay_is_never_less_than_the_server_asks_for() -> None:
    assert Backoff(10).next_delay(at_least=7.0) == 7.0


@pytest.mark.parametrize(
    ("endpoint", "status", "retried"),
    [(GET, 429, True), (CREATE, 429, True), (GET, 503, True), (ORDERS, 503, True), (CREATE, 503, False)]
    + [(GET, status, False) for status in (200, 400, 404, 409, 500)],
)
def test_only_what_did_nothing_or_is_idempotent_is_retried(endpoint: Endpoint[Any], status: int, retried: bool) -> None:
    assert (policy(endpoint).delay_after_response(status, {}, b"") is not None) == retried


def test_retry_after_is_respected() -> None:
    delay = policy(GET).delay_after_response(429, {"retry-after": "3"}, b"")
    assert delay is not None and delay >= 3


@pytest.mark.parametrize("endpoint", [GET, ORDERS, CREATE])
def test_every_request_is_retried_after_retry_after_while_a_game_is_loading(endpoint: Endpoint[Any]) -> None:
    loading = b'{"error": "loading", "sentence": "The game colorfight is loading."}'
    delay = policy(endpoint).delay_after_response(503, {"retry-after": "2"}, loading)
    assert delay is not None and delay >= 2


def test_a_match_is_not_created_again_if_the_database_may_have_it() -> None:
    unavailable = b'{"error": "unavailable", "sentence": "The database cannot be reached now."}'
    assert policy(CREATE).delay_after_response(503, {"retry-after": "1"}, unavailable) is None


def test_after_a_lost_connection_only_idempotent_requests_are_retried() -> None:
    assert policy(ORDERS).delay_after_error(httpx.ReadError("gone")) > 0
    with pytest.raises(UnreachableError):
        policy(CREATE).delay_after_error(httpx.ReadError("gone"))
    assert policy(CREATE).delay_after_error(httpx.ConnectError("refused")) > 0


def test_an_address_that_never_answered_is_given_up_at_once() -> None:
    with pytest.raises(UnreachableError, match="The server at http://there cannot be reached: refused"):
        policy(GET, has_answered=False).delay_after_error(httpx.ConnectError("refused"))
