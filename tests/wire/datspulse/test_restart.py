"""A server that is killed in the middle of a round goes on where it was."""

from tests.support import http_clients as http
from tests.support.datspulse_client import SEEDED, TeamClient
from tests.support.server import Served


def test_a_round_goes_on_after_the_server_was_killed(own: Served) -> None:
    with TeamClient(own, "/datspulse/final") as client:
        cup = client.announce_and_register("cup", "reds", "blues", config={"max_turn": 9}, template=SEEDED)
        match = client.wait_for_match(cup)
        for turn in (1, 2):
            ant = next(one for one in client.wait_for_arena("reds", turn)["ants"] if one["type"] == 2)
            client.request("reds", "POST", "/api/move", step(ant, turn)).raise_for_status()
            client.request("blues", "POST", "/api/move").raise_for_status()
        before = client.wait_for_arena("reds", turn=3)
        shown = client.request("reds", "POST", "/api/move", step(before["ants"][0], 3)).json()
        log = client.request("reds", "GET", "/api/logs").json()
        own.kill()
        own.start()
        after = client.wait_for_arena("reds", turn=3)
        shown.pop("errors")
        for arena in (before, shown, after):
            arena.pop("nextTurnIn")
        assert after == shown and "move" in after["ants"][0] and "move" not in before["ants"][0]
        assert client.request("reds", "GET", "/api/logs").json() == log
        client.play("""
            reds > POST /api/register
            < 200 {"lobbyEndsIn":0,"name":"{reds}","nextTurn":<s>,"realm":"cup<any> 1"}
            greens > POST /api/register
            < 400 {"code":2,"message":"you are too late, cup<any> 1 lobby ended, next rounds: []"}
            blues > POST /api/move
            < 200 <any>"errors":[]}
        """)
        moved = next(
            one for one in client.wait_for_arena("reds", turn=4)["ants"] if one["id"] == after["ants"][0]["id"]
        )
        assert "lastMove" in moved
        longer = client.request("reds", "GET", "/api/logs").json()
        assert longer[: len(log)] == log and longer[-1]["message"].startswith("turn 4: ")
        assert client.wait_for_match(cup) == match


def test_registrations_and_the_lobby_survive_a_restart(own: Served) -> None:
    with TeamClient(own, "/datspulse/test") as client:
        register = """
            reds > POST /api/register
            < 200 {"lobbyEndsIn":<n>,"name":"{reds}","nextTurn":0.0,"realm":"datspulse test 1"}
        """
        client.play(register)
        own.kill()
        own.start()
        client.play('reds > GET /api/arena\n< 200 {"ants":[],<any>')
        client.play(register)
        who = {"X-Auth-Token": client.token("reds")}
        listed = http.get(f"{own.url}/datspulse/test/api/rounds", headers=who).json()["rounds"]
        assert [one["name"] for one in listed] == ["datspulse test 2", "datspulse test 1"]


def step(ant: dict[str, int], turn: int) -> str:
    """A scout moves back and forth."""
    away = 1 if turn % 2 else -1
    return f'{{"moves":[{{"ant":"{ant["id"]}","path":[{{"q":{ant["q"] + away},"r":{ant["r"]}}}]}}]}}'
