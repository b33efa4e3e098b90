"""Moves: their errors, and what the arena shows until the turn ends (rulings 5, 17, 23)."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tests.support import http_clients as http
from tests.support.datspulse_client import TeamClient
from tests.support.server import Served

_RADIUS = 5
_ACID = (1, 0)


def land() -> list[str]:
    """Open land with acid beside the spot, which is in the middle."""
    rows = []
    for r in range(-_RADIUS, _RADIUS + 1):
        first = -_RADIUS + abs(r) // 2
        hexes = [(q, r) for q in range(first, first + 2 * _RADIUS + 1 - abs(r))]
        rows.append("".join("~" if at == _ACID else "." for at in hexes))
    return rows


class Team(TeamClient):
    """The client of one team, reds, in a running round."""

    def move(self, *moves: tuple[str, list[tuple[int, int]]]) -> Any:
        body = [{"ant": ant, "path": [{"q": q, "r": r} for q, r in path]} for ant, path in moves]
        answer = self.request("reds", "POST", "/api/move", msgspec.json.encode({"moves": body}))
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def team(served: Served, request: pytest.FixtureRequest) -> Iterator[Team]:
    """Reds, and whites who never move, so that the turn stays open; an ant that steps on acid dies."""
    with Team(served, "/datspulse/final") as client:
        world = {"map": land(), "spots": [[0, 0], [-4, 2]]}
        config = {"health": [20, 20, 20], "acid_damage": 20, "max_turn": 9}
        cup = client.announce_and_register(
            request.node.name[5:33], "reds", "whites", config=config, template={"map": world}
        )
        match = client.wait_for_match(cup)
        yield client
        client.organiser.must("DELETE", f"/matches/{match}")


def scout(arena: Any) -> str:
    return str(next(ant["id"] for ant in arena["ants"] if ant["type"] == 2))


def shown(arena: Any, ant: str) -> Any:
    return next(one for one in arena["ants"] if one["id"] == ant).get("move")


def test_every_text_about_a_bad_move(team: Team) -> None:
    ant = scout(team.wait_for_arena("reds", turn=1))
    ways: list[tuple[list[tuple[int, int]], str]] = [
        ([(3, 0)], f"ant {ant} cannot move from {{0 0}} to {{3 0}}, not adjacent coordinates"),
        ([(0, 1)] * 8, f"ant {ant} cannot move more than 7 tiles, but tried to move 8 tiles"),
        ([(99, 99)], f"ant {ant} cannot move to {{99 99}}, tile not found"),
        ([(10**30, 0)], f"ant {ant} cannot move to {{{10**30} 0}}, tile not found"),
    ]
    answer = team.move(*((ant, way) for way, _ in ways), ("unknown", [(0, 1)]))
    assert answer["errors"] == [*(text for _, text in ways), "ant unknown not found"]
    assert list(answer)[-1] == "errors" and shown(answer, ant) is None


def test_a_move_of_a_dead_ant_fails_as_dead_for_one_turn_and_then_as_not_found(team: Team) -> None:
    ant = scout(team.wait_for_arena("reds", turn=1))
    assert team.move((ant, [_ACID]))["errors"] == []
    team.request("whites", "POST", "/api/move")
    arena = team.wait_for_arena("reds", turn=2)
    (dead,) = [one for one in arena["ants"] if one["id"] == ant]
    assert dead["health"] == 0 and dead["lastMove"] == [{"q": 1, "r": 0}]
    assert team.move((ant, [(0, 1)]))["errors"] == [f"ant {ant} is dead"]
    team.request("whites", "POST", "/api/move")
    team.wait_for_arena("reds", turn=3)
    assert team.move((ant, [(0, 1)]))["errors"] == [f"ant {ant} not found"]
    log = [line["message"] for line in team.request("reds", "GET", "/api/logs").json()]
    assert f"turn 2: ant {ant} killed by acid" in log


def test_the_last_valid_order_of_a_turn_is_shown_and_counts(team: Team) -> None:
    ant = scout(team.wait_for_arena("reds", turn=1))
    assert shown(team.move((ant, [(-1, 0)])), ant) == [{"q": -1, "r": 0}]
    assert shown(team.move((ant, [(0, 1), (0, 2)])), ant) == [{"q": 0, "r": 1}, {"q": 0, "r": 2}]
    answer = team.move((ant, [(99, 0)]))
    assert answer["errors"] and shown(answer, ant) == [{"q": 0, "r": 1}, {"q": 0, "r": 2}]
    assert shown(team.move(), ant) == [{"q": 0, "r": 1}, {"q": 0, "r": 2}]
    team.request("whites", "POST", "/api/move")
    after = next(one for one in team.wait_for_arena("reds", turn=2)["ants"] if one["id"] == ant)
    assert (after["q"], after["r"]) == (0, 2) and "move" not in after


def test_an_empty_path_takes_an_order_back(team: Team) -> None:
    ant = scout(team.wait_for_arena("reds", turn=1))
    assert shown(team.move((ant, [(-1, 0)])), ant)
    assert shown(team.move((ant, [])), ant) is None
    team.request("whites", "POST", "/api/move")
    after = next(one for one in team.wait_for_arena("reds", turn=2)["ants"] if one["id"] == ant)
    assert (after["q"], after["r"]) == (0, 0)


def test_a_body_without_orders_is_a_move_without_orders(team: Team) -> None:
    team.wait_for_arena("reds", turn=1)
    for body in ("", "null", "{}", "[]", ' {"moves":null} ', '{"moves":[]}', '{"moves":[],"more":1}'):
        answer = team.request("reds", "POST", "/api/move", body)
        assert (answer.status_code, answer.json()["errors"]) == (200, []), body


def test_a_body_that_is_not_a_move_is_refused_with_a_message(team: Team) -> None:
    team.wait_for_arena("reds", turn=1)
    for body in ("{", "[1]", '"moves"', '{"moves":3}', '{"moves":[{"ant":1,"path":[]}]}', b"\xff\xfe", "[" * 5000):
        answer = team.request("reds", "POST", "/api/move", body)
        content = answer.json()
        assert answer.status_code == 400 and list(content) == ["code", "message"], body
        assert content["code"] == 400 and content["message"].startswith("bad request: ")


def test_orders_given_through_our_own_api_are_shown_too(team: Team) -> None:
    ant = scout(team.wait_for_arena("reds", turn=1))
    mine = {"Authorization": f"Bearer {team.token('reds')}"}
    (match,) = team.organiser.must("GET", "/matches", params={"state": "running"})
    api = f"{team.served.url}/api/v1/matches/{match['id']}"
    ants = http.get(f"{api}/view?seat=0", headers=mine).raise_for_status().json()["ants"]
    number = next(one["id"] for one in ants if one["type"] == "scout")
    orders = [{"do": "move", "ant": number, "path": [[0, 1]]}, {"do": "move", "ant": 5, "path": [[77, 7]]}, "nonsense"]
    http.post(f"{api}/orders", headers=mine, json={"orders": orders, "key": "k", "ready": False}).raise_for_status()
    assert [one.get("move") for one in team.wait_for_arena("reds")["ants"] if one["id"] == ant] == [[{"q": 0, "r": 1}]]
