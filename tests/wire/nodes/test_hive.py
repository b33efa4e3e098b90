"""Hive's games on two nodes."""

import json

import httpx

from tests.serving import ADMIN, Person
from tests.wire.hive.agent import PATIENCE, Agent
from tests.wire.nodes.conftest import Nodes


def test_agents_on_both_nodes_play_one_game(nodes: Nodes) -> None:
    wish = {"map": "tiny", "players": "2"}
    made = httpx.get(f"{nodes.one.url}/hive/newgame", params=wish, timeout=PATIENCE).json()
    agents = [Agent(f"{node.url}/hive", made["id"], name) for node, name in zip(nodes, ("anna", "bert"), strict=True)]
    assert [agent.number for agent in agents] == [0, 1]
    for turn in (2, 3, 4):
        for agent in agents:
            while agent.next_turn()["turn"] < turn:
                pass
        for agent in agents:
            seen = agent.look()
            assert seen["turn"] == turn
            assert agent.post(agent.plan(seen)).text == '"OK"'
    for agent in agents:
        while agent.next_turn()["turn"] < 5:
            pass
    sights = [
        httpx.get(f"{node.url}/hive/game", params={"id": made["id"], "token": made["adminToken"]}) for node in nodes
    ]
    assert sights[0].content == sights[1].content
    bees = [told["entity"] for told in json.loads(sights[0].content)["hexes"].values() if "entity" in told]
    assert {bee["player"] for bee in bees} == {0, 1}
    for agent in agents:
        agent.close()


def test_a_seat_that_was_open_at_the_start_may_be_taken_at_a_node_that_has_not_seen_the_game(nodes: Nodes) -> None:
    wish = {"map": "tiny", "players": "2"}
    made = httpx.get(f"{nodes.one.url}/hive/newgame", params=wish, timeout=PATIENCE).json()
    game = {"id": made["id"]}
    anna = Agent(f"{nodes.one.url}/hive", made["id"], "anna")
    with (
        Person(nodes.one, ADMIN) as organiser,
        httpx.Client(base_url=f"{nodes.other.url}/hive", timeout=PATIENCE) as there,
    ):
        waiting = organiser.must("GET", "/matches", params={"state": "lobby"})
        match = next(one["id"] for one in waiting if [seat.get("name") for seat in one["seats"]] == ["anna", None])
        organiser.must("POST", f"/matches/{match}/start")
        anna.next_turn()
        bert = there.get("/join", params=game | {"name": "bert"}).json()
        assert bert["id"] == 1
        assert [seat.kind for seat in organiser.info(match).seats] == ["bot", "bot"]
        full = there.get("/join", params=game | {"name": "cleo"})
        assert (full.status_code, full.json()) == (400, "Game is full")
        while anna.next_turn()["turn"] < 2:
            pass
        anna.post([])
        seen = there.get("/game", params=game | {"token": bert["token"]}).json()
        answer = there.post("/orders", params=game | {"token": bert["token"]}, json=[])
        assert (seen["turn"], answer.json()) == (2, "OK")
        assert anna.next_turn()["turn"] == 3
        organiser.must("DELETE", f"/matches/{match}")
    anna.close()
