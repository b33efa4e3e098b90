"""Sockets of those who come back, and of those who come before the match has started."""

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.server import Person, Socket


@pytest.fixture
def match(anna: Person) -> str:
    """A match in which only Anna plays."""
    made = anna.match("colorfight", "open", "empty", config={"width": 20, "height": 20, "max_turn": 1000})
    anna.join(made)
    return made


def play(anna: Person, match: str, socket: Socket, turns: int) -> int:
    """Play some turns; the one that is reached."""
    for _ in range(turns):
        turn = anna.info(match).turn
        anna.order(match, turn=turn).raise_for_status()
        socket.news_of(turn + 1)
    return turn + 1


def test_a_returning_reader_gets_the_turns_it_has_missed(anna: Person, match: str) -> None:
    with anna.watch(match) as first:
        known = play(anna, match, first, 1)
    with anna.watch(match, seat=0, want="none") as other:
        now = play(anna, match, other, 3)
    with anna.watch(match, **{"from": known}) as again:
        news = [again.next("news") for _ in range(3)]
        assert (
            [one["turn"] for one in news] == [one["frame"]["turn"] for one in news] == list(range(known + 1, now + 1))
        )
        assert not any("key" in one["frame"] for one in news)
        turn = play(anna, match, again, 1)
    with anna.watch(match, **{"from": turn}) as again:
        frame = again.next("news")["frame"]
        assert frame["patches"] == [] and "key" not in frame


@pytest.mark.parametrize("known", ["0", "99999", "3.7"])
def test_a_reader_who_was_somewhere_else_gets_a_key_frame(anna: Person, match: str, known: str) -> None:
    with anna.watch(match, **{"from": known}) as socket:
        assert socket.next("news")["frame"]["key"]


@pytest.mark.parametrize("known", ["soon", "-1", "1.x", "1.2.3", "%C2%B2", "9" * 30])
def test_where_a_reader_was_is_a_number(anna: Person, match: str, known: str) -> None:
    with anna.watch(match, **{"from": known}) as socket, pytest.raises(ConnectionClosed) as closed:
        socket.next("news")
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4400


def test_a_socket_waits_with_the_lobby_and_goes_on_when_the_match_starts(anna: Person, bert: Person) -> None:
    match = anna.match("colorfight", "open", "open")
    anna.join(match)
    with anna.watch(match, seat=0, want="views") as mine, bert.watch(match) as other:
        for socket in (mine, other):
            assert [socket.next()["state"] for _ in range(2)] == ["lobby", "lobby"]
        bert.join(match)
        for socket in (mine, other):
            hello = socket.next()
            assert (hello["type"], hello["state"]) == ("hello", "running")
            assert hello["legend"]["game"] == "colorfight"
        assert mine.next("news")["view"]["turn"] == anna.info(match).turn
        assert other.next("news")["frame"]["key"]
        mine.send(type="orders", orders=[], key="a")
        assert mine.next("answer")["receipt"]["orders"] == 0


def test_a_socket_in_the_lobby_ends_with_the_match(anna: Person) -> None:
    match = anna.match("colorfight", "open", "open")
    with anna.watch(match) as socket:
        assert [socket.next()["state"] for _ in range(2)] == ["lobby", "lobby"]
        anna.must("DELETE", f"/matches/{match}")
        with pytest.raises(ConnectionClosed) as closed:
            socket.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404


def test_messages_before_the_start_of_a_match_are_refused(anna: Person) -> None:
    match = anna.match("colorfight", "open", "open")
    anna.join(match)
    with anna.watch(match, seat=0) as socket:
        socket.send(type="orders", orders=[], key="a")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4400
    assert "not started" in closed.value.rcvd.reason


def test_the_seat_of_another_account_is_refused_when_the_match_starts(anna: Person, bert: Person) -> None:
    match = anna.match("hive", "open", "open")
    anna.join(match)
    with bert.watch(match, seat=0) as socket:
        assert socket.next()["state"] == "lobby"
        bert.join(match)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4403
