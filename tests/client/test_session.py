"""What a seat says and hears, without any socket."""

import itertools
import json
from typing import Any

import msgspec
import pytest

from marchland.client import ClientError
from marchland.client.session import Session


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(clock: Clock) -> Session:
    numbers = itertools.count(1)
    return Session(key=lambda: f"key {next(numbers)}", clock=clock)


def news(turn: int, **more: Any) -> str:
    told = {"type": "news", "turn": turn, "seq": 0, "state": "running", "now": 5.0, "view": {"turn": turn}}
    return json.dumps({**told, **more})


def answer(key: str, **more: Any) -> str:
    return json.dumps({"type": "answer", "key": key, **more})


RECEIPT = {"turn": 1, "orders": 0, "received": 5.0}
OUTCOME = {"ranking": [{"player": 0, "name": "ada", "place": 1, "figures": {}}], "reason": "The end."}


def asked(session: Session, turn: int) -> str:
    """Have the session asked about a turn and answer it; returns the message."""
    session.heard(news(turn))
    question = session.question()
    assert question is not None and question.turn == turn
    return session.orders(turn, [])


def test_news_with_a_view_ask_for_orders_once(session: Session) -> None:
    session.heard(news(1, closes=9.0))
    assert session.question() == (1, {"turn": 1}, 9.0)
    assert session.question() is None


def test_an_immediate_action_in_the_same_turn_asks_for_nothing(session: Session) -> None:
    asked(session, 1)
    session.heard(news(1, seq=1))
    assert session.question() is None


def test_only_the_newest_turn_is_asked_about(session: Session) -> None:
    session.heard(news(1))
    session.heard(news(2))
    question = session.question()
    assert question is not None and question.turn == 2


def test_orders_name_their_turn_and_a_fresh_key(session: Session) -> None:
    first, second = asked(session, 1), asked(session, 2)
    assert json.loads(first) == {"type": "orders", "orders": [], "key": "key 1", "turn": 1, "ready": True}
    assert json.loads(second)["key"] == "key 2"


def test_on_a_new_connection_what_got_no_answer_is_said_again_with_the_same_key(session: Session) -> None:
    first, second = asked(session, 1), asked(session, 2)
    assert session.opened() == [first, second]
    session.heard(answer("key 1", receipt=RECEIPT))
    assert session.opened() == [second]
    session.heard(answer("key 2", receipt=RECEIPT))
    assert session.opened() == []


def test_a_turn_that_was_answered_before_the_connection_broke_is_not_asked_again(session: Session) -> None:
    asked(session, 3)
    session.opened()
    session.heard(news(3))
    assert session.question() is None


def test_orders_that_come_too_late_are_counted_and_not_said_again(session: Session) -> None:
    asked(session, 1)
    session.heard(answer("key 1", error="too_late", sentence="Turn 1 is closed."))
    session.heard(news(2, late=True))
    assert session.late == {1}
    assert session.opened() == []


def test_a_turn_that_went_on_without_the_seat_is_late(session: Session) -> None:
    session.heard(news(1))
    session.heard(news(2, late=True))
    assert session.late == {1}


@pytest.mark.parametrize("error", ["too_many", "unavailable"])
def test_what_the_server_could_not_take_now_is_said_again_after_a_while(
    session: Session, clock: Clock, error: str
) -> None:
    line = asked(session, 1)
    assert session.wait() is None
    session.heard(answer("key 1", error=error, sentence="Not now."))
    assert session.again() == []
    wait = session.wait()
    assert wait is not None and wait > 0
    clock.now += wait
    assert session.again() == [line]
    assert session.wait() is None


def test_what_was_said_twice_is_counted_once(session: Session) -> None:
    asked(session, 1)
    session.opened()
    for _ in range(2):
        session.heard(answer("key 1", error="over", sentence="The match is over."))
    assert session.rejected == {"over: The match is over.": 1}


def test_a_post_that_is_not_taken_is_counted_and_the_match_is_not_kept_waiting(session: Session) -> None:
    session.heard(news(1))
    session.question()
    session.orders(1, ["order"])
    session.heard(answer("key 1", error="too_large", sentence="Too many orders."))
    assert session.rejected == {"too_large: Too many orders.": 1}
    assert session.wait() == 0
    (instead,) = session.again()
    assert json.loads(instead) == {"type": "orders", "orders": [], "key": "key 2", "turn": 1, "ready": True}
    session.heard(answer("key 2", error="over", sentence="The match is over."))
    assert session.wait() is None


def test_what_was_too_large_for_the_connection_is_not_said_again(session: Session) -> None:
    session.heard(news(1))
    session.question()
    session.orders(1, ["order"])
    session.too_large()
    (instead,) = session.opened()
    assert json.loads(instead)["orders"] == []
    assert sum(session.rejected.values()) == 1


def test_refused_orders_are_counted_by_reason(session: Session) -> None:
    results = [{"ok": True, "reason": "OK"}, {"ok": False, "reason": "FAR"}, {"ok": False, "reason": "FAR"}]
    session.heard(news(1))
    session.heard(news(2, results=results))
    assert session.refused == {"FAR": 2}
    assert session.results() == [(1, results)]
    assert session.results() == []


def test_the_end_asks_for_nothing(session: Session) -> None:
    session.heard(news(1))
    session.heard(news(2, state="over", outcome=OUTCOME))
    assert session.is_over
    assert session.outcome is not None and session.outcome.winners == [0]
    assert session.question() is None


def test_news_that_were_left_out_are_counted(session: Session) -> None:
    session.heard('{"type": "skipped", "count": 3}')
    assert session.skipped == 3


def test_messages_of_a_kind_that_is_not_known_are_passed_over(session: Session) -> None:
    session.heard('{"type": "weather", "rain": true}')
    assert session.question() is None


@pytest.mark.parametrize("rubbish", ["", "[]", "{}", "hello", '{"type": "news"}', b"\xff"])
def test_rubbish_from_the_server_is_an_error_with_a_sentence(session: Session, rubbish: str | bytes) -> None:
    with pytest.raises(ClientError, match="The server"):
        session.heard(rubbish)


def test_an_answer_as_the_server_encodes_it_is_understood(session: Session) -> None:
    from marchland.messages import Answer, Receipt

    asked(session, 1)
    session.heard(msgspec.json.encode(Answer("key 1", receipt=Receipt(1, 0, 5.0))))
    assert session.opened() == []
