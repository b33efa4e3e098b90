"""DatsPulse's rounds on two nodes."""

from typing import Any

from tests.wire.datspulse.talk import Talk
from tests.wire.nodes.conftest import Nodes

_CLOCK = {"kind": "every", "seconds": 2.0, "early": False}


def test_a_team_may_speak_to_either_node(nodes: Nodes) -> None:
    with Talk(nodes.one, "/datspulse/final") as one, Talk(nodes.other, "/datspulse/final") as other:
        other.tokens = one.tokens
        cup = one.enter("cup", "reds", config={"max_turn": 30}, clock=_CLOCK)
        one.match(cup)
        for talk in (one, other):
            turn = talk.arena("reds", 1)["turnNo"] + 1
            arena = talk.arena("reds", turn)
            assert 0 < arena["nextTurnIn"] <= 2
            scout = _scout(arena)
            way = [{"q": scout["q"] + 1, "r": scout["r"]}]
            body = f'{{"moves":[{{"ant":"{scout["id"]}","path":[{{"q":{way[0]["q"]},"r":{way[0]["r"]}}}]}}]}}'
            answer = talk.ask("reds", "POST", "/api/move", body).raise_for_status().json()
            assert (answer["turnNo"], answer["errors"], _scout(answer)["move"]) == (turn, [], way)
            assert _scout(talk.arena("reds", turn)).get("move") == way
            assert _scout(talk.arena("reds", turn + 1))["lastMove"] == way
        assert one.ask("reds", "GET", "/api/logs").json()[:3] == other.ask("reds", "GET", "/api/logs").json()[:3]
        one.organiser.must("DELETE", f"/rounds/{cup}")


def test_a_team_registers_at_either_node(nodes: Nodes) -> None:
    with Talk(nodes.one, "/datspulse/test") as one, Talk(nodes.other, "/datspulse/test") as other:
        other.tokens = one.tokens
        told = [talk.ask("greens", "POST", "/api/register").raise_for_status().json() for talk in (one, other)]
        assert told[0]["name"] == told[1]["name"]
        assert [talk.ask("greens", "GET", "/api/arena").json()["turnNo"] for talk in (one, other)] == [0, 0]


def _scout(arena: Any) -> Any:
    return next(ant for ant in arena["ants"] if ant["type"] == 2)
