"""HTTP of Hive's agents: responses, persistent connections, Expect headers and rate limits."""

import json
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect as open_socket

from tests.support import http_clients as http
from tests.support.hive_agent import PATIENCE, Agent
from tests.support.server import ADMIN, Person, Served


def _game(served: Served, players: int = 1, **more: str) -> dict[str, str]:
    body = {"map": "tiny", "players": str(players), **more}
    created: dict[str, str] = http.get(f"{served.url}/hive/newgame", params=body, timeout=PATIENCE).json()
    return created


def _token(served: Served, game: str, name: str = "anna") -> str:
    query = {"id": game, "name": name}
    return str(http.get(f"{served.url}/hive/join", params=query, timeout=PATIENCE).json()["token"])


def test_a_game_is_called_three_words_and_a_number(served: Served) -> None:
    created = _game(served)
    assert list(created) == ["id", "numPlayers", "map", "createdDate", "adminToken"]
    assert re.fullmatch(r"([a-z]+-){3}\d+", created["id"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", created["createdDate"])


def test_the_status_lists_games_with_exactly_the_keys_of_the_protocol(served: Served) -> None:
    created = _game(served, 2)
    _token(served, created["id"])
    listing = http.get(f"{served.url}/hive/status", timeout=PATIENCE).json()
    assert list(listing) == ["gitRevision", "games"]
    (game,) = [one for one in listing["games"] if one["id"] == created["id"]]
    shown = {name: created[name] for name in ("id", "createdDate", "map", "numPlayers")}
    assert game == {**shown, "players": ["anna"], "gameOver": False}
    assert list(game) == ["id", "createdDate", "map", "numPlayers", "players", "gameOver"]


def test_a_state_has_exactly_the_keys_of_the_protocol(served: Served) -> None:
    game = _game(served)["id"]
    query = {"id": game, "token": _token(served, game)}
    state = http.get(f"{served.url}/hive/game", params=query, timeout=PATIENCE).json()
    assert list(state) == ["numPlayers", "turn", "hexes", "playerResources", "lastResourceChange", "gameOver"]
    keys = {tuple(cell) for cell in state["hexes"].values()}
    assert keys <= {("terrain", *rest) for rest in _HEX_KEYS}
    assert {tuple(cell["entity"]) for cell in state["hexes"].values() if "entity" in cell} == {("type", "player")}


_HEX_KEYS = [(), ("resources",), ("entity",), ("influence",), ("resources", "influence"), ("entity", "influence")]


def test_a_socket_for_an_unknown_game_is_refused_and_no_error_of_the_server(served: Served) -> None:
    with pytest.raises(InvalidStatus) as refused:
        open_socket(f"{served.url.replace('http', 'ws', 1)}/hive/ws?id=no-such-game-1", proxy=None)
    assert refused.value.response.status_code == 400
    assert refused.value.response.body == b'"Invalid game id: no-such-game-1"'
    _game(served)  # an answer after the socket's: its log line would be there
    assert "handshake" not in served.log.read_text()


def test_a_request_with_expect_gets_100_continue(served: Served) -> None:
    game = _game(served)["id"]
    token = _token(served, game)
    head = f"POST /hive/orders?id={game}&token={token} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        connection.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 Continue\r\n\r\n")
        connection.sendall(b"[]")
        answer = connection.recv(1000)
        while b"\r\n\r\n" not in answer or not answer.endswith(b'"OK"'):
            answer += connection.recv(1000)
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_connection_serves_many_requests(served: Served) -> None:
    game = _game(served)["id"]
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        for _ in range(3):
            connection.sendall(f"GET /hive/game?id={game}&token=x HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            answer = b""
            while not answer.endswith(b'"Invalid token"'):
                answer += connection.recv(1000)
            assert answer.startswith(b"HTTP/1.1 403 ")


@contextmanager
def _agents(served: Served, **more: str) -> Iterator[tuple[Agent, Agent]]:
    """Both agents of a new game."""
    created = _game(served, 2, **more)
    with (
        closing(Agent(f"{served.url}/hive", created["id"], "anna")) as anna,
        closing(Agent(f"{served.url}/hive", created["id"], "bert")) as bert,
    ):
        yield anna, bert


_TRIES = 5
"""A busy machine may be late for turns of two seconds, but hardly so often in a row."""


def _time_turns(served: Served) -> tuple[float, float, float]:
    """Seconds of the first turn, of one in which both post, and from its start to the end of one in which one does."""
    start = time.monotonic()
    with _agents(served) as (anna, bert):
        assert anna.wait_for_turn() == {"turn": 0, "gameOver": False}
        assert anna.wait_for_turn()["turn"] == 1
        first = time.monotonic() - start
        anna.post([])
        start = time.monotonic()
        bert.post([])
        assert anna.wait_for_turn()["turn"] == 2
        ready = time.monotonic() - start
        anna.post([])
        assert anna.wait_for_turn()["turn"] == 3
        return first, ready, time.monotonic() - start


def test_a_turn_runs_when_all_have_posted_or_after_two_seconds(served: Served) -> None:
    for _ in range(_TRIES):
        first, ready, not_ready = _time_turns(served)
        assert first > 0.1 and not_ready > 1.5
        if max(first, ready) < 1.5:
            return
    raise AssertionError(f"turns of {first:.1f} and {ready:.1f} seconds")


def test_a_repeated_post_replaces_the_first(served: Served) -> None:
    for _ in range(_TRIES):
        with _agents(served, edition="seed") as (anna, bert):
            while anna.wait_for_turn()["turn"] < 1:
                pass
            before = anna.load_state()
            bees = sorted(at for at, cell in before["hexes"].items() if cell.get("entity", {}).get("type") == "BEE")
            anna.post([{"type": "BUILD_HIVE", "coords": bee} for bee in bees])
            anna.post([])
            if anna.load_state()["turn"] != before["turn"]:
                continue  # the posts may belong to different turns
            bert.post([])
            assert anna.wait_for_turn()["turn"] == 2
            assert anna.load_state()["hexes"] == before["hexes"]
            return
    raise AssertionError("no turn lasted for two posts")


def test_the_admin_token_is_refused_while_its_holder_may_have_a_seat(served: Served) -> None:
    created = _game(served)
    token = _token(served, created["id"])
    statuses = []
    for one in (created["adminToken"], token):
        query = {"id": created["id"], "token": one}
        statuses.append(http.get(f"{served.url}/hive/game", params=query, timeout=PATIENCE).status_code)
    assert statuses == [403, 200]


@pytest.fixture
def permissive(tmp_path: Path) -> Iterator[Served]:
    """A server whose organiser lets creators see all of their games."""
    server = Served(tmp_path, "--creators-see-all")
    yield server
    server.stop()


def test_players_see_their_own_part_and_the_admin_everything_where_the_organiser_allows_it(permissive: Served) -> None:
    served = permissive
    created = _game(served, 2, edition="seed")
    base = f"{served.url}/hive"
    anna, bert = Agent(base, created["id"], "anna"), Agent(base, created["id"], "bert")
    while anna.wait_for_turn()["turn"] < 1:
        pass
    query = {"id": created["id"], "token": created["adminToken"]}
    whole = http.get(f"{base}/game", params=query, timeout=PATIENCE).json()["hexes"]
    seen = [anna.load_state()["hexes"], bert.load_state()["hexes"]]
    assert all(set(one) < set(whole) for one in seen)
    assert seen[0] != seen[1]
    shown = [cell for cell in whole.values() if "entity" in cell]
    assert {cell["entity"]["type"] for cell in shown} == {"BEE", "HIVE"}
    assert {cell["entity"]["hp"] for cell in shown} == {2, 12}
    assert {cell["terrain"] for cell in whole.values()} <= {"EMPTY", "ROCK", "FIELD"}
    assert {cell["resources"] for cell in whole.values() if cell["terrain"] == "FIELD"} == {120}
    assert {cell["influence"] for cell in whole.values() if "influence" in cell} == {0, 1}
    anna.close()
    bert.close()


def test_the_match_is_an_ordinary_one_with_fog_in_our_own_api(served: Served) -> None:
    created = _game(served)
    _token(served, created["id"])
    with Person(served, ADMIN) as admin:
        (row,) = admin.must("GET", "/matches", params={"game": "hive", "limit": 1})
        assert row["seats"][0]["name"] == "anna"
        assert row["config"]["edition"] == "2025"
        assert admin.get(f"/matches/{row['id']}/view").status_code == 403


def test_an_unfilled_game_is_deleted_after_five_minutes(served: Served) -> None:
    old, young, played = _game(served, 2)["id"], _game(served, 2)["id"], _game(served)["id"]
    _token(served, old)
    _token(served, played)
    with sqlite3.connect(served.database, timeout=PATIENCE) as database:
        ids = [name for (name,) in database.execute("SELECT match FROM wire_games WHERE name IN (?, ?)", (old, played))]
        database.execute("UPDATE matches SET created = created - 301 WHERE id IN (?, ?)", ids)
    database.close()
    ends = time.monotonic() + PATIENCE
    while old in (listed := [game["id"] for game in http.get(f"{served.url}/hive/status").json()["games"]]):
        assert time.monotonic() < ends
        time.sleep(0.2)
    assert {young, played} <= set(listed)
    answer = http.get(f"{served.url}/hive/join", params={"id": old, "name": "bert"})
    assert (answer.status_code, answer.json()) == (400, f"Invalid game id: {old}")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    server = Served(tmp_path, "--root", "hive", "--rate", "5", "--wire-turn", "2")
    yield server
    server.stop()


def test_a_token_is_good_after_the_server_was_killed_and_at_the_root_as_well(own: Served) -> None:
    game = _game(own)["id"]
    token = _token(own, game)
    own.kill()
    own.start()
    answer = http.get(f"{own.url}/game", params={"id": game, "token": token}, timeout=PATIENCE)
    assert answer.status_code == 200
    assert json.loads(answer.content)["numPlayers"] == 1


def test_a_token_over_its_rate_gets_429(own: Served) -> None:
    game = _game(own)["id"]
    query = {"id": game, "token": _token(own, game)}
    with http.open_client(base_url=f"{own.url}/hive", timeout=PATIENCE) as client:
        answers = [client.get("/game", params=query) for _ in range(20)]
    assert answers[0].status_code == 200
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused and all(answer.json().startswith("Too many requests") for answer in refused)
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)


def test_an_agent_may_play_against_itself(served: Served) -> None:
    created = _game(served, 3)
    query = {"id": created["id"], "name": "anna"}
    joined = [http.get(f"{served.url}/hive/join", params=query, timeout=PATIENCE).json() for _ in range(3)]
    assert [one["id"] for one in joined] == [0, 1, 2]
    assert len({one["token"] for one in joined}) == 3
    games = http.get(f"{served.url}/hive/status", timeout=PATIENCE).json()["games"]
    assert next(game for game in games if game["id"] == created["id"])["players"] == ["anna", "anna 2", "anna 3"]
    full = http.get(f"{served.url}/hive/join", params=query, timeout=PATIENCE)
    assert (full.status_code, full.json()) == (400, "Game is full")
