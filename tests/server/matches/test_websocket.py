"""A match's WebSocket: news, orders and what a reader missed."""

from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from marchland.messages import Answer, Frame, Legend, Receipt, Skipped
from tests.support.server import Person


@pytest.fixture
def match(anna: Person) -> str:
    """A match in which only Anna plays."""
    made = anna.match("colorfight", "open", "empty", config={"width": 70, "height": 40, "max_turn": 1000})
    anna.join(made)
    return made


def test_a_reader_is_greeted_and_shown_everything(anna: Person, match: str) -> None:
    with anna.watch(match) as socket:
        hello, news = socket.next(), socket.next()
    assert (hello["type"], hello["match"], hello["game"], hello["seat"]) == ("hello", match, "colorfight", None)
    assert msgspec.convert(hello["legend"], Legend).board.size == 70 * 40
    assert (news["type"], news["turn"]) == ("news", anna.info(match).turn)
    assert frame_of(news).key


def frame_of(news: dict[str, Any]) -> Frame:
    return msgspec.convert(news["frame"], Frame, str_keys=True)


def test_orders_are_answered_with_a_receipt_and_the_turn_brings_news(anna: Person, match: str) -> None:
    with anna.watch(match, seat=0, want="frames,views,results") as socket:
        turn = socket.next("news")["turn"]
        socket.send(type="orders", orders=[{"do": "nonsense"}], key="a", turn=turn)
        seen = [socket.next(), socket.next()]
    answer = next(msgspec.convert(one, Answer) for one in seen if one["type"] == "answer")
    news = next(one for one in seen if one["type"] == "news")
    assert isinstance(answer.receipt, Receipt)
    assert (answer.key, answer.receipt.turn, answer.receipt.orders) == ("a", turn, 1)
    assert news["view"]["turn"] == news["frame"]["turn"] == news["turn"] == turn + 1
    assert [result["reason"] for result in news["results"]] == ["MALFORMED"]


def test_an_order_sent_again_over_http_gets_the_receipt_of_the_socket(anna: Person, match: str) -> None:
    with anna.watch(match, seat=0, want="none") as socket:
        socket.send(type="orders", orders=[], key="a", ready=False)
        receipt = socket.next("answer")["receipt"]
    assert anna.order(match, key="a").json() == receipt


def test_an_action_over_the_socket_is_done_once(anna: Person) -> None:
    match = anna.match("boidvoid", "open", "empty")
    anna.join(match)
    unit = anna.must("POST", f"/matches/{match}/legal", json={})["spawn"]["pieces"][0]
    spawn = {"do": "spawn", "unit": unit}
    spawn["at"] = anna.must("POST", f"/matches/{match}/legal", json=spawn)["cells"][0]
    with anna.watch(match, seat=0) as socket:
        for _ in range(2):
            socket.send(type="act", order=spawn, key="a")
        first, again = socket.next("answer")["acted"], socket.next("answer")["acted"]
    assert first == again
    assert (first["result"]["ok"], first["seq"]) == (True, 1)


def test_who_comes_back_is_shown_how_it_stands_and_can_ask_for_what_was_missed(anna: Person, match: str) -> None:
    with anna.watch(match) as socket:
        turn = socket.next("news")["turn"]
    for missed in range(turn, turn + 3):
        with anna.watch(match, want="none") as socket:
            anna.order(match, turn=missed).raise_for_status()
            socket.news_of(missed + 1)
    with anna.watch(match) as socket:
        frame = frame_of(socket.next("news"))
    assert (frame.turn, frame.key) == (turn + 3, True)
    missing = anna.must("GET", f"/matches/{match}/frames?from={turn}")
    assert [one["turn"] for one in missing] == [turn, turn + 1, turn + 2, turn + 3]


def test_a_reader_gets_only_the_chunks_it_requests(anna: Person, match: str) -> None:
    with anna.watch(match) as socket:
        every = {patch.chunk for patch in frame_of(socket.next("news")).patches}
        socket.send(type="see", chunks=[1, 4])
        some = frame_of(socket.next("news"))
        socket.send(type="see", chunks=None)
        again = {patch.chunk for patch in frame_of(socket.next("news")).patches}
    assert every == again == {0, 1, 2, 3, 4, 5}
    assert some.key
    assert {patch.chunk for patch in some.patches} == {1, 4}


def test_a_reader_that_falls_behind_learns_how_many_news_were_skipped(anna: Person) -> None:
    match = anna.match("colorfight", "open", "empty", config={"width": 130, "height": 130, "max_turn": 1000})
    anna.join(match)
    with anna.watch(match, seat=0, want="views") as slow, anna.watch(match, want="none") as quick:
        turn = quick.next("news")["turn"]
        for played in range(turn, turn + 40):
            anna.order(match, turn=played).raise_for_status()
            quick.news_of(played + 1)
        seen: list[Any] = []
        while not seen or seen[-1].get("turn") != turn + 40:
            seen.append(slow.next())
    left_out = sum(msgspec.convert(one, Skipped).count for one in seen if one["type"] == "skipped")
    turns = [one["turn"] for one in seen if one["type"] == "news"]
    assert turns == sorted(turns)
    assert left_out > 0
    assert len(turns) + left_out >= 40 + 1


def test_who_reads_is_sent_away_with_1012_when_the_match_is_removed(
    anna: Person, organiser: Person, match: str
) -> None:
    with anna.watch(match) as socket:
        socket.next("news")
        organiser.must("DELETE", f"/matches/{match}")
        with pytest.raises(ConnectionClosed):
            socket.next()
        assert socket.connection.close_code == 1012


@pytest.mark.parametrize("moment", [".", ".5", "1.", "1.2.3", "-1", "one"])
def test_where_a_reader_was_is_a_turn_or_a_turn_and_an_action(anna: Person, match: str, moment: str) -> None:
    with anna.watch(match, **{"from": moment}) as socket, pytest.raises(ConnectionClosed) as closed:
        socket.next()
    close_frame = closed.value.rcvd
    assert close_frame is not None and close_frame.code == 4400 and "12.3" in close_frame.reason


def test_a_reader_who_wants_what_does_not_exist_is_refused(anna: Person, match: str) -> None:
    with anna.watch(match, want="views,maps") as socket, pytest.raises(ConnectionClosed) as closed:
        socket.next()
    close_frame = closed.value.rcvd
    assert close_frame is not None and close_frame.code == 4400
    assert close_frame.reason == "There is no 'maps' to want; there are frames, views and results."


def test_a_token_that_is_revoked_while_a_match_waits_opens_nothing(anna: Person) -> None:
    match = anna.match("colorfight", "open", "empty", auto_start=False)
    anna.join(match)
    lost = anna.must("POST", "/tokens", json={"label": "lost"})
    with Person(anna.served, lost["token"]) as thief, thief.watch(match, seat=0) as socket:
        assert socket.next("news")["state"] == "lobby"
        anna.must("DELETE", f"/tokens/{lost['id']}")
        anna.must("POST", f"/matches/{match}/start")
        with pytest.raises(ConnectionClosed) as closed:
            socket.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401
