"""Rooms: when a match ends in one, the next starts, whatever happens to the server."""

import contextlib
import datetime
import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from tests.support.api import SMALL, Api, some_name, until
from tests.support.server import ADMIN, Served


def played(api: Api, room: str) -> list[str]:
    return [match["id"] for match in api.get("/matches", room=room) if match["state"] == "over"]


def test_when_a_match_ends_the_next_starts(admin: Api) -> None:
    room = admin.post("/rooms", name=some_name("den"), template=SMALL, pause=0)
    until(lambda: len(played(admin, room["name"])) >= 3)
    on = admin.get(f"/rooms/{room['name']}")["match"]
    assert admin.get(f"/matches/{on}")["room"] == room["name"]
    admin.delete(f"/rooms/{room['name']}")
    until(lambda: admin.get(f"/matches/{on}")["state"] == "over")
    assert admin.refused("GET", f"/rooms/{room['name']}")[0] == 404


def test_a_room_with_open_seats_waits_for_players(admin: Api, player: Api) -> None:
    template = {**SMALL, "seats": [{"kind": "open"}, {"kind": "builtin", "bot": "greedy"}]}
    room = admin.post("/rooms", name=some_name("den"), template=template)
    match = until(lambda: admin.get(f"/rooms/{room['name']}")["match"])
    assert admin.get(f"/matches/{match}")["state"] == "lobby"
    player.post(f"/matches/{match}/join")
    until(lambda: admin.get(f"/matches/{match}")["state"] == "over")
    admin.delete(f"/rooms/{room['name']}")


def test_rooms_are_the_organisers(player: Api) -> None:
    assert player.refused("POST", "/rooms", {"name": "x", "template": SMALL})[:2] == (403, "not_allowed")
    assert player.refused("DELETE", "/rooms/x")[:2] == (403, "not_allowed")


def test_a_room_whose_matches_cannot_be_made_is_refused(admin: Api) -> None:
    template = {**SMALL, "config": {"width": -1}}
    status, _, sentence = admin.refused("POST", "/rooms", {"name": some_name("den"), "template": template})
    assert status == 400 and "width" in sentence


def test_a_room_is_changed_closed_and_opened_again(admin: Api, player: Api) -> None:
    template = {**SMALL, "seats": [{"kind": "open"}, {"kind": "builtin", "bot": "greedy"}]}
    room = admin.post("/rooms", name=some_name("den"), template=template, pause=0)
    path = f"/rooms/{room['name']}"
    first = until(lambda: admin.get(path)["match"])
    longer = {**template, "config": {"width": 12, "height": 12, "max_turn": 4}}
    assert admin.patch(path, template=longer, open=False)["open"] is False
    player.post(f"/matches/{first}/join")
    until(lambda: admin.get(f"/matches/{first}")["state"] == "over")
    assert admin.get(f"/matches/{first}")["config"]["max_turn"] == 3, "the current match does not change"
    assert admin.patch(path, pause=1)["pause"] == 1
    assert admin.get(path)["match"] == first, "a closed room starts nothing"
    admin.patch(path, open=True)
    until(lambda: admin.get(path)["match"] != first)
    assert admin.get(f"/matches/{admin.get(path)['match']}")["config"]["max_turn"] == 4
    admin.delete(path)


def test_a_change_of_a_room_that_cannot_be_changes_nothing(admin: Api, player: Api) -> None:
    template = {**SMALL, "seats": [{"kind": "open"}, {"kind": "open"}]}
    room = admin.post("/rooms", name=some_name("den"), template=template)
    path = f"/rooms/{room['name']}"
    before = until(lambda: admin.get(path)["match"]) and admin.get(path)
    bad = {**SMALL, "config": {"width": -1}}
    assert "width" in admin.refused("PATCH", path, {"template": bad, "pause": 77})[2]
    assert "no password" in admin.refused("PATCH", path, {"template": {**SMALL, "password": "x"}, "pause": 77})[2]
    assert player.refused("PATCH", path, {"pause": 77})[0] == 403
    assert admin.refused("PATCH", "/rooms/nowhere", {"pause": 77})[0] == 404
    assert admin.get(path) == before
    admin.delete(path)


def test_rooms_go_on_after_the_server_was_killed(own_server: Served) -> None:
    with Api(own_server, ADMIN) as admin:
        admin.post("/rooms", name="den", template=SMALL, pause=0)
        for _ in range(2):
            before = len(played(admin, "den"))
            until(lambda: len(played(admin, "den")) >= before + 2)  # noqa: B023 - it is called at once
            own_server.kill()
            own_server.start()
        before = len(played(admin, "den"))
        until(lambda: len(played(admin, "den")) >= before + 2)
        unfinished = [one for one in admin.get("/matches", room="den") if one["state"] != "over"]
        assert len(unfinished) <= 2, "one is on, one may have been made and not got its place"


def test_a_room_whose_matches_cannot_be_made_any_more_is_tried_less_and_less_often(own_server: Served) -> None:
    with Api(own_server, ADMIN) as admin:
        admin.post("/rooms", name="den", template=SMALL, pause=0)
        until(lambda: admin.get("/rooms/den")["match"])
        with contextlib.closing(sqlite3.connect(own_server.database, timeout=30)) as database, database:
            (template,) = database.execute("SELECT template FROM rooms").fetchone()
            broken = template.replace(b'"max_turn":3', b'"max_turn":-3')
            assert broken != template
            database.execute("UPDATE rooms SET template = ?", (broken,))
        tries = until(lambda: _tries(own_server, 3))
        assert [one["retry_in"] for one in tries[:3]] == [1, 2, 4]
        assert {one["error"] for one in tries} == {"colorfight's settings: Expected `int` >= 2 - at `max_turn`."}
        moments = [datetime.datetime.fromisoformat(one["at"]) for one in tries]
        for one, later, pause in zip(moments, moments[1:], (1, 2), strict=False):
            assert (later - one).total_seconds() >= pause - 0.01
        before = admin.get("/rooms/den")["match"]
        admin.patch("/rooms/den", template=SMALL)
        until(lambda: admin.get("/rooms/den")["match"] != before)


def _tries(server: Served, number: int) -> list[dict[str, Any]] | None:
    lines = (msgspec.json.decode(line) for line in server.log.read_text().splitlines() if line.startswith("{"))
    tries = [line for line in lines if line.get("task") == "room den" and line["level"] == "error"]
    return tries if len(tries) >= number else None


def test_a_demo_has_a_room_of_every_game(tmp_path: Path) -> None:
    server = Served(tmp_path, "--demo")
    try:
        with Api(server) as anonymous:
            games = anonymous.get("/games")
            rooms = until(lambda: _with_matches(anonymous, len(games)))
            assert sorted(room["template"]["game"] for room in rooms) == sorted(games)
    finally:
        server.kill()  # it may be compiling


def _with_matches(api: Api, number: int) -> list[dict[str, dict[str, str]]] | None:
    rooms = [room for room in api.get("/rooms") if room["match"]]
    return rooms if len(rooms) == number else None
