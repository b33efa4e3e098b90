"""Invalid or oversized requests: a JSON string as error, no effect on other clients."""

from pathlib import Path

import pytest

from tests.support import http_clients as http
from tests.support.hive_agent import PATIENCE, Agent
from tests.support.server import Served


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("newgame?map=../../x&players=1", "Map not found: ../../x"),
        ("newgame?map=__proto__&players=1", "Map not found: __proto__"),
        ("newgame?map=tiny&players=-1", "Invalid number of players: -1"),
        ("newgame?map=tiny&players=2&bots=greedy,greedy", "Invalid bots: greedy,greedy"),
        ("join?id=%00&name=anna", "Invalid game id: \x00"),
        ("game?id=%C3%A9&token=%00", "Invalid game id: é"),
        ("history/__proto__.json", "Invalid game id: __proto__"),
    ],
)
def test_an_invalid_query_is_refused_with_a_text(served: Served, query: str, text: str) -> None:
    answer = http.get(f"{served.url}/hive/{query}", timeout=PATIENCE)
    assert (answer.status_code, answer.json()) == (400, text)


@pytest.mark.parametrize("name", ["", "a\x00b", "a\nb", "\u202ex", "x" * 41, "x" * 4000])
def test_a_name_that_is_not_printable_or_too_long_is_invalid(served: Served, name: str) -> None:
    created = http.get(f"{served.url}/hive/newgame", params={"map": "tiny", "players": "1"}, timeout=PATIENCE).json()
    answer = http.get(f"{served.url}/hive/join", params={"id": created["id"], "name": name}, timeout=PATIENCE)
    assert answer.status_code in (400, 414)
    assert answer.status_code == 414 or answer.json() == "Invalid name"


def test_invalid_orders_are_refused_and_the_next_are_accepted(served: Served) -> None:
    query = {"map": "tiny", "players": "1"}
    created = http.get(f"{served.url}/hive/newgame", params=query, timeout=PATIENCE).json()
    agent = Agent(f"{served.url}/hive", created["id"], "__proto__")
    while agent.wait_for_turn()["turn"] < 1:
        pass
    many = b"[" + b",".join([b'{"type":"FORAGE","coords":"1,1"}'] * 10_001) + b"]"
    for body in (b"\xff", b"[" * 100_000, b'{"a":' * 900 + b"1" + b"}" * 900, many):
        answer = agent.send(body)
        assert (answer.status_code, type(answer.json())) == (400, str)
    large = agent.send(b" " * 1_000_001)
    assert (large.status_code, type(large.json())) == (413, str)
    assert agent.send(b'[{"type":"MOVE","coords":"999999999,-999999999","direction":"E"}]').json() == "OK"
    assert agent.wait_for_turn()["turn"] == 2
    agent.close()


def test_an_address_can_create_only_so_many_games(tmp_path: Path) -> None:
    served = Served(tmp_path, "--rate-address", "1000")
    try:
        with http.open_client(base_url=f"{served.url}/hive", timeout=PATIENCE) as client:
            body = {"map": "tiny", "players": "2"}
            answers = [client.get("/newgame", params=body) for _ in range(40)]
            assert answers[19].status_code == 200
            assert answers[-1].status_code == 429
            assert answers[-1].json().startswith("Too many requests")
            created = answers[0].json()["id"]
            assert client.get("/join", params={"id": created, "name": "anna"}).status_code == 200
    finally:
        served.stop()


def test_an_unknown_path_is_refused_with_a_text(served: Served) -> None:
    answer = http.post(f"{served.url}/hive/nowhere", timeout=PATIENCE)
    assert (answer.status_code, answer.json()) == (404, "Not Found")
