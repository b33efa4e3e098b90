"""``marchland join``."""

import json
import re
from pathlib import Path

import pytest

from marchland.client import Client, connect
from marchland.client._endpoints import Endpoint
from marchland.messages import MatchCreate, RoomCreate, RoomInfo, SeatRequest, WhenReady
from tests.bots.conftest import wait_until
from tests.client.conftest import EXAMPLES, SMALL, admin, guest, new_match, served
from tests.support.server import Served

from .conftest import Run

__all__ = ["admin", "guest", "served"]

FRONTIER = EXAMPLES / "frontier.py"


def test_a_guest_sees_its_token_once_and_the_result(run: Run, served: Served, admin: Client) -> None:
    match = new_match(admin).id
    ran = run("join", served.url, "--match", match, "--bot", FRONTIER)
    assert ran.code == 0
    token = re.search(r"shown only once: (\S+)", ran.err)
    assert token is not None
    with connect(served.url, token[1]) as client:
        assert client.me().name.startswith("frontier-")
    assert "Turn 40 is the last. frontier is number 1 of 2." in ran.out
    assert re.search(r"\d+ orders in 39 turns, 0 refused, 0 turns too late, 0 reconnects\.", ran.out)


def test_the_result_can_be_had_as_json(run: Run, served: Served, admin: Client, guest: Client) -> None:
    match = new_match(admin).id
    ran = run("join", served.url, "--match", match, "--bot", FRONTIER, "--token", guest.token, "--name", "me", "--json")
    assert ran.err == ""
    result = json.loads(ran.out)
    assert (result["match"], result["seat"], result["name"], result["turns"]) == (match, 0, "me", 39)


def test_the_token_may_come_from_the_environment(
    run: Run, served: Served, admin: Client, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert guest.token is not None
    monkeypatch.setenv("MARCHLAND_TOKEN", guest.token)
    match = new_match(admin)
    assert run("join", served.url, "--match", match.id, "--bot", FRONTIER).err == ""
    assert admin.match(match.id).seats[0].account == guest.me().id


def test_what_a_bot_prints_does_not_spoil_the_json(
    run: Run, served: Served, admin: Client, guest: Client, tmp_path: Path
) -> None:
    (tmp_path / "mybot.py").write_text("def play(view):\n    print('thinking')\n    return []\n")
    match = new_match(admin).id
    bot = tmp_path / "mybot.py"
    ran = run("join", served.url, "--match", match, "--bot", bot, "--token", guest.token, "--json")
    assert json.loads(ran.out)["turns"] == 39
    assert "thinking" in ran.err


def test_a_bot_that_fails_is_reported_at_the_end(
    run: Run, served: Served, admin: Client, guest: Client, tmp_path: Path
) -> None:
    (tmp_path / "mybot.py").write_text("def play(view):\n    return view['nothing']\n")
    ran = run(
        "join", served.url, "--match", new_match(admin).id, "--bot", tmp_path / "mybot.py", "--token", guest.token
    )
    assert "failed 39 times, first in turn 1: KeyError: 'nothing' (mybot.py, line 2)" in ran.out


def test_a_room_is_joined_by_its_name(run: Run, served: Served, admin: Client, guest: Client) -> None:
    template = MatchCreate("colorfight", [SeatRequest()], config=SMALL, clock=WhenReady())
    room = admin.call(Endpoint(RoomInfo, "/rooms", RoomCreate("den", template), method="POST"))
    wait_until(lambda: bool(admin.matches(room=room.name)))
    ran = run("join", served.url, "--room", "den", "--bot", FRONTIER, "--token", guest.token, "--json")
    assert json.loads(ran.out)["turns"] == 39
    assert admin.match(json.loads(ran.out)["match"]).room == "den"


def test_without_a_match_those_that_wait_are_named(run: Run, served: Served, admin: Client) -> None:
    match = new_match(admin, "open", "open").id
    ran = run("join", served.url, "--bot", FRONTIER)
    assert ran.code == 2
    assert f"{match} (colorfight)" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--match", "nowhere", "--bot", FRONTIER], "There is no match 'nowhere'"),
        (["--room", "nowhere", "--bot", FRONTIER], "There is no match in the room 'nowhere'"),
        (["--room", "a", "--match", "b", "--bot", FRONTIER], "a match or a room, not both"),
        (["--match", "a", "--bot", "greedy"], "no bot of your own"),
        (["--match", "a", "--bot", "no/bot.py"], "No such file"),
        (["--match", "a", "--bot", "cmd:nodee bot.js"], "there is no program nodee"),
        (["--match", "a", "--bot", FRONTIER, "--token", "wrong"], "token is not known"),
        (["--match", "a"], "--bot"),
    ],
)
def test_what_cannot_be_joined_gets_one_line(run: Run, served: Served, arguments: list[str], said: str) -> None:
    ran = run("join", served.url, *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


@pytest.mark.parametrize("url", ["127.0.0.1:9", "ftp://there"])
def test_a_wrong_address_gets_one_line(run: Run, url: str) -> None:
    ran = run("join", url, "--match", "a", "--bot", FRONTIER)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
