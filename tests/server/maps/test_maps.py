"""Maps over HTTP: list, check, generate, save, play."""

import os
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

import marchland
from marchland.messages import GameInfo, MapDetails, MapInfo, MapReport
from tests.support.server import Person, problem

GAMES = marchland.games()
ISLAND = "0...1\n.X.X.\nC...C\n"
VOID = {"width": 3, "height": 1, "tiles": ["..."], "homes": [[[0, 0]], [[2, 0]]]}
BOTS = [{"kind": "builtin", "bot": "idle"}, {"kind": "builtin", "bot": "idle"}]

Keep = Callable[..., MapInfo]


@pytest.fixture
def keep(organiser: Person) -> Keep:
    """A map of a name of its own."""

    def made(game: str = "enova", data: Any = ISLAND) -> MapInfo:
        name = f"island {os.urandom(4).hex()}"
        return msgspec.convert(
            organiser.must("POST", "/maps", json={"game": game, "name": name, "data": data}), MapInfo
        )

    return made


def sheet(person: Person, id: str) -> MapDetails:
    return msgspec.convert(person.must("GET", f"/maps/{id}"), MapDetails)


def checked(person: Person, **asked: Any) -> MapReport:
    return msgspec.convert(person.must("POST", "/maps/check", json=asked), MapReport)


def on(map: Any, **more: Any) -> dict[str, Any]:
    return {"game": "enova", "seats": BOTS, "map": map, "clock": {"kind": "ready"}, **more}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_describes_its_maps_and_generates_some(anna: Person, game: str) -> None:
    kit = msgspec.convert(anna.must("GET", f"/games/{game}"), GameInfo).maps
    body = {"game": game, "generator": kit.generators[0].name, "settings": {}}
    made = msgspec.convert(anna.must("POST", "/maps/draw", json=body), MapReport)
    assert made.playable and made.drawing is not None
    assert len(made.drawing.layers) == len(kit.layers)
    assert checked(anna, game=game, drawing=msgspec.to_builtins(made.drawing)) == made


def test_maps_that_come_with_a_game_are_listed_as_such(anonymous: Person) -> None:
    listed = msgspec.convert(anonymous.must("GET", "/maps?game=hive"), list[MapInfo])
    tiny = next(one for one in listed if one.name == "tiny")
    assert (tiny.kind, tiny.game, tiny.author) == ("built-in", "hive", None)
    assert sheet(anonymous, tiny.id).map.players == [1, 2, 3, 4, 5, 6]
    problem(anonymous.get("/maps/hive:huge"), 404)
    problem(anonymous.get("/maps/chess:tiny"), 404)


def test_a_saved_map_is_visible_to_all_accounts(keep: Keep, anonymous: Person) -> None:
    made = keep()
    assert made in msgspec.convert(anonymous.must("GET", "/maps?game=enova"), list[MapInfo])
    found = sheet(anonymous, made.id)
    assert (found.info, found.map.data, found.map.players) == (made, ISLAND, [1, 2])


def test_players_look_check_and_draw_but_do_not_keep(keep: Keep, anna: Person, anonymous: Person) -> None:
    made = keep()
    assert checked(anna, game="enova", data=ISLAND).playable
    change = {"name": made.name, "data": ISLAND}
    assert problem(anna.post("/maps", json={"game": "enova", **change}), 403).error == "not_allowed"
    assert problem(anna.put(f"/maps/{made.id}", json=change), 403).error == "not_allowed"
    assert problem(anna.delete(f"/maps/{made.id}"), 403).error == "not_allowed"
    assert problem(anonymous.post("/maps/check", json={"game": "enova", "data": ISLAND}), 401).error == "no_token"


def test_an_unplayable_map_is_refused_with_the_reason(organiser: Person) -> None:
    body = {"game": "enova", "name": "no castle", "data": "....\n"}
    assert "without a castle" in problem(organiser.post("/maps", json=body), 400).sentence


def test_every_problem_is_reported_with_its_cells(anna: Person) -> None:
    report = checked(anna, game="enova", data="0.0\n..2\n")
    assert not report.playable
    assert [problem.cells[0] for problem in report.problems] == [(2, 0), (2, 1)]


def test_a_check_is_of_data_or_of_a_drawing(anna: Person) -> None:
    assert "either" in problem(anna.post("/maps/check", json={"game": "enova"}), 400).sentence
    assert "no game" in problem(anna.post("/maps/check", json={"game": "chess", "data": ""}), 400).sentence


def test_what_is_nested_too_deeply_is_refused(anna: Person, organiser: Person) -> None:
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    assert problem(anna.post("/maps/check", json={"game": "hive", "data": deep}), 413).error == "too_large"
    for levels in range(900, 1000, 5):  # as the text of a file: somewhere there it can be read and not be written
        text = '{"a":' * levels + "1" + "}" * levels
        assert not anna.must("POST", "/maps/check", json={"game": "colorfight", "data": text})["playable"]
    assert problem(organiser.post("/maps", json={"game": "hive", "name": "x", "data": deep}), 413).error == "too_large"


def test_a_name_is_one_maps_only(keep: Keep, organiser: Person) -> None:
    again = {"game": "enova", "name": keep().name, "data": ISLAND}
    assert problem(organiser.post("/maps", json=again), 409).error == "name_taken"
    tiny = {"game": "hive", "name": "tiny", "data": "H0  F\n"}
    assert "comes with the game" in problem(organiser.post("/maps", json=tiny), 409).sentence


def test_a_match_is_played_on_a_copy_of_the_map(keep: Keep, anna: Person, organiser: Person) -> None:
    made = keep()
    match = anna.must("POST", "/matches", json=on({"kept": made.id}))["id"]
    organiser.must("PUT", f"/maps/{made.id}", json={"name": made.name, "data": "0.1\n"})
    assert anna.must("GET", f"/matches/{match}/legend")["board"]["size"] == 15
    later = anna.must("POST", "/matches", json=on({"kept": made.id}))["id"]
    assert anna.must("GET", f"/matches/{later}/legend")["board"]["size"] == 3


def test_a_match_is_set_as_its_map_asks_for(keep: Keep, organiser: Person, anna: Person) -> None:
    body = {"game": "colorfight", "generator": "random", "settings": {"width": 12, "height": 9, "players": 2}}
    made = keep("colorfight", organiser.must("POST", "/maps/draw", json=body)["data"])
    match = anna.match("colorfight", "idle", "idle", map={"kept": made.id}, config={})
    assert anna.must("GET", f"/matches/{match}/legend")["board"]["box"] == [0, 11, 0, 8]


def test_a_map_of_another_game_and_one_that_is_gone_are_refused(keep: Keep, anna: Person) -> None:
    made = keep()
    assert (
        "one of enova" in problem(anna.post("/matches", json={**on({"kept": made.id}), "game": "hive"}), 400).sentence
    )
    assert problem(anna.post("/matches", json=on({"kept": "nothing"})), 404).error == "not_found"


def test_a_map_that_a_room_plays_on_stays_and_still_fits(keep: Keep, organiser: Person) -> None:
    made, room = keep(), f"den {os.urandom(4).hex()}"
    organiser.must("POST", "/rooms", json={"name": room, "template": on({"kept": made.id})})
    assert f"room '{room}' plays" in problem(organiser.delete(f"/maps/{made.id}"), 409).sentence
    alone = organiser.put(f"/maps/{made.id}", json={"name": made.name, "data": "0..\n"})
    assert f"room '{room}' plays" in problem(alone, 409).sentence
    organiser.must("DELETE", f"/rooms/{room}")
    organiser.must("DELETE", f"/maps/{made.id}")
    assert problem(organiser.get(f"/maps/{made.id}"), 404).error == "not_found"


def test_who_keeps_changes_and_removes_maps_is_written_down(
    keep: Keep, organiser: Person, admin_person: Person
) -> None:
    made = keep()
    organiser.must("PUT", f"/maps/{made.id}", json={"name": made.name + "!", "data": ISLAND})
    organiser.must("DELETE", f"/maps/{made.id}")
    audit = admin_person.must("GET", "/admin/audit")
    mine = [one["what"] for one in audit if one["about"].startswith(made.name)]
    assert mine == ["remove map", "change map", "create map"]


def test_rounds_and_seasons_play_on_saved_maps(keep: Keep, organiser: Person) -> None:
    made, name = keep(), f"cup {os.urandom(4).hex()}"
    template = on(None, seats=BOTS[:1])
    body = {"name": name, "template": template, "starts": time.time() + 1000, "maps": ["torus", {"kept": made.id}]}
    cup = organiser.must("POST", "/rounds", json=body)
    assert f"round '{name}' plays" in problem(organiser.delete(f"/maps/{made.id}"), 409).sentence
    organiser.must("DELETE", f"/rounds/{cup['id']}")
    lost = {**body, "name": name + "!", "maps": [{"kept": "nothing"}]}
    assert problem(organiser.post("/rounds", json=lost), 404).error == "not_found"

    season = {"name": name, "start": "2091-01-01", "end": "2091-02-01"}
    organiser.must("POST", "/seasons", json=season)
    void = keep("boidvoid", VOID)
    body = {"name": "campaign", "template": {"game": "boidvoid", "seats": [{}], "map": {"kept": void.id}}}
    organiser.must("POST", f"/seasons/{name}/games", json=body)
    assert "season's game 'campaign' plays" in problem(organiser.delete(f"/maps/{void.id}"), 409).sentence


def test_a_match_that_is_over_can_be_played_again_on_its_map(keep: Keep, anna: Person, organiser: Person) -> None:
    made = keep()
    seats = [{"kind": "open"}, {"kind": "builtin", "bot": "idle", "name": "the wall"}]
    match = anna.must("POST", "/matches", json=on({"kept": made.id}, seats=seats, config={"turn_limit": 3}))["id"]
    anna.join(match)
    assert problem(anna.post(f"/matches/{match}/again"), 409).error == "not_over"
    with anna.watch(match, want="none") as socket:
        while socket.next("news")["state"] == "running":
            anna.order(match)
    organiser.must("DELETE", f"/maps/{made.id}")
    before, again = anna.info(match), anna.info(anna.must("POST", f"/matches/{match}/again")["id"])
    assert [(seat.kind, seat.name) for seat in again.seats] == [("open", ""), ("builtin", "the wall")]
    assert (again.config, again.clock, again.name) == (before.config, before.clock, before.name)
    anna.join(again.id)
    assert anna.must("GET", f"/matches/{again.id}/legend")["board"]["size"] == 15
