"""Rooms: when a match ends in one, the next starts, whatever happens to the server."""

from pathlib import Path

from tests.server.organising.api import SMALL, Api, some_name, until
from tests.serving import ADMIN, Served


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


def test_rooms_go_on_after_the_server_was_killed(own_server: Served) -> None:
    with Api(own_server.url, ADMIN) as admin:
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


def test_a_demo_has_a_room_of_every_game(tmp_path: Path) -> None:
    server = Served(tmp_path, "--demo")
    try:
        with Api(server.url) as anybody:
            games = anybody.get("/games")
            rooms = until(lambda: _with_matches(anybody, len(games)))
            assert sorted(room["template"]["game"] for room in rooms) == sorted(games)
    finally:
        server.kill()  # it may be compiling


def _with_matches(api: Api, number: int) -> list[dict[str, dict[str, str]]] | None:
    rooms = [room for room in api.get("/rooms") if room["match"]]
    return rooms if len(rooms) == number else None
