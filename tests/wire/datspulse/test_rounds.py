"""A round from its announcement to its end, as transcripts."""

import json
import re
import time
from pathlib import Path

import marchland
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.wire import arena_bytes
from marchland.messages import Every
from marchland.server.wire.datspulse.schedule import default_test_round
from tests.support.datspulse_client import SMALL, TeamClient

_EMPTY = '{"ants":[],"enemies":[],"map":[],"food":[],"turnNo":0,"nextTurnIn":0,"home":[],"score":0,"spot":{"q":0,"r":0}'


def test_a_round_from_before_its_lobby_to_after_its_end(final: TeamClient) -> None:
    final.play("""
        reds > GET /api/arena
        < 400 {"code":400,"message":"no active game, next rounds: []"}
        reds > POST /api/move {"moves":[]}
        < 400 {"code":400,"message":"no active game, next rounds: []"}
        reds > POST /api/register
        < 400 {"code":400,"message":"no active game, next rounds: []"}
        reds > GET /api/logs
        < 400 {"code":400,"message":"no active game, next rounds: []"}
        reds > GET /api/rounds
        < 200 {"eventId":"<uuid>","rounds":[],"now":"<time>"}
    """)
    spring = final.announce("spring", lobby=60, runs=2, every=3600, config={"max_turn": 2})
    final.play(f"""
        reds > GET /api/arena
        < 400 {{"code":400,"message":"you are not registered in the game spring 1, POST /api/register first"}}
        reds > POST /api/move {{"moves":[]}}
        < 400 {{"code":400,"message":"you are not registered in the game spring 1, POST /api/register first"}}
        reds > POST /api/register
        < 200 {{"lobbyEndsIn":<n>,"name":"{{reds}}","nextTurn":0.0,"realm":"spring 1"}}
        reds > POST /api/register {{}}
        < 200 {{"lobbyEndsIn":<n>,"name":"{{reds}}","nextTurn":0.0,"realm":"spring 1"}}
        reds > GET /api/arena
        < 200 {_EMPTY}}}
        reds > POST /api/move {{"moves":[]}}
        < 200 {_EMPTY},"errors":[]}}
        reds > GET /api/logs
        < 200 []
        reds > GET /api/rounds
        < 200 {{"eventId":"<uuid>","rounds":[\
{{"name":"spring 2","startAt":"<time>","endAt":"<time>","duration":180,"status":"pending","repeat":0}},\
{{"name":"spring 1","startAt":"<time>","endAt":"<time>","duration":180,"status":"active","repeat":0}}],"now":"<time>"}}
    """)
    final.end_lobby(spring)
    final.play(f"""
        reds ~ GET /api/arena
        < 200 {{"ants":[{{"q":<n>,"r":<n>,"type":<n>,"health":<n>,"id":"<any>],"turnNo":1,"nextTurnIn":<s>,"home":[<any>
        reds > POST /api/register
        < 200 {{"lobbyEndsIn":0,"name":"{{reds}}","nextTurn":<s>,"realm":"spring 1"}}
        blues > POST /api/register
        < 400 {{"code":2,"message":"you are too late, spring 1 lobby ended, next rounds: [spring 2 at <time>]"}}
        blues > GET /api/arena
        < 400 {{"code":400,"message":"you are not registered in the game spring 1, POST /api/register first"}}
        blues > GET /api/logs
        < 400 {{"code":400,"message":"you are not registered in the game spring 1, POST /api/register first"}}
        reds > POST /api/move {{"moves":[]}}
        < 200 {{"ants":[<any>,"spot":{{"q":<n>,"r":<n>}},"errors":[]}}
        reds ~ GET /api/arena
        < 200 {{"ants":[<any>],"turnNo":2,"nextTurnIn":<s>,"home":[<any>
        reds > POST /api/move
        < 200 {{"ants":[<any>,"errors":[]}}
        reds ~ GET /api/arena
        < 200 {_EMPTY}}}
        reds > POST /api/move {{"moves":[]}}
        < 200 {_EMPTY},"errors":[]}}
        blues > GET /api/arena
        < 400 {{"code":400,"message":"no active game, next rounds: [spring 2 at <time>]"}}
        reds > POST /api/register
        < 400 {{"code":400,"message":"no active game, next rounds: [spring 2 at <time>]"}}
        reds > GET /api/logs
        < 200 [{{"message":"turn 0: new ant spawned Scout","time":"<time>"}},<any>]
        reds ~ GET /api/rounds
        < 200 {{"eventId":"<uuid>","rounds":[\
{{"name":"spring 2","startAt":"<time>","endAt":"<time>","duration":180,"status":"pending","repeat":0}},\
{{"name":"spring 1","startAt":"<time>","endAt":"<time>","duration":<n>,"status":"finished","repeat":0}}],\
"now":"<time>"}}
    """)


def test_the_first_start_announces_test_rounds(final: TeamClient) -> None:
    with TeamClient(final.served, "/datspulse/test") as test:
        test.play("""
            reds > POST /api/register
            < 200 {"lobbyEndsIn":<n>,"name":"{reds}","nextTurn":0.0,"realm":"datspulse test 1"}
            reds > GET /api/rounds
            < 200 {"eventId":"<uuid>","rounds":[\
{"name":"datspulse test 2","startAt":"<time>","endAt":"<time>","duration":900,"status":"pending","repeat":0},\
{"name":"datspulse test 1","startAt":"<time>","endAt":"<time>","duration":900,"status":"active","repeat":0}],\
"now":"<time>"}
        """)


def test_the_usual_test_round_has_the_times_of_the_seed() -> None:
    planned = default_test_round(1000.0)
    assert (planned.starts, planned.lobby, planned.pause, planned.runs) == (1300.0, 300.0, 300.0, 0)
    assert planned.template.clock == Every(2.0, early=False)
    assert marchland.find("datspulse").config_type.build({"rules": "upstream"}).max_turn * 2 == 600  # type: ignore[attr-defined]


def test_each_base_has_a_registration_of_its_own(final: TeamClient) -> None:
    with TeamClient(final.served, "/datspulse/test") as test:
        test.tokens = final.tokens
        test.play("""
            greens > POST /api/register
            < 200 {"lobbyEndsIn":<n>,"name":"{greens}","nextTurn":0.0,"realm":"datspulse test 1"}
        """)
    final.play("""
        greens > GET /api/arena
        < 400 {"code":400,"message":"no active game, next rounds: [<any>]"}
    """)


def test_test_rounds_follow_each_other_without_end(final: TeamClient) -> None:
    with TeamClient(final.served, "/datspulse/test") as test:
        test.organiser.must("DELETE", "/rounds/datspulse test")
        test.token("whites")
        short = test.announce("short", kind="test", runs=0, pause=0, config={"max_turn": 1})
        for number in (1, 2):
            test.play(f"""
                whites ~ POST /api/register
                < 200 {{"lobbyEndsIn":<n>,"name":"{{whites}}","nextTurn":0.0,"realm":"short {number}"}}
            """)
            test.end_lobby(short)
            test.play("""
                whites ~ GET /api/arena
                < 200 {"ants":[<any>],"turnNo":1,<any>
                whites > POST /api/move
                < 200 <any>"errors":[]}
            """)
        test.organiser.must("DELETE", "/rounds/short")


def test_the_first_final_round_uses_the_first_generator_and_the_templates_seed(final: TeamClient) -> None:
    config = {**SMALL, "max_turn": 1, "radius": 20}
    final.token("blacks")
    cup = final.announce("maps", runs=0, pause=0, config=config, template={"seed": 4})
    final.play("""
        blacks ~ POST /api/register
        < 200 {"lobbyEndsIn":<n>,"name":"{blacks}","nextTurn":0.0,"realm":"maps 1"}
    """)
    final.end_lobby(cup)
    final.wait_for_match(cup)
    game = marchland.new("datspulse", 1, seed=4, rules="upstream", map="lattice", config=config)
    assert isinstance(game, Datspulse)
    assert final.wait_for_arena("blacks", turn=1)["map"] == json.loads(arena_bytes(game, 0, 0.0))["map"]
    final.organiser.must("DELETE", f"/rounds/{cup}")


def test_the_announcement_in_the_documents_is_accepted(final: TeamClient) -> None:
    page = (Path(__file__).parents[3] / "docs/wires.md").read_text()
    body = json.loads(re.findall(r"/api/v1/rounds .* -d '(\{.*?\})'\n", page, re.DOTALL)[0])
    assert body["kind"] == "final"
    final.organiser.must("POST", "/rounds", json={**body, "starts": time.time() + 5000})
    listed = final.request("reds", "GET", "/api/rounds").json()["rounds"]
    assert [one["name"] for one in listed if one["name"].startswith("cup")] == [
        f"cup {number}" for number in range(6, 0, -1)
    ]
    assert final.organiser.must("GET", "/rounds/cup/standings") == []
