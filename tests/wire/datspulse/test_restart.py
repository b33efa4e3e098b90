"""A server that is killed in the middle of a round goes on where it was."""

import httpx

from tests.serving import Served
from tests.wire.datspulse.talk import Talk


def test_a_round_goes_on_after_the_server_was_killed(own: Served) -> None:
    with Talk(own, "/datspulse/final") as talk:
        cup = talk.enter("cup", "reds", "blues", config={"max_turn": 9})
        match = talk.match(cup)
        for turn in (1, 2):
            ant = next(one for one in talk.arena("reds", turn)["ants"] if one["type"] == 2)
            talk.ask("reds", "POST", "/api/move", step(ant, turn)).raise_for_status()
            talk.ask("blues", "POST", "/api/move").raise_for_status()
        before = talk.arena("reds", turn=3)
        shown = talk.ask("reds", "POST", "/api/move", step(before["ants"][0], 3)).json()
        log = talk.ask("reds", "GET", "/api/logs").json()
        own.kill()
        own.start()
        after = talk.arena("reds", turn=3)
        shown.pop("errors")
        for arena in (before, shown, after):
            arena.pop("nextTurnIn")
        assert after == shown and "move" in after["ants"][0] and "move" not in before["ants"][0]
        assert talk.ask("reds", "GET", "/api/logs").json() == log
        talk.play("""
            reds > POST /api/register
            < 200 {"lobbyEndsIn":0,"name":"{reds}","nextTurn":<s>,"realm":"cup<any> 1"}
            greens > POST /api/register
            < 400 {"code":400,"message":"you are too late, cup<any> 1 lobby ended, next rounds: []"}
            blues > POST /api/move
            < 200 <any>"errors":[]}
        """)
        moved = next(one for one in talk.arena("reds", turn=4)["ants"] if one["id"] == after["ants"][0]["id"])
        assert "lastMove" in moved
        longer = talk.ask("reds", "GET", "/api/logs").json()
        assert longer[: len(log)] == log and longer[-1]["message"].startswith("turn 3: ")
        assert talk.match(cup) == match


def test_registrations_and_the_lobby_outlive_the_server(own: Served) -> None:
    with Talk(own, "/datspulse/test") as talk:
        register = """
            reds > POST /api/register
            < 200 {"lobbyEndsIn":<n>,"name":"{reds}","nextTurn":0.0,"realm":"datspulse test 1"}
        """
        talk.play(register)
        own.kill()
        own.start()
        talk.play('reds > GET /api/arena\n< 200 {"ants":[],<any>')
        talk.play(register)
        who = {"X-Auth-Token": talk.token("reds")}
        listed = httpx.get(f"{own.url}/datspulse/test/api/rounds", headers=who).json()["rounds"]
        assert [one["name"] for one in listed] == ["datspulse test 1", "datspulse test 2"]


def step(ant: dict[str, int], turn: int) -> str:
    """A scout goes to and fro."""
    away = 1 if turn % 2 else -1
    return f'{{"moves":[{{"ant":"{ant["id"]}","path":[{{"q":{ant["q"] + away},"r":{ant["r"]}}}]}}]}}'
