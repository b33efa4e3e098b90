"""Invalid or oversized messages and slow readers: errors in the wire's form, no effect on other clients."""

import contextlib
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from tests.support import http_clients as http
from tests.support.colorfight_client import PATIENCE, ColorfightClient
from tests.support.colorfight_rooms import new_room, post_room, room_url
from tests.support.server import Served, person


def _command(*commands: str) -> str:
    return f'{{"action":"command","cmd_list":[{",".join(commands)}]}}'


def _register(username: str) -> str:
    return f'{{"action":"register","username":"{username}","password":"x"}}'


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("[" * 100_000, "This is not a valid json"),
        (_command("[" * 900 + "]" * 900), "Lists and objects are nested deeper than 32 times."),
        (_command('"' + "a" * 900_000 + '"'), "'The order' has 900,000 entries; the most is 4,096."),
        (_command(*['"a 1 1 1"'] * 10_001), "10,001 orders in one post; the most is 10,000."),
        (_command("9" * 5000), "This is not a valid json"),
        (_register("\\ud800"), "This is not a valid json"),
        (_register("a\\u0000b"), "Username has characters that cannot be shown"),
        (_register("x" * 900_000), "Username can't exceed 15 characters."),
        ('{"__proto__":{"action":"register"}}', "You have to specify an action"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_an_invalid_message_is_refused_and_the_next_is_handled(served: Served, message: str, text: str) -> None:
    room = new_room(served, preset="duel", max_player=1)
    with ColorfightClient(room_url(served, room), "__proto__") as anna:
        assert anna.wait_for_turn(1)["users"]["1"]["username"] == "__proto__"
        anna.action_channel.send(message)
        assert json.loads(anna.action_channel.recv(timeout=PATIENCE)) == {"success": False, "err_msg": text}
        anna.command()
        assert anna.wait_for_turn(2)["turn"] == 2


def test_a_message_larger_than_any_body_closes_the_channel(served: Served) -> None:
    with open_socket(f"{room_url(served, 'public')}/action_channel", proxy=None, legacy=True) as socket:
        socket.send("x" * 1_000_001)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_readers_that_never_read_miss_states_and_delay_no_other_client(served: Served) -> None:
    room, turns = new_room(served, preset="duel", bots=["idle"], width=60, height=60), 60
    how: dict[str, Any] = {"max_size": None, "max_queue": 1, "compression": None, "ping_interval": None}
    address = f"{room_url(served, room)}/game_channel"
    slow = [open_socket(address, proxy=None, legacy=True, **how) for _ in range(3)]
    with ColorfightClient(room_url(served, room), "anna") as anna:
        for turn in range(1, turns):
            anna.wait_for_turn(turn)
            anna.command()
        last = anna.wait_for_turn(turns)
        for socket in slow:
            states = list(_read_states(socket, turns))
            assert len(states) < turns, "the server buffered every state"
            assert states[-1] == last or states[-1]["turn"] < turns  # the newest, or the last before the server closed
            socket.close()


def _read_states(socket: ClientConnection, until: int) -> Iterator[dict[str, Any]]:
    """The states that a late reader gets; the server may have closed the connection by then."""
    state: dict[str, Any] = {}
    with contextlib.suppress(ConnectionClosed):
        while state.get("turn", 0) < until:
            state = json.loads(socket.recv(timeout=PATIENCE))
            yield state


def test_concurrent_requests_create_at_most_twenty_rooms_of_one_account(served: Served) -> None:
    with person(served) as anna, ThreadPoolExecutor(8) as clients:

        def make(number: int) -> Any:
            body = {"gameroom_id": f"{anna.account[:8]}-{number}", "admin_password": "p", "config": "official"}
            return post_room(served, "creategameroom", body, token=anna.token)

        answers = list(clients.map(make, range(30)))
        refused = [answer for answer in answers if not answer["success"]]
        assert len(refused) == 10
        assert refused[0]["err_msg"] == "You have 20 rooms already."
    assert "public" in [room["name"] for room in http.get(f"{served.url}/colorfight/get_gameroom_list").json()]


def test_requests_outside_the_protocol_are_refused_in_its_form(served: Served) -> None:
    large = http.post(f"{served.url}/colorfight/restart", content=b"x" * 1_000_001)
    assert (large.status_code, large.json()["success"]) == (413, False)
    nowhere = http.get(f"{served.url}/colorfight/nowhere")
    assert (nowhere.status_code, nowhere.json()) == (404, {"success": False, "err_msg": "Not Found"})
    nested = http.post(f"{served.url}/colorfight/creategameroom", content=b'{"config":' * 900 + b"1" + b"}" * 900)
    assert nested.json() == {"success": False, "err_msg": "Lists and objects are nested deeper than 32 times."}


@pytest.mark.parametrize("room", ["%00", "a" * 1000, "%F0%9F%90%9D", "__proto__"])
def test_the_channel_of_an_unknown_room_is_closed_whatever_its_name(served: Served, room: str) -> None:
    with (
        open_socket(f"{room_url(served, room)}/game_channel", proxy=None, legacy=True) as socket,
        pytest.raises(ConnectionClosed) as closed,
    ):
        socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1000
