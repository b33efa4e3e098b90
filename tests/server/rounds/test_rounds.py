"""Rounds: lobby, start, match, break, standings."""

import time
from typing import Any

from tests.support.api import SMALL, Api, end_lobby, some_name, until


def announced(admin: Api, **more: Any) -> Any:
    template = {**SMALL, "seats": [{"kind": "builtin", "bot": "greedy"}]}
    usual = {"name": some_name("cup"), "template": template, "starts": time.time() + 60, "lobby": 60, "kind": "final"}
    return admin.post("/rounds", **{**usual, **more})


def test_players_who_register_in_the_lobby_play_and_appear_in_the_standings(admin: Api, player: Api) -> None:
    bots = [{"kind": "builtin", "bot": "greedy"}]
    cup = announced(admin, template={**SMALL, "seats": bots, "clock": {"kind": "every", "seconds": 600}})
    assert cup["current"]["state"] == "lobby"
    registered = player.post(f"/rounds/{cup['id']}/register", name="the reds")
    assert player.post(f"/rounds/{cup['id']}/register") == registered
    assert admin.get(f"/rounds/{cup['id']}")["current"]["registered"] == 1
    end_lobby(admin.server, cup["id"])
    (run,) = until(lambda: [run for run in admin.get(f"/rounds/{cup['id']}/runs") if run["match"]])
    match = admin.get(f"/matches/{run['match']}")
    assert [(seat["kind"], seat.get("account")) for seat in match["seats"]] == [
        ("builtin", None),
        ("bot", player.account),
    ]
    _pass_every_turn(player, run["match"])
    until(lambda: admin.get(f"/rounds/{cup['id']}")["current"] is None)
    standings = admin.get(f"/rounds/{cup['id']}/standings")
    assert [(one["account"], one["points"]) for one in standings] == [(None, 10), (player.account, 8)]
    assert {one["name"] for one in admin.get("/standings", game="colorfight")} >= {"the reds"}


def _pass_every_turn(player: Api, match: str) -> None:
    """Play a match without orders. Turns end when all seats are ready, so a slow bot is not late."""
    passed: set[int] = set()

    def is_over() -> bool:
        info = player.get(f"/matches/{match}")
        turn = info["turn"]
        if info["state"] == "running" and turn not in passed:
            player.post(f"/matches/{match}/orders", orders=[], key=f"turn {turn}", turn=turn)
            passed.add(turn)
        return bool(info["state"] == "over")

    until(is_over)


def test_a_name_that_is_longer_than_the_game_allows_keeps_no_round_from_starting(admin: Api, player: Api) -> None:
    cup = announced(admin)
    player.post(f"/rounds/{cup['id']}/register", name="the team with the longest name")
    end_lobby(admin.server, cup["id"])
    (run,) = until(lambda: [run for run in admin.get(f"/rounds/{cup['id']}/runs") if run["match"]])
    match = until(lambda: _begun(admin, run["match"]))
    assert match["seats"][1]["name"] == "the team with "
    until(lambda: admin.get(f"/rounds/{cup['id']}")["current"] is None)


def _begun(admin: Api, match: str) -> Any:
    info = admin.get(f"/matches/{match}")
    return info if info["state"] != "lobby" else None


def test_a_new_team_is_too_late_once_the_match_has_started(admin: Api, player: Api) -> None:
    template = {**SMALL, "config": {"width": 12, "height": 12, "max_turn": 10_000}}
    cup = announced(admin, template=template)
    player.post(f"/rounds/{cup['id']}/register")
    end_lobby(admin.server, cup["id"])
    match = until(lambda: admin.get(f"/rounds/{cup['id']}")["current"]["match"])
    with admin.new_account() as late:
        status, error, sentence = late.refused("POST", f"/rounds/{cup['id']}/register", {})
    assert (status, error) == (409, "lobby_closed") and "lobby ended" in sentence
    assert player.post(f"/rounds/{cup['id']}/register")["number"] == 0
    until(lambda: _is_limited(player, match))
    admin.delete(f"/matches/{match}")
    until(lambda: admin.get(f"/rounds/{cup['id']}")["current"] is None)


def _is_limited(player: Api, match: str) -> bool:
    """In a round one may ask three times a second."""
    answers = [
        player._http.post(f"/matches/{match}/orders", json={"orders": [], "key": some_name("k")}) for _ in range(12)
    ]
    return any(one.status_code == 429 and one.headers["retry-after"] for one in answers)


def test_registration_is_refused_before_the_lobby_opens(admin: Api, player: Api) -> None:
    cup = announced(admin, starts=time.time() + 1000, lobby=10)
    assert "opens in" in player.refused("POST", f"/rounds/{cup['id']}/register", {})[2]
    admin.delete(f"/rounds/{cup['id']}")
    assert "Nothing more is planned" in player.refused("POST", f"/rounds/{cup['id']}/register", {})[2]


def test_two_teams_cannot_have_one_name(admin: Api, player: Api) -> None:
    cup = announced(admin, starts=time.time() + 50)
    player.post(f"/rounds/{cup['id']}/register", name="reds")
    with admin.new_account() as other:
        assert other.refused("POST", f"/rounds/{cup['id']}/register", {"name": "reds"})[1] == "name_taken"
    admin.delete(f"/rounds/{cup['id']}")


def test_a_test_round_without_registrations_is_planned_again_without_a_break(admin: Api) -> None:
    cup = announced(admin, kind="test", runs=0, starts=time.time() + 1, lobby=1, pause=3600)
    until(lambda: [run["state"] for run in admin.get(f"/rounds/{cup['id']}/runs")][:2] == ["empty", "empty"])
    admin.delete(f"/rounds/{cup['id']}")


def test_a_test_round_does_not_count_for_the_final_standings(admin: Api, player: Api) -> None:
    cup, name = announced(admin, kind="test"), some_name("team")
    player.post(f"/rounds/{cup['id']}/register", name=name)
    end_lobby(admin.server, cup["id"])
    until(lambda: admin.get(f"/rounds/{cup['id']}")["current"] is None)
    assert name in {one["name"] for one in admin.get(f"/rounds/{cup['id']}/standings")}
    assert name not in {one["name"] for one in admin.get("/standings", game="colorfight")}


def test_rounds_are_the_organisers(player: Api) -> None:
    body = {"name": "cup", "template": SMALL, "starts": time.time() + 100}
    assert player.refused("POST", "/rounds", body)[:2] == (403, "not_allowed")


def test_a_round_is_changed_before_it_is_played(admin: Api) -> None:
    cup = announced(admin, starts=time.time() + 500)
    later = time.time() + 900
    name = some_name("bowl")
    changed = admin.patch(f"/rounds/{cup['id']}", name=name, starts=later, kind="test", pause=7, every=3600, runs=5)
    assert (changed["name"], changed["kind"], changed["pause"], changed["every"], changed["runs"]) == (
        name,
        "test",
        7,
        3600,
        5,
    )
    assert changed["current"]["starts"] == changed["starts"] == later
    assert admin.patch(f"/rounds/{cup['id']}", every=None)["every"] is None
    unchanged = admin.patch(f"/rounds/{cup['id']}")
    assert {**unchanged, "now": 0} == {**changed, "every": None, "now": 0}
    admin.delete(f"/rounds/{cup['id']}")


def test_a_change_of_a_round_that_cannot_be_changes_nothing(admin: Api, player: Api) -> None:
    cup, other = announced(admin, starts=time.time() + 500), announced(admin, starts=time.time() + 500)
    path = f"/rounds/{cup['id']}"
    for wrong, word in (
        ({"name": other["name"]}, "name_taken"),
        ({"starts": time.time() - 5}, "bad_request"),
        ({"template": {**SMALL, "config": {"width": -1}}}, "bad_request"),
        ({"template": {**SMALL, "seats": [{"kind": "builtin", "bot": "greedy"}] * 1000}}, "bad_request"),
        ({"pause": -1}, "bad_request"),
    ):
        assert admin.refused("PATCH", path, {"lobby": 11, **wrong})[1] == word
    assert player.refused("PATCH", path, {"pause": 1})[0] == 403
    assert admin.get(path)["lobby"] == 60 and admin.get(path)["current"] == cup["current"]
    admin.delete(path)
    admin.delete(f"/rounds/{other['id']}")


def test_a_round_that_was_played_keeps_what_it_is_worth_but_may_be_played_again(admin: Api, player: Api) -> None:
    cup = announced(admin)
    path = f"/rounds/{cup['id']}"
    player.post(f"{path}/register")
    end_lobby(admin.server, cup["id"])
    until(lambda: admin.get(path)["current"] is None)
    status, error, sentence = admin.refused("PATCH", path, {"scoring": {"points": [1]}})
    assert (status, error) == (409, "started") and "what it is worth" in sentence
    assert "no start to move" in admin.refused("PATCH", path, {"starts": time.time() + 100})[2]
    changed = admin.patch(path, runs=2, lobby=300, pause=0)
    assert (changed["current"]["number"], changed["current"]["state"]) == (1, "lobby")
    moved = admin.patch(path, starts=time.time() + 5000)
    assert moved["current"]["starts"] == moved["starts"]
    admin.delete(path)
    assert admin.get(path)["current"] is None
    assert admin.patch(path, open=True)["current"]["number"] == 1


def test_a_closed_round_whose_start_has_passed_is_opened_with_a_new_one(admin: Api) -> None:
    cup = announced(admin, starts=time.time() + 1)
    path = f"/rounds/{cup['id']}"
    admin.delete(path)
    until(lambda: time.time() > cup["starts"])
    assert "say when it starts" in admin.refused("PATCH", path, {"open": True})[2]
    changed = admin.patch(path, open=True, starts=time.time() + 500)
    assert changed["open"] and changed["current"]["number"] == 0
    admin.delete(path)
