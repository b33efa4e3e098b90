"""Seasons: games that start with them, teams, the ledger, jobs that are done once."""

import asyncio
import datetime
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, update

from marchland.server.ledger import queries as ledger_queries
from marchland.store import Database
from marchland.store.schema import matches
from tests.support.api import Api, some_name, until
from tests.support.server import ADMIN, Served

SHIP = 0  # of the first seat
TODAY = datetime.datetime.now(datetime.UTC).date()
STRUCTURE = {"modifiers": {"attack": 5, "health": 50, "build_rate": 1}, "collection": "void", "schema": "structures"}


class Scene(NamedTuple):
    """A season that is on, a game in it, and its two teams of one."""

    server: Served
    admin: Api
    ann: Api
    bob: Api
    game: str
    match: str
    item: int

    def view(self) -> Any:
        return self.ann.get(f"/matches/{self.match}/view", seat=0)

    def jobs(self, name: str) -> list[Any]:
        return [job for job in self.admin.get("/jobs", match=self.match) if job["name"] == name]

    def album(self) -> Any:
        return self.admin.get(f"/ledger/albums/{self.ann.account}")

    def act(self, who: Api, key: str = "", **order: Any) -> Any:
        return who.post(f"/matches/{self.match}/act", order=order, key=key or some_name("k"))


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARCHLAND_KERNELS", "python")  # a few turns of a small game are not worth compiling it
        server = Served(tmp_path_factory.mktemp("season"))
        try:
            yield from _played(server)
        finally:
            server.stop()


def _played(server: Served) -> Iterator[Scene]:
    with Api(server, ADMIN) as admin, admin.new_account("ann") as ann, admin.new_account("bob") as bob:
        template = admin.post(
            "/ledger/templates", game="boidvoid", name="tower", kind="superstructure", facts=STRUCTURE
        )
        (item,) = admin.post("/ledger/mint", template=template["id"], owner=ann.account)
        admin.put(f"/ledger/stakes/{ann.account}", {"stake": 321})
        admin.post("/seasons", name="now", start=str(TODAY), end=str(TODAY + datetime.timedelta(days=30)))
        teams = [_team("reds", ann), _team("blues", bob)]
        body = {
            "game": "boidvoid",
            "seats": [{}],
            "rules": "season",
            "clock": {"kind": "every", "seconds": 3600, "early": False},
        }
        game = admin.post("/seasons/now/games", name="the void", template=body, teams=teams)
        match = until(lambda: admin.get(f"/season-games/{game['id']}")["match"])
        until(lambda: admin.get(f"/matches/{match}")["state"] == "running")
        scene = Scene(server, admin, ann, bob, game["id"], match, item["id"])
        until(lambda: scene.jobs("daily_maintenance"))
        yield scene


def _team(name: str, leader: Api, *others: tuple[Api, str]) -> dict[str, Any]:
    members = [{"account": leader.account, "role": "leader"}]
    return {"name": name, "members": members + [{"account": one.account, "role": role} for one, role in others]}


def test_a_season_that_overlaps_another_is_refused_with_the_reason(scene: Scene) -> None:
    body = {"name": "clash", "start": str(TODAY), "end": str(TODAY)}
    status, error, sentence = scene.admin.refused("POST", "/seasons", body)
    assert (status, error) == (409, "overlap") and "overlaps 'now'" in sentence


def test_the_game_of_a_season_starts_with_its_teams_at_their_seats(scene: Scene) -> None:
    seats = scene.admin.get(f"/matches/{scene.match}")["seats"]
    assert [seat["account"] for seat in seats] == [scene.ann.account, scene.bob.account]
    assert scene.admin.get("/seasons/now")["active"] is True
    assert [game["id"] for game in scene.ann.get("/teams")] == [scene.game]
    assert len(scene.jobs("teams")) == 1


def test_the_daily_maintenance_tells_the_game_of_stakes_and_items(scene: Scene) -> None:
    (done,) = scene.jobs("daily_maintenance")
    assert done["key"].endswith(str(TODAY)) and done["done"] > 0
    view = scene.view()
    assert [nft["id"] for nft in view["nfts"]] == [scene.item]
    assert [player.get("stake", 0) for player in view["players"]] == [321, 0]


def test_an_organiser_ends_a_turn_by_hand(scene: Scene) -> None:
    turn = scene.admin.get(f"/matches/{scene.match}")["turn"]
    done = scene.admin.post("/jobs", match=scene.match, name="turn_end")
    assert done["name"] == "turn_end"
    assert scene.admin.get(f"/matches/{scene.match}")["turn"] == turn + 1
    deeds = scene.admin.get("/admin/audit")
    assert deeds[0]["what"] == "run job" and deeds[0]["name"] == "admin"
    assert scene.bob.refused("POST", "/jobs", {"match": scene.match, "name": "turn_end"})[0] == 403
    assert scene.admin.refused("POST", "/jobs", {"match": scene.match, "name": "dance"})[0] == 400
    assert scene.admin.refused("POST", "/jobs", {"match": "nothing", "name": "turn_end"})[0] == 404


def test_an_item_is_burned_with_its_action_once_and_given_back_where_it_is_refused(scene: Scene) -> None:
    refused = scene.act(scene.ann, do="build", unit=SHIP, nft=scene.item)
    assert refused["result"]["ok"] is False, "the ship is not on the map yet"
    assert _state(scene) == "free"
    assert scene.bob.refused("POST", f"/matches/{scene.match}/act", _act("build", scene.item))[1] == "not_free"
    home = _home(scene)
    assert scene.act(scene.ann, do="spawn", unit=SHIP, at=home)["result"]["ok"]
    scene.admin.post("/jobs", match=scene.match, name="turn_end")
    built = scene.act(scene.ann, key="the build", do="build", unit=SHIP, nft=scene.item)
    assert built["result"]["ok"], built
    assert _state(scene) == "spent"
    assert scene.act(scene.ann, key="the build", do="build", unit=SHIP, nft=scene.item) == built
    again = scene.ann.refused("POST", f"/matches/{scene.match}/act", _act("build", scene.item))
    assert again[:2] == (409, "not_free")


def test_jobs_are_not_done_again_after_a_crash(scene: Scene) -> None:
    before = {job["key"] for job in scene.admin.get("/jobs", match=scene.match)}
    digest = scene.view()
    scene.server.kill()
    scene.server.start()
    until(lambda: scene.admin.get(f"/matches/{scene.match}")["state"] == "running")
    (done,) = scene.jobs("daily_maintenance")
    assert done["key"] in before
    assert scene.view() == digest
    assert _state(scene) == "spent"


def test_a_new_member_gets_a_seat_and_a_new_leader_the_rank(scene: Scene) -> None:
    with scene.admin.new_account("eve") as eve:
        teams = [_team("reds", scene.ann), _team("blues", eve, (scene.bob, "vice"))]
        scene.admin.put(f"/season-games/{scene.game}/teams", teams)
        until(lambda: len(scene.jobs("teams")) == 2)
        seats = scene.admin.get(f"/matches/{scene.match}")["seats"]
        assert [seat["account"] for seat in seats] == [scene.ann.account, scene.bob.account, eve.account]
        players = scene.view()["players"]
        assert [(one["team"], one["role"]) for one in players] == [(0, "leader"), (1, "vice"), (1, "leader")]
        assert scene.admin.refused("PUT", f"/season-games/{scene.game}/teams", teams[:1])[1] == "started"


def test_a_removed_member_cannot_come_back_by_joining(scene: Scene) -> None:
    with scene.admin.new_account("zoe") as zoe:
        done = len(scene.jobs("teams"))
        for others in ([(zoe, "trooper")], []):
            teams = [_team("reds", scene.ann), _team("blues", scene.bob, *others)]
            scene.admin.put(f"/season-games/{scene.game}/teams", teams)
            done += 1
            until(lambda done=done: len(scene.jobs("teams")) == done)  # type: ignore[misc]
        assert zoe.refused("POST", f"/matches/{scene.match}/join", {})[:2] == (403, "not_allowed")


def test_templates_that_the_game_does_not_understand_are_refused(scene: Scene) -> None:
    usual = {"game": "boidvoid", "name": "x", "kind": "boost", "facts": {"modifiers": {"attack": 1}}}
    for wrong in (
        {"game": "colorfight"},
        {"game": "chess"},
        {"kind": "horse"},
        {"facts": {"modifiers": {"charm": 1}}},
        {"facts": {"unknown": 1}},
    ):
        assert scene.admin.refused("POST", "/ledger/templates", {**usual, **wrong})[0] in (400, 409)
    assert scene.ann.refused("POST", "/ledger/templates", usual)[0] == 403


def test_a_season_is_renamed_and_prolonged_but_not_so_that_its_games_cannot_follow(scene: Scene) -> None:
    before = scene.admin.get("/seasons/now")
    later = str(TODAY + datetime.timedelta(days=100))
    scene.admin.post("/seasons", name="next", start=later, end=later)
    status, error, sentence = scene.admin.refused("PATCH", "/seasons/now", {"end": later, "name": "then"})
    assert (status, error) == (409, "overlap") and "overlaps 'next'" in sentence
    assert scene.admin.refused("PATCH", "/seasons/now", {"name": "next"})[1] == "name_taken"
    assert "first day stays" in scene.admin.refused("PATCH", "/seasons/now", {"start": later, "end": later})[2]
    yesterday = str(TODAY - datetime.timedelta(days=1))
    assert scene.admin.refused("PATCH", "/seasons/now", {"end": yesterday})[0] in (400, 409)
    assert scene.ann.refused("PATCH", "/seasons/now", {"name": "mine"})[0] == 403
    assert scene.admin.get("/seasons/now") == before
    longer = str(TODAY + datetime.timedelta(days=40))
    assert scene.admin.patch("/seasons/now", end=longer)["end"] == longer
    scene.admin.delete("/seasons/next")


def test_the_length_of_turns_changes_while_the_match_is_on_and_nothing_else_does(scene: Scene) -> None:
    path = f"/season-games/{scene.game}"
    before = scene.admin.get(path)
    clock = {"kind": "every", "seconds": 7200, "early": False, "first": None, "least": 0.0}
    other = {**before["template"], "config": {"lock": 50}}
    status, error, sentence = scene.admin.refused("PATCH", path, {"template": other, "clock": clock})
    assert (status, error) == (409, "started") and "only its clock" in sentence
    assert scene.ann.refused("PATCH", path, {"clock": clock})[0] == 403
    assert scene.admin.get(path) == before
    assert scene.admin.patch(path, clock=clock, name="the great void")["template"]["clock"] == clock
    assert scene.admin.get(f"/matches/{scene.match}")["clock"] == clock
    scene.admin.post("/jobs", match=scene.match, name="turn_end")
    match = scene.admin.get(f"/matches/{scene.match}")
    assert 7100 < match["closes"] - match["now"] <= 7200
    assert scene.admin.refused("DELETE", path)[1] == "started"


def test_settings_of_a_game_change_before_it_starts(scene: Scene) -> None:
    later = str(TODAY + datetime.timedelta(days=200))
    scene.admin.post("/seasons", name="far", start=later, end=later)
    body = {"game": "boidvoid", "seats": [{}], "rules": "season"}
    game = scene.admin.post("/seasons/far/games", name="void", template=body)
    path = f"/season-games/{game['id']}"
    assert "teams" in scene.admin.refused("PUT", f"{path}/teams", [_team("reds", scene.ann)])[2], "one is too few"
    game = scene.admin.put(f"{path}/teams", [_team("reds", scene.ann), _team("blues", scene.bob)])
    assert game["names"] == {scene.ann.account: "ann", scene.bob.account: "bob"}
    changed = scene.admin.patch(path, template={**body, "config": {"lock": 50}})
    assert changed["template"]["config"] == {"lock": 50} and changed["teams"] == game["teams"]
    assert "lock" in scene.admin.refused("PATCH", path, {"template": {**body, "config": {"lock": 500}}})[2]
    assert scene.admin.refused("DELETE", "/seasons/far")[1] == "has_games"
    scene.admin.delete(path)
    scene.admin.delete("/seasons/far")
    assert scene.admin.refused("GET", path)[0] == 404


def test_a_season_moves_as_a_whole_while_nothing_of_it_is_played(scene: Scene) -> None:
    first, last = (str(TODAY + datetime.timedelta(days=days)) for days in (300, 310))
    scene.admin.post("/seasons", name="far", start=first, end=first)
    moved = scene.admin.patch("/seasons/far", name="farther", start=last, end=last)
    assert (moved["name"], moved["start"], moved["end"]) == ("farther", last, last)
    assert scene.admin.refused("PATCH", "/seasons/farther", {"end": first})[0] == 400
    deed = scene.admin.get("/admin/audit")[0]
    assert (deed["what"], deed["about"], deed["details"]["name"]) == ("change season", "far", "farther")
    scene.admin.delete("/seasons/farther")


def test_an_item_can_be_transferred_unless_it_is_spent(scene: Scene) -> None:
    (badge,) = scene.admin.post("/ledger/mint", template=_badge(scene), owner=scene.ann.account)
    path = f"/ledger/items/{badge['id']}"
    scene.ann.put("/ledger/avatar", {"avatar": badge["id"]})
    assert scene.ann.refused("PATCH", path, {"owner": scene.bob.account})[0] == 403
    assert scene.admin.refused("PATCH", path, {"owner": "anonymous"})[0] == 404
    assert scene.admin.refused("PATCH", "/ledger/items/7", {"owner": scene.bob.account})[0] == 404
    assert scene.admin.refused("PATCH", f"/ledger/items/{scene.item}", {"owner": scene.bob.account})[1] == "in_use"
    assert scene.album()["avatar"] == badge["id"]
    assert scene.admin.patch(path, owner=scene.bob.account)["owner"] == scene.bob.account
    assert scene.album()["avatar"] is None, "an avatar belongs to its account"
    holders = {one["name"]: (one["stake"], one["items"]) for one in scene.admin.get("/ledger/holders")}
    assert holders == {"ann": (321, 0), "bob": (0, 1)}
    assert scene.bob.refused("GET", "/ledger/holders")[0] == 403


def _badge(scene: Scene) -> int:
    kind = {"game": "boidvoid", "name": "badge", "kind": "avatar"}
    made: int = scene.admin.post("/ledger/templates", **kind)["id"]
    return made


def test_with_the_end_of_the_season_the_game_ends(scene: Scene) -> None:
    scene.admin.post("/jobs", match=scene.match, name="season_end")
    until(lambda: scene.admin.get(f"/matches/{scene.match}")["state"] == "over")


def test_a_match_that_broke_off_holds_no_item(scene: Scene) -> None:
    badge = _badge(scene)
    held, free = (scene.admin.post("/ledger/mint", template=badge, owner=scene.ann.account)[0]["id"] for _ in range(2))
    scene.server.stop()

    def mark_broken(connection: Connection) -> None:
        connection.execute(update(matches).where(matches.c.id == scene.match).values(state="broken"))
        ledger_queries.hold(connection, scene.match, 0, "cut short", held, scene.ann.account)

    with Database(str(scene.server.database)) as store:
        asyncio.run(store.write(mark_broken))
    scene.server.start()
    until(lambda: _states(scene)[held] == "free")
    assert scene.ann.refused("POST", f"/matches/{scene.match}/act", _act("build", free))[:2] == (409, "broken")
    assert _states(scene)[free] == "free"


def _states(scene: Scene) -> dict[int, str]:
    return {item["id"]: item["state"] for item in scene.album()["items"]}


def _home(scene: Scene) -> list[int]:
    menu = scene.ann.post(f"/matches/{scene.match}/legal", do="spawn", unit=SHIP)
    found: list[int] = menu["cells"][0]
    return found


def _act(verb: str, item: int) -> dict[str, Any]:
    return {"order": {"do": verb, "unit": SHIP, "nft": item}, "key": some_name("k")}


def _state(scene: Scene) -> str:
    (item,) = scene.album()["items"]
    state: str = item["state"]
    return state
