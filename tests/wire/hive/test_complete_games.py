"""Complete games over the wire end as the same orders do in process."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from marchland.games.hive.rules.reasons import HiveReason
from marchland.games.hive.wire import read_orders
from tests.support import http_clients as http
from tests.support.hive_agent import PATIENCE, Agent
from tests.support.replays import download_replay, orders_by_seat
from tests.support.server import ADMIN, Person, Served


@pytest.mark.parametrize("edition", ["2025", "seed"])
def test_a_game_against_greedy_ends_as_it_does_in_process(served: Served, edition: str, tmp_path: Path) -> None:
    base = f"{served.url}/hive"
    body = {"map": "tiny", "players": "2", "bots": "greedy", "edition": edition}
    created = http.get(f"{base}/newgame", params=body, timeout=PATIENCE).json()
    agent = Agent(base, created["id"], "forager", edition)
    sent: dict[int, bytes] = {}
    changes: dict[int, int] = {}
    while not (turn := agent.wait_for_turn())["gameOver"]:
        seen = agent.load_state()
        changes[seen["turn"]] = seen.get("lastInfluenceChange", 0)
        if turn["turn"] and seen["turn"] == turn["turn"]:
            request = agent.post(agent.plan_orders(seen)).request
            sent[turn["turn"]] = request.content
    last = http.get(f"{base}/game", params={"id": created["id"], "token": created["adminToken"]}).json()
    agent.close()
    with Person(served, ADMIN) as admin:
        match = _match_of(admin)
        replay, outcome = download_replay(admin, match, tmp_path), admin.info(match).outcome
    game = replay.at(0)
    played = 0
    while game.outcome is None:
        recorded = orders_by_seat(replay, game, game.turn)
        mine = recorded.get(0, [])
        if mine or (game.turn in sent and read_orders(sent[game.turn])):
            assert mine == read_orders(sent[game.turn])
            played += 1
        game.step({0: mine, 1: recorded.get(1, [])})
    assert game.outcome == outcome
    assert last["winners"] == sorted(game.outcome.winners)
    assert last["playerResources"] == [one.figures["flowers"] for one in _by_seat(game.outcome)]
    assert played > 10
    _check_history(base, created["id"], edition, last, changes)


def _match_of(admin: Person) -> str:
    """The last Hive match that ended."""
    listed = admin.must("GET", "/matches", params={"game": "hive", "state": "over", "limit": 1})
    return str(listed[0]["id"])


def _by_seat(outcome: Any) -> list[Any]:
    return sorted(outcome.ranking, key=lambda one: one.player)


def _check_history(base: str, game: str, edition: str, last: dict[str, Any], changes: dict[int, int]) -> None:
    assert f'<a href="{game}.json">' in http.get(f"{base}/history/").text
    history = http.get(f"{base}/history/{game}.json", timeout=PATIENCE).json()
    assert list(history) == ["id", "map", "createdDate", "players", "history"]
    assert history["players"] == ["forager", "greedy"]
    first, *rest = history["history"]
    assert list(first) == ["state"]
    assert len(rest) == last["turn"]
    assert rest[-1]["state"] == last
    last_change = _check_influence([turn["state"] for turn in history["history"]], changes)
    assert last_change > 0 or edition == "2025"  # in which flowers are too few for another hive
    orders = [order for turn in rest for order in turn["orders"]]
    assert {order["player"] for order in orders} == {0, 1}
    assert "OK" in {order["status"] for order in orders} <= {"OK", *HiveReason.__members__}
    moved = next(order for order in orders if order["type"] == "MOVE")
    assert list(moved) == ["type", "player", "coords", "direction", "status"]


def _check_influence(states: list[dict[str, Any]], changes: dict[int, int]) -> int:
    """Check that states name the last turn in which influence changed; that turn."""
    shown = [{at: cell.get("influence") for at, cell in state["hexes"].items()} for state in states]
    last = 0
    for turn, (before, after) in enumerate(pairwise(shown), 1):
        last = turn if before != after else last
        assert states[turn].get("lastInfluenceChange", 0) == last
        assert changes.get(turn, last) == last
    return last
