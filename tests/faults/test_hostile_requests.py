"""Malformed and excessive requests get a clear answer, and other clients do not notice."""

import json
import socket
from collections.abc import Iterator

import pytest

from tests.support.server import Person, Served, problem

pytestmark = [pytest.mark.usefixtures("undisturbed"), pytest.mark.alone]

MB = 1_000_000


@pytest.fixture
def match(anna: Person) -> str:
    """A match in which Anna has seat 0."""
    made = anna.match("colorfight", "open", "empty")
    anna.join(made)
    return made


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"name": "anna"',
        b'{"name": NaN}',
        b'{"name": "\xff"}',
        b'{"name": "\\ud800"}',
        b'{"name": "a\\u0000b"}',
        b'{"name": 7}',
        b'{"name": ""}',
        b'{"name": "' + b"x" * 41 + b'"}',
        b'{"name": "anna", "role": "admin"}',
        b'{"name": ' + b"[" * 100_000,
        b"[" * 500_000,
    ],
    ids=lambda body: body[:30].decode("latin-1"),
)
def test_a_body_that_is_no_account_is_refused(anonymous: Person, body: bytes) -> None:
    assert problem(anonymous.post("/accounts", content=body), 400).error == "bad_request"


def test_a_token_that_is_not_known_is_refused(served: Served) -> None:
    with Person(served, "ml_made-up") as stranger:
        assert problem(stranger.get("/me"), 401).error == "bad_token"


def test_a_request_without_a_token_is_refused(anonymous: Person) -> None:
    assert problem(anonymous.get("/me"), 401).error == "no_token"


def test_a_revoked_token_is_refused_at_once(anna: Person) -> None:
    response = anna.must("POST", "/tokens", json={"label": "to be lost"})
    with Person(anna.served, response["token"]) as other:
        other.must("GET", "/me")
        anna.must("DELETE", f"/tokens/{response['id']}")
        assert problem(other.get("/me"), 401).error == "bad_token"


def test_an_account_cannot_revoke_the_token_of_another(anna: Person, bert: Person) -> None:
    (token,) = anna.must("GET", "/tokens")
    assert problem(bert.delete(f"/tokens/{token['id']}"), 404).error == "not_found"
    anna.must("GET", "/me")


def test_orders_for_the_seat_of_another_account_are_refused(anna: Person, bert: Person, match: str) -> None:
    assert problem(bert.order(match, seat=0), 403).error == "not_your_seat"
    assert problem(bert.order(match), 409).error == "no_seat"
    assert problem(bert.post(f"/matches/{match}/legal?seat=0", json={}), 403).error == "not_your_seat"
    assert problem(bert.get(f"/matches/{match}/log?seat=0"), 403).error == "not_your_seat"


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_of_100_mb_is_refused_early_and_not_buffered(
    served: Served, anna: Person, match: str, announced: bool
) -> None:
    sent, before = 0, served.memory()

    def stream() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b" " * MB

    headers = {"Content-Length": str(100 * MB)} if announced else {}
    answer = anna.post(f"/matches/{match}/orders", content=stream(), headers=headers)
    assert problem(answer, 413).error == "too_large"
    assert sent < 50
    assert served.memory() - before < 20 * MB


def test_100_000_orders_are_refused(anna: Person, match: str) -> None:
    assert problem(anna.order(match, *range(100_000)), 413).error == "too_large"


@pytest.mark.parametrize(
    "order",
    [{"do": "attack", "at": [0] * 5_000}, {"do": "x" * 5_000}, {"do": [[[[]]]] * 5_000}, {"x" * 5_000: [0] * 5_000}],
    ids=["a long path", "a long verb", "many lists", "a long name"],
)
def test_an_order_with_more_than_a_turn_can_need_is_refused(anna: Person, match: str, order: object) -> None:
    response = problem(anna.order(match, order), 413)
    assert response.error == "too_large"
    assert len(response.sentence) < 200


@pytest.mark.parametrize("depth", [40, 500, 980, 5_000])
def test_orders_that_are_nested_deeply_are_refused(anna: Person, match: str, depth: int) -> None:
    text = '{"key": "k", "orders": [' + "[" * depth + "]" * depth + "]}"
    answer = anna.post(f"/matches/{match}/orders", content=text)
    assert problem(answer, answer.status_code).error in ("too_large", "bad_request")
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize("turn", [-1, 2**31, 10**30, 1.5, "1", True, [1]])
def test_a_turn_that_is_no_turn_is_refused(anna: Person, match: str, turn: object) -> None:
    assert problem(anna.order(match, turn=turn), 400).error == "bad_request"


@pytest.mark.parametrize("value", [10**30, -(10**30), 1.5, 1e308, None, "", "\0", "🐝", {"do": {}}])
def test_orders_that_make_no_sense_are_data_and_refused_in_the_log(anna: Person, match: str, value: object) -> None:
    turn = anna.info(match).turn
    with anna.watch(match, seat=0, want="results") as news:
        anna.order(match, value, {"do": "attack", "at": value, "energy": value}).raise_for_status()
        results = news.news_of(turn + 1)["results"]
    assert [result["ok"] for result in results] == [False, False]


@pytest.mark.parametrize("path", ["", "/view", "/legend", "/frames", "/replay", "/log"])
@pytest.mark.parametrize("id", ["nope", "a%00b", "a%2Fb", "..%2F..", "%ff", "é", "x" * 3_000, "' OR 1=1 --"])
def test_a_match_that_is_not_there_is_not_found(anna: Person, path: str, id: str) -> None:
    assert problem(anna.get(f"/matches/{id}{path}"), 404).error == "not_found"


@pytest.mark.parametrize("query", ["limit=0", "limit=1e9", "limit=x", "state=asleep", "before=x", "game=%00"])
def test_a_question_with_a_bad_parameter_is_refused(anonymous: Person, query: str) -> None:
    assert problem(anonymous.get(f"/matches?{query}"), 400).error == "bad_request"


def test_a_player_cannot_start_a_match_on_a_board_that_would_block_the_server(anna: Person, organiser: Person) -> None:
    large = {"width": 400, "height": 400}
    refused = anna.post(f"/matches/{anna.match('colorfight', 'open', 'empty', config=large)}/join", json={})
    assert problem(refused, 409).error == "cannot_start"
    assert "160,000 cells" in problem(refused, 409).sentence
    match = organiser.match("colorfight", "open", "empty", config=large)
    organiser.join(match)
    assert organiser.info(match).state == "running"
    assert problem(anna.post(f"/matches/{match}/fork", json={"turn": 1}), 409).error == "cannot_start"
    organiser.must("DELETE", f"/matches/{match}")


def test_pipelined_requests_are_answered_one_after_another(served: Served) -> None:
    request = b"GET /api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n"
    last = request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as raw:
        raw.sendall(request * 30 + last)
        text = b"".join(iter(lambda: raw.recv(65536), b""))
    assert text.count(b"HTTP/1.1 200 OK") == 31
    assert text.count(json.dumps(["boidvoid", "colorfight"])[1:10].encode()) == 31


def test_unfinished_requests_do_not_delay_other_clients(served: Served, anonymous: Person) -> None:
    halves = b"GET /api/v1/games HT", b"POST /api/v1/accounts HTTP/1.1\r\nContent-Length: 9\r\n\r\n"
    held = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(150)]
    try:
        for number, raw in enumerate(held):
            raw.sendall(halves[number % 2])
        assert anonymous.must("GET", "/games")
    finally:
        for raw in held:
            raw.close()
