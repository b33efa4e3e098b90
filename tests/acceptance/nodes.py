"""Two nodes killed twenty times under load; reduced: tests/faults/test_killed_nodes.py."""

import asyncio
from pathlib import Path

from marchland.store import Database
from tests.support.match_logs import check_promises, replay_log
from tests.support.postgres import Cluster
from tests.support.two_nodes import Load, play_through_kills, seat_players, start_nodes

LOAD = Load(matches=10, seats=4, kills=20, seed=2026, patience=60)


def test_twenty_kills_of_either_node_lose_and_double_nothing(cluster: Cluster, tmp_path: Path) -> None:
    nodes, url = start_nodes(cluster, tmp_path)
    try:
        players = seat_players(nodes, LOAD)
        asyncio.run(play_through_kills(nodes, players, LOAD))
    finally:
        for node in nodes:
            node.stop()
    with Database(url) as store, store.engine.connect() as connection:
        check_promises(connection, players)
        turns = {player.match: len(replay_log(connection, player.match)) for player in players}
    print(f"{sum(len(player.receipts) for player in players)} receipts, {sum(turns.values())} turns")
    assert min(turns.values()) > 2 * LOAD.kills
