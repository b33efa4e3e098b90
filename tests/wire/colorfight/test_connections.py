"""Compression, pings and rate limits of the channels."""

import json
from pathlib import Path

import pytest
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from tests.support import http_clients as http
from tests.support.colorfight_client import PATIENCE, ColorfightClient
from tests.support.colorfight_rooms import new_room, room_url
from tests.support.server import Served, person


def _connected(url: str, compression: str | None) -> ClientConnection:
    return open_socket(url, proxy=None, max_size=None, compression=compression, legacy=True)


def test_a_channel_is_compressed_if_the_client_offers_it_with_the_same_content(served: Served) -> None:
    address = room_url(served, new_room(served, preset="official")) + "/game_channel"
    with _connected(address, "deflate") as packed, _connected(address, None) as plain:
        assert [type(one) for one in packed.protocol.extensions] == [PerMessageDeflate]
        assert plain.protocol.extensions == []
        assert packed.recv(timeout=PATIENCE) == plain.recv(timeout=PATIENCE)


def test_every_compressed_reader_gets_each_state(served: Served) -> None:
    room = new_room(served, preset="duel", bots=["idle"])
    with ColorfightClient(room_url(served, room), "anna") as anna:
        match = anna.wait_for_turn(1)["info"]["game_id"]
        others = [_connected(room_url(served, room) + "/game_channel", "deflate") for _ in range(3)]
        assert [json.loads(other.recv(timeout=PATIENCE))["turn"] for other in others] == [1, 1, 1]
        for turn in range(1, 6):
            anna.command(*anna.plan_attacks())
            anna.wait_for_turn(turn + 1)
        for other in others:
            turns = [json.loads(other.recv(timeout=PATIENCE)) for _ in range(5)]
            assert [state["turn"] for state in turns] == [2, 3, 4, 5, 6]
            assert turns[-1] == anna.state
            assert turns[-1]["info"]["game_id"] == match
            other.close()


def test_our_own_sockets_are_not_compressed(served: Served) -> None:
    with person(served) as anna:
        match = anna.match("colorfight", "open", "idle")
        anna.join(match)
        url = f"{served.url.replace('http', 'ws', 1)}/api/v1/matches/{match}/live"
        with _connected(url, "deflate") as socket:
            assert socket.protocol.extensions == []


def test_pings_are_answered(served: Served) -> None:
    with _connected(room_url(served, "public") + "/action_channel", None) as socket:
        assert socket.ping().wait(PATIENCE)


def test_a_connection_over_its_rate_gets_errors_and_stays_open(tmp_path: Path) -> None:
    served = Served(tmp_path, "--rate", "5")
    try:
        with _connected(room_url(served, "public") + "/action_channel", None) as socket:
            for _ in range(30):
                socket.send("{}")
            answers = [json.loads(socket.recv(timeout=PATIENCE))["err_msg"] for _ in range(30)]
        assert answers[0] == "You have to specify an action"
        assert any(answer.startswith("Too many requests; try again in") for answer in answers)
    finally:
        served.stop()


def test_an_address_over_its_rate_gets_429(tmp_path: Path) -> None:
    served = Served(tmp_path, "--rate-address", "2")
    try:
        with http.open_client(base_url=served.url) as client:
            answers = [client.get("/colorfight/get_gameroom_list") for _ in range(10)]
        assert answers[0].status_code == 200
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused and all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    finally:
        served.stop()


@pytest.mark.parametrize("data", [b"\xff\xfe", b'{"action":"fly"}'])
def test_bytes_are_read_like_text(served: Served, data: bytes) -> None:
    with _connected(room_url(served, "public") + "/action_channel", None) as socket:
        socket.send(data)
        answer = json.loads(socket.recv(timeout=PATIENCE))
    assert answer["err_msg"] == ("Not a valid action" if data.isascii() else "This is not a valid json")
