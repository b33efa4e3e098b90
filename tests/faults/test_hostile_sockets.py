"""WebSockets that send garbage, read nothing or vanish: each is answered or closed, and the match continues."""

import contextlib
import socket
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.server import Person, Served, Socket

pytestmark = [pytest.mark.usefixtures("undisturbed"), pytest.mark.alone]

DEEP = '{"type":"orders","key":"k","orders":[' + "[" * 400 + "]" * 400 + "]}"


@pytest.fixture
def match(anna: Person) -> str:
    made = anna.match("colorfight", "open", "empty")
    anna.join(made)
    return made


def close_code(person: Person, match: str, act: Callable[[Socket], Any] = lambda opened: None, **query: Any) -> int:
    """The code with which the server closes, after ``act``."""
    with person.watch(match, **query) as opened:
        with contextlib.suppress(ConnectionClosed):
            act(opened)
            while True:
                opened.next()
        return opened.connection.close_code or 0


def answers(opened: Socket, *texts: str | bytes) -> list[dict[str, Any]]:
    """What the server says to each of these."""
    reply = []
    for text in texts:
        opened.connection.send(text)
        reply.append(opened.next("answer"))
    return reply


def test_a_socket_with_a_bad_token_is_closed_with_4401(served: Served, match: str) -> None:
    with Person(served, "ml_made-up") as stranger:
        assert close_code(stranger, match) == 4401


def test_a_socket_for_the_seat_of_another_account_is_closed_with_4403(bert: Person, anna: Person) -> None:
    match = anna.match("hive", "open", "greedy")
    anna.join(match)
    assert close_code(bert, match, seat=0) == 4403


@pytest.mark.parametrize("id", ["nope", "a%00b", "x" * 3_000, "%C3%A9" * 100])
def test_a_socket_for_a_match_that_is_not_there_is_closed_with_4404(anna: Person, id: str) -> None:
    assert close_code(anna, id) == 4404


@pytest.mark.parametrize("seat", ["x", -1, 1.5, 10**30, "%00"])
def test_a_socket_for_a_seat_that_is_no_number_is_closed_with_4400(anna: Person, match: str, seat: Any) -> None:
    assert close_code(anna, match, seat=seat) == 4400


def test_a_socket_at_no_address_is_refused(anna: Person, match: str) -> None:
    with pytest.raises(InvalidStatus) as refused, anna.watch(f"{match}/x"):
        pass
    assert refused.value.response.status_code in (403, 404)


@pytest.mark.parametrize(
    "garbage",
    [
        "hello",
        "",
        "[]",
        "{}",
        b"\0\1\2",
        '{"type":"nonsense"}',
        '{"type":"orders","key":"k"}',
        '{"type":"orders","orders":[],"key":"k","turn":-1}',
        '{"type":"orders","orders":[],"key":""}',
        '{"type":"see","chunks":"all"}',
        "[" * 900_000,
    ],
    ids=lambda garbage: str(garbage)[:30],
)
def test_garbage_is_answered_with_what_is_wrong(anna: Person, match: str, garbage: str | bytes) -> None:
    with anna.watch(match, seat=0) as opened:
        (answer,) = answers(opened, garbage)
        assert answer["error"] == "bad_request"
        assert answer["sentence"]
        opened.send(type="orders", orders=[], key="k")
        assert opened.next("answer")["receipt"]["orders"] == 0


def send_garbage(opened: Socket) -> None:
    for _ in range(10):
        opened.connection.send("x")


def test_much_garbage_closes_the_socket_with_4400(anna: Person, match: str) -> None:
    assert close_code(anna, match, send_garbage) == 4400


def test_a_message_of_10_mb_closes_the_socket_with_1009(served: Served, anna: Person, match: str) -> None:
    before = served.memory()
    assert close_code(anna, match, lambda opened: opened.connection.send("x" * 10_000_000)) == 1009
    assert served.memory() - before < 20_000_000


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ('{"type":"orders","key":"k","orders":[' + "1," * 20_000 + "1]}", "too_large"),
        (DEEP, "too_large"),
        ('{"type":"orders","key":"k","orders":[],"turn":999}', "too_early"),
        ('{"type":"orders","key":"k","orders":[],"turn":0}', "too_late"),
    ],
    ids=["many", "deep", "early", "late"],
)
def test_orders_that_cannot_be_taken_are_refused(anna: Person, match: str, message: str, error: str) -> None:
    with anna.watch(match, seat=0) as opened:
        (answer,) = answers(opened, message)
        assert (answer["key"], answer["error"]) == ("k", error)


def test_a_spectator_cannot_give_orders(bert: Person, match: str) -> None:
    with bert.watch(match) as opened:
        opened.send(type="orders", orders=[], key="k")
        assert opened.next("answer")["error"] == "not_your_seat"


def test_who_looks_at_an_open_board_through_the_eyes_of_another_gets_no_results(bert: Person, match: str) -> None:
    with bert.watch(match, seat=0, want="results,views") as opened:
        news = opened.next("news")
        assert "view" in news and "results" not in news
        opened.send(type="orders", orders=[], key="k")
        assert opened.next("answer")["error"] == "not_your_seat"


def test_a_revoked_token_closes_its_sockets_with_4401(anna: Person, match: str) -> None:
    reply = anna.must("POST", "/tokens", json={})
    with Person(anna.served, reply["token"]) as other:
        revoke = lambda opened: anna.must("DELETE", f"/tokens/{reply['id']}")  # noqa: E731
        assert close_code(other, match, revoke, seat=0) == 4401


def test_who_leaves_a_seat_sees_no_more_through_its_eyes(anna: Person) -> None:
    match = anna.match("hive", "open", "greedy")
    anna.join(match)
    assert close_code(anna, match, lambda opened: anna.must("POST", f"/matches/{match}/leave"), seat=0) == 4403


def test_who_never_reads_is_skipped_and_not_waited_for(served: Served, anna: Person) -> None:
    match = anna.match("colorfight", "open", "empty", config={"width": 90, "height": 90})
    anna.join(match)
    before = served.memory()
    with deaf(anna, match), anna.watch(match, want="none") as opened:
        turn = opened.next("news")["turn"]
        for played in range(turn, turn + 60):
            anna.order(match, turn=played).raise_for_status()
            opened.news_of(played + 1)
    assert served.memory() - before < 60_000_000


@contextlib.contextmanager
def deaf(person: Person, match: str) -> Any:
    """A seat's socket that asks for everything and reads nothing."""
    query = "seat=0&want=views,results"
    lines = [
        f"GET /api/v1/matches/{match}/live?{query} HTTP/1.1",
        "Host: x",
        f"Authorization: Bearer {person.token}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", int(person.served.url.rpartition(":")[2])))
    raw.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    with raw:
        yield raw


def test_who_sends_without_reading_fills_no_memory(served: Served, anna: Person, match: str) -> None:
    before = served.memory()
    text = b'{"type":"orders","orders":[],"key":"%032d"}'
    frame = b"\x81" + bytes([0x80 | len(text % 0)]) + b"\0\0\0\0"
    with deaf(anna, match) as raw, contextlib.suppress(OSError):
        raw.settimeout(3)
        for number in range(100):
            raw.sendall(b"".join(frame + text % (number * 1000 + one) for one in range(1000)))
    assert served.memory() - before < 50_000_000
    anna.must("GET", f"/matches/{match}")


def test_200_sockets_at_once_all_get_their_news(anna: Person, anonymous: Person, match: str) -> None:
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(anonymous.watch(match)) for _ in range(200)]
        turn = anna.info(match).turn
        anna.order(match).raise_for_status()
        assert {one.news_of(turn + 1)["turn"] for one in opened} == {turn + 1}


def test_sockets_that_vanish_are_forgotten(served: Served, anna: Person, match: str) -> None:
    for _ in range(30):
        with deaf(anna, match):
            pass
    with anna.watch(match, seat=0, want="none") as opened:
        for _ in range(3):
            turn = anna.info(match).turn
            anna.order(match).raise_for_status()
            opened.news_of(turn + 1)
