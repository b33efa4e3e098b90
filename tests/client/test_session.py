"""The live protocol of a seat, without a socket."""

import itertools
import json
from typing import Any

import msgspec
import pytest

from marchland.client import ClientError
from marchland.client._session import LiveSession


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(clock: Clock) -> LiveSession:
    numbers = itertools.count(1)
    return LiveSession(key=lambda: f"key {next(numbers)}", clock=clock)


def news(turn: int, **more: Any) -> str:
    fields = {"type": "news", "turn": turn, "seq": 0, "state": "running", "now": 5.0, "view": {"turn": turn}}
    return json.dumps({**fields, **more})


def answer(key: str, **more: Any) -> str:
    return json.dumps({"type": "answer", "key": key, **more})


RECEIPT = {"turn": 1, "orders": 0, "received": 5.0}
OUTCOME = {"ranking": [{"player": 0, "name": "ada", "place": 1, "figures": {}}], "reason": "The end."}


def answer_turn(session: LiveSession, turn: int) -> str:
    """Receive the news of a turn and encode orders for it; returns the message."""
    session.receive(news(turn))
    open_turn = session.next_turn()
    assert open_turn is not None and open_turn.turn == turn
    return session.encode_orders(turn, [])


def test_news_with_a_view_open_a_turn_once(session: LiveSession) -> None:
    session.receive(news(1, closes=9.0))
    assert session.next_turn() == (1, {"turn": 1}, 9.0)
    assert session.next_turn() is None


def test_an_immediate_action_does_not_open_the_turn_again(session: LiveSession) -> None:
    answer_turn(session, 1)
    session.receive(news(1, seq=1))
    assert session.next_turn() is None


def test_only_the_newest_turn_is_played(session: LiveSession) -> None:
    session.receive(news(1))
    session.receive(news(2))
    open_turn = session.next_turn()
    assert open_turn is not None and open_turn.turn == 2


def test_orders_name_their_turn_and_a_new_idempotency_key(session: LiveSession) -> None:
    first, second = answer_turn(session, 1), answer_turn(session, 2)
    assert json.loads(first) == {"type": "orders", "orders": [], "key": "key 1", "turn": 1, "ready": True}
    assert json.loads(second)["key"] == "key 2"


def test_a_reconnect_resends_unanswered_posts_with_the_same_key(session: LiveSession) -> None:
    first, second = answer_turn(session, 1), answer_turn(session, 2)
    assert session.on_connect() == [first, second]
    session.receive(answer("key 1", receipt=RECEIPT))
    assert session.on_connect() == [second]
    session.receive(answer("key 2", receipt=RECEIPT))
    assert session.on_connect() == []


def test_a_turn_that_was_played_before_the_reconnect_is_not_opened_again(session: LiveSession) -> None:
    answer_turn(session, 3)
    session.on_connect()
    session.receive(news(3))
    assert session.next_turn() is None


def test_orders_that_come_too_late_are_counted_and_not_resent(session: LiveSession) -> None:
    answer_turn(session, 1)
    session.receive(answer("key 1", error="too_late", sentence="Turn 1 is closed."))
    session.receive(news(2, late=True))
    assert session.late == {1}
    assert session.on_connect() == []


def test_a_turn_that_went_on_without_the_seat_is_late(session: LiveSession) -> None:
    session.receive(news(1))
    session.receive(news(2, late=True))
    assert session.late == {1}


@pytest.mark.parametrize("error", ["too_many", "unavailable"])
def test_a_post_that_the_server_could_not_accept_is_retried_after_a_delay(
    session: LiveSession, clock: Clock, error: str
) -> None:
    line = answer_turn(session, 1)
    assert session.seconds_until_resend() is None
    session.receive(answer("key 1", error=error, sentence="Not now."))
    assert session.resend() == []
    wait = session.seconds_until_resend()
    assert wait is not None and wait > 0
    clock.now += wait
    assert session.resend() == [line]
    assert session.seconds_until_resend() is None


def test_a_post_that_was_sent_twice_is_counted_once(session: LiveSession) -> None:
    answer_turn(session, 1)
    session.on_connect()
    for _ in range(2):
        session.receive(answer("key 1", error="over", sentence="The match is over."))
    assert session.rejected == {"over: The match is over.": 1}


def test_a_rejected_post_is_counted_and_replaced_by_one_without_orders(session: LiveSession) -> None:
    session.receive(news(1))
    session.next_turn()
    session.encode_orders(1, ["order"])
    session.receive(answer("key 1", error="too_large", sentence="Too many orders."))
    assert session.rejected == {"too_large: Too many orders.": 1}
    assert session.seconds_until_resend() == 0
    (instead,) = session.resend()
    assert json.loads(instead) == {"type": "orders", "orders": [], "key": "key 2", "turn": 1, "ready": True}
    session.receive(answer("key 2", error="over", sentence="The match is over."))
    assert session.seconds_until_resend() is None


def test_a_post_that_was_too_large_for_the_connection_is_not_resent(session: LiveSession) -> None:
    session.receive(news(1))
    session.next_turn()
    session.encode_orders(1, ["order"])
    session.drop_unanswered_orders()
    (instead,) = session.on_connect()
    assert json.loads(instead)["orders"] == []
    assert sum(session.rejected.values()) == 1


def test_refused_orders_are_counted_by_reason(session: LiveSession) -> None:
    results = [{"ok": True, "reason": "OK"}, {"ok": False, "reason": "FAR"}, {"ok": False, "reason": "FAR"}]
    session.receive(news(1))
    session.receive(news(2, results=results))
    assert session.refused == {"FAR": 2}
    assert session.take_results() == [(1, results, [])]
    assert session.take_results() == []


def test_the_end_opens_no_turn(session: LiveSession) -> None:
    session.receive(news(1))
    session.receive(news(2, state="over", outcome=OUTCOME))
    assert session.is_over
    assert session.outcome is not None and session.outcome.winners == [0]
    assert session.next_turn() is None


def test_skipped_news_are_counted(session: LiveSession) -> None:
    session.receive('{"type": "skipped", "count": 3}')
    assert session.skipped == 3


def test_messages_of_an_unknown_type_are_ignored(session: LiveSession) -> None:
    session.receive('{"type": "weather", "rain": true}')
    assert session.next_turn() is None


@pytest.mark.parametrize("rubbish", ["", "[]", "{}", "hello", '{"type": "news"}', b"\xff"])
def test_rubbish_from_the_server_is_an_error_with_a_sentence(session: LiveSession, rubbish: str | bytes) -> None:
    with pytest.raises(ClientError, match="The server"):
        session.receive(rubbish)


def test_an_answer_as_the_server_encodes_it_is_understood(session: LiveSession) -> None:
    from marchland.messages import Answer, Receipt

    answer_turn(session, 1)
    session.receive(msgspec.json.encode(Answer("key 1", receipt=Receipt(1, 0, 5.0))))
    assert session.on_connect() == []
