"""Hive's games on two nodes."""

import json

import httpx

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
