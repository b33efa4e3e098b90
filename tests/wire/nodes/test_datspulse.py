"""DatsPulse's rounds on two nodes."""

from typing import Any

from tests.support.datspulse_client import SEEDED, TeamClient
from tests.wire.nodes.conftest import Nodes

_SEATS = [{"kind": "open"}, {"kind": "open"}]


def test_a_team_plays_on_either_node(nodes: Nodes) -> None:
    with TeamClient(nodes.one, "/datspulse/final") as one, TeamClient(nodes.other, "/datspulse/final") as other:
        other.tokens = one.tokens
        cup = one.announce_and_register("cup", "reds", "blues", config={"max_turn": 30}, seats=_SEATS, template=SEEDED)
        one.wait_for_match(cup)
        for client in (one, other):
            arena = client.wait_for_arena("reds", 1)
            turn = arena["turnNo"]
            assert 0 < arena["nextTurnIn"] <= 60
            scout = _scout(arena)
            way = [{"q": scout["q"] + 1, "r": scout["r"]}]
            body = f'{{"moves":[{{"ant":"{scout["id"]}","path":[{{"q":{way[0]["q"]},"r":{way[0]["r"]}}}]}}]}}'
            answer = client.request("reds", "POST", "/api/move", body).raise_for_status().json()
            assert (answer["turnNo"], answer["errors"], _scout(answer)["move"]) == (turn, [], way)
            assert _scout(client.wait_for_arena("reds", turn)).get("move") == way
            client.request("blues", "POST", "/api/move", '{"moves":[]}').raise_for_status()
            assert _scout(client.wait_for_arena("reds", turn + 1))["lastMove"] == way
        assert (
            one.request("reds", "GET", "/api/logs").json()[:3] == other.request("reds", "GET", "/api/logs").json()[:3]
        )
        one.organiser.must("DELETE", f"/rounds/{cup}")


def test_a_team_registers_on_either_node(nodes: Nodes) -> None:
    with TeamClient(nodes.one, "/datspulse/test") as one, TeamClient(nodes.other, "/datspulse/test") as other:
        other.tokens = one.tokens
        received = [
            client.request("greens", "POST", "/api/register").raise_for_status().json() for client in (one, other)
        ]
        assert received[0]["name"] == received[1]["name"]
        assert [client.request("greens", "GET", "/api/arena").json()["turnNo"] for client in (one, other)] == [0, 0]


def _scout(arena: Any) -> Any:
    return next(ant for ant in arena["ants"] if ant["type"] == 2)
