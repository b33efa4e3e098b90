"""Hive's games on two nodes."""

import json

from tests.support import http_clients as http
from tests.support.api import until
from tests.support.hive_agent import PATIENCE, Agent
from tests.support.server import ADMIN, Person
from tests.wire.nodes.conftest import Nodes


def test_agents_on_both_nodes_play_one_game(nodes: Nodes) -> None:
    body = {"map": "tiny", "players": "2"}
    created = http.get(f"{nodes.one.url}/hive/newgame", params=body, timeout=PATIENCE).json()
    agents = [
        Agent(f"{node.url}/hive", created["id"], name) for node, name in zip(nodes, ("anna", "bert"), strict=True)
    ]
    assert [agent.number for agent in agents] == [0, 1]
    for turn in (2, 3, 4):
        for agent in agents:
            while agent.wait_for_turn()["turn"] < turn:
                pass
        for agent in agents:
            seen = agent.load_state()
            assert seen["turn"] >= turn  # on a busy machine two seconds may have passed
            assert agent.post(agent.plan_orders(seen)).text == '"OK"'
    for agent in agents:
        while agent.wait_for_turn()["turn"] < 5:
            pass

    def sight() -> bytes | None:
        """What both nodes show to the admin in the same turn."""
        query = {"id": created["id"], "token": created["adminToken"]}
        shown = [http.get(f"{node.url}/hive/game", params=query, timeout=PATIENCE).content for node in nodes]
        return shown[0] if shown[0] == shown[1] else None

    bees = [cell["entity"] for cell in json.loads(until(sight))["hexes"].values() if "entity" in cell]
    assert {bee["player"] for bee in bees} == {0, 1}
    for agent in agents:
        agent.close()


def test_a_seat_left_open_at_the_start_can_be_taken_on_a_node_without_the_match(nodes: Nodes) -> None:
    body = {"map": "tiny", "players": "2"}
    created = http.get(f"{nodes.one.url}/hive/newgame", params=body, timeout=PATIENCE).json()
    game = {"id": created["id"]}
    anna = Agent(f"{nodes.one.url}/hive", created["id"], "anna")
    with (
        Person(nodes.one, ADMIN) as organiser,
        http.open_client(base_url=f"{nodes.other.url}/hive", timeout=PATIENCE) as there,
    ):
        waiting = organiser.must("GET", "/matches", params={"state": "lobby"})
        match = next(one["id"] for one in waiting if [seat.get("name") for seat in one["seats"]] == ["anna", None])
        organiser.must("POST", f"/matches/{match}/start")
        anna.wait_for_turn()
        bert = there.get("/join", params=game | {"name": "bert"}).json()
        assert bert["id"] == 1
        assert [seat.kind for seat in organiser.info(match).seats] == ["bot", "bot"]
        full = there.get("/join", params=game | {"name": "cleo"})
        assert (full.status_code, full.json()) == (400, "Game is full")
        while anna.wait_for_turn()["turn"] < 2:
            pass
        anna.post([])
        query = game | {"token": bert["token"]}
        until(lambda: there.get("/game", params=query).json()["turn"] >= 2)  # the replica follows the owner
        assert there.post("/orders", params=query, json=[]).json() == "OK"
        assert anna.wait_for_turn()["turn"] == 3
        organiser.must("DELETE", f"/matches/{match}")
    anna.close()
