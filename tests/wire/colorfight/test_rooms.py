"""Rooms are ordinary matches: they survive restarts of the server, and our own API shows the same."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect as open_socket

from tests.support import http_clients as http
from tests.support.api import until
from tests.support.colorfight_client import PATIENCE, ColorfightClient
from tests.support.colorfight_rooms import new_room, post_room, room_url
from tests.support.server import Person, Served, person


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """A server of the test's own."""
    server = Served(tmp_path, "--root", "colorfight")
    yield server
    server.stop()


def test_a_player_reconnects_after_the_server_was_killed(own: Served) -> None:
    room = new_room(own, preset="duel")
    anna, bert = ColorfightClient(room_url(own, room), "anna", "a"), ColorfightClient(room_url(own, room), "bert", "b")
    anna.wait_for_turn(1)
    anna.command("nonsense", "u 0 -1", "")
    bert.command("u 0 -1")
    before = anna.wait_for_turn(2)
    own.kill()
    own.start()
    with (
        ColorfightClient(room_url(own, room), "bert", "b") as again,
        ColorfightClient(room_url(own, room), "anna", "a") as back,
    ):
        assert (back.uid, again.uid) == (anna.uid, bert.uid) == (1, 2)
        assert back.wait_for_turn(2) == before
        assert len(before["error"]["1"]) == 3
        back.command()
        again.command()
        assert back.wait_for_turn(3)["turn"] == 3
    anna.close()
    bert.close()


def test_a_restart_of_the_server_vacates_no_seat(own: Served) -> None:
    room = new_room(own, preset="official")
    anna = ColorfightClient(room_url(own, room), "anna", "a")
    own.stop()
    own.start()
    listed = http.get(f"{own.url}/colorfight/get_gameroom_list").json()
    assert {one["name"]: one["player_number"] for one in listed}[room] == 1
    anna.close()


def test_the_root_speaks_the_same_protocol(own: Served) -> None:
    address = own.url.replace("http", "ws", 1)
    with open_socket(f"{address}/gameroom/public/game_channel", proxy=None, max_size=None) as channel:
        state = json.loads(channel.recv(timeout=PATIENCE))
    assert state["info"]["width"] == 30
    assert http.get(f"{own.url}/get_gameroom_list").json() == [
        {"name": "public", "player_number": 0, "max_player": 8, "turn": 0, "max_turn": 500, "rank": False}
    ]


def test_our_own_api_sees_and_joins_the_same_match(served: Served) -> None:
    room = new_room(served, preset="duel", first_round_time="never")
    with ColorfightClient(room_url(served, room), "anna") as anna, person(served) as bert:
        match = anna.wait_for_turn(0)["info"]["game_id"]
        assert bert.join(match, name="bert") == 1
        assert post_room(served, "start", {"gameroom_id": room, "admin_password": "boss"}) == {"success": True}
        users = anna.wait_for_turn(1)["users"]
        assert [(user["username"], user["verified"]) for user in users.values()] == [("anna", False), ("bert", True)]
        with bert.watch(match, seat=1, want="views") as socket:
            view = socket.next("news")["view"]
            assert view["users"]["0"]["cells"] == users["1"]["cells"]
            bert.order(match)
            anna.command(f"a {view['users']['0']['cells'][0][0]} 0 -1")
            assert socket.news_of(2)["turn"] == anna.wait_for_turn(2)["turn"] == 2


def test_the_next_game_begins_some_seconds_after_the_end(served: Served) -> None:
    room = new_room(served, preset="duel", max_player=1, max_turn=2, finish_time=1)
    with ColorfightClient(room_url(served, room), "anna") as anna:
        first = anna.wait_for_turn(1)["info"]["game_id"]
        anna.command()
        anna.wait_for_turn(2)
        ended = time.monotonic()
        while anna.state["info"]["game_id"] == first:
            anna.read_state()
        assert time.monotonic() - ended > 0.9
        assert (anna.state["turn"], anna.state["users"]) == (0, {})
        assert anna.request(action="command", cmd_list=[]) == {"success": False, "err_msg": "Wrong uid"}


def test_the_clock_of_a_room_runs_without_connections(served: Served) -> None:
    room = new_room(served, preset="constant-run", first_round_time=0, max_turn=4, early=False, round_time=0.2)
    with ColorfightClient(room_url(served, room), "anna") as anna:
        match = anna.wait_for_turn(1)["info"]["game_id"]
    with Person(served) as visitor:
        until(lambda: visitor.info(match).state == "over")


def test_players_may_make_rooms_within_the_ranges(served: Served) -> None:
    with person(served) as anna:
        body = {"gameroom_id": "annas-room", "admin_password": "p", "config": {"preset": "rank_2", "round_time": 0.2}}
        assert post_room(served, "creategameroom", body, token=anna.token) == {"success": True}
        for name, value in (("max_turn", 2001), ("max_player", 3), ("round_time", 0.1), ("bots", ["greedy"])):
            body = {"gameroom_id": "another", "admin_password": "p", "config": {name: value}}
            answer = post_room(served, "creategameroom", body, token=anna.token)
            assert (answer["success"], name in answer["err_msg"]) == (False, True)
    listed = http.get(f"{served.url}/colorfight/get_gameroom_list").json()
    shown = {"name": "annas-room", "player_number": 0, "max_player": 2, "turn": 0, "max_turn": 300, "rank": True}
    assert shown in listed


@pytest.mark.parametrize(
    ("wanted", "stored"), [(True, True), ("always", True), ("end", True), (False, False), ("never", False)]
)
def test_a_replay_exists_after_the_game_if_the_room_stores_replays(
    served: Served, wanted: bool | str, stored: bool
) -> None:
    config = {"preset": "duel", "max_player": 1, "max_turn": 2, "finish_time": 1, "replay_enable": wanted}
    with ColorfightClient(room_url(served, new_room(served, **config)), "anna") as anna, Person(served) as visitor:
        first = anna.wait_for_turn(1)["info"]["game_id"]
        anna.command()
        while anna.state["info"]["game_id"] == first:
            anna.read_state()
        if stored:
            assert visitor.get(f"/matches/{first}/replay").status_code == 200
        else:
            until(lambda: visitor.get(f"/matches/{first}").status_code == 404)
            assert visitor.get(f"/matches/{first}/replay").status_code == 404


def test_a_deleted_room_leaves_its_replay_if_it_stores_replays(served: Served) -> None:
    with Person(served) as visitor:
        for wanted, status in (("end", 200), ("never", 404)):
            room = new_room(served, preset="duel", max_player=1, max_turn=2, replay_enable=wanted)
            with ColorfightClient(room_url(served, room), "anna") as anna:
                match = anna.wait_for_turn(1)["info"]["game_id"]
                anna.command()
                anna.wait_for_turn(2)
            until(lambda: visitor.info(match).state == "over")  # noqa: B023 - called at once
            body = {"gameroom_id": room, "admin_password": "boss"}
            assert post_room(served, "deletegameroom", body) == {"success": True}
            assert visitor.get(f"/matches/{match}/replay").status_code == status


def test_the_last_twenty_chat_lines_are_stored_until_the_next_game(own: Served) -> None:
    room = new_room(own, preset="official")
    with ColorfightClient(room_url(own, room), "anna", "a") as anna:
        for number in range(22):
            assert anna.request(action="chat", msg=f"line {number}") == {"success": True}
    own.kill()
    own.start()
    with ColorfightClient(room_url(own, room), "bert", "b") as bert:
        lines = [line["msg"] for line in bert.wait_for_turn(0)["chat"]]
        assert lines == [f"line {number}" for number in range(2, 22)]
        assert post_room(own, "restart", {"gameroom_id": room, "admin_password": "boss"}) == {"success": True}
        while bert.state["chat"]:
            bert.read_state()
        assert bert.state["users"] == {}
