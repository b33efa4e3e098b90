"""Either of two nodes is killed under load; what was acknowledged is in the match logs. Longer: acceptance/nodes.py."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from marchland.store import Database
from tests.support.match_logs import check_promises, replay_log
from tests.support.postgres import Cluster
from tests.support.posting_players import PostingPlayer
from tests.support.two_nodes import Load, play_through_kills, seat_players, start_nodes

LOAD = Load(matches=2, seats=2, kills=3, seed=7, patience=60)


@pytest.fixture(scope="module")
def players(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[PostingPlayer], Connection]]:
    """Players through whose matches both nodes were killed, and the database that is left."""
    folder: Path = tmp_path_factory.mktemp("nodes")
    nodes, url = start_nodes(cluster, folder)
    try:
        players = seat_players(nodes, LOAD)
        asyncio.run(play_through_kills(nodes, players, LOAD))
    finally:
        for node in nodes:
            node.stop()
    with Database(url) as store, store.engine.connect() as connection:
        yield players, connection


def test_every_acknowledged_post_is_in_the_turn_of_its_receipt_once(
    players: tuple[list[PostingPlayer], Connection],
) -> None:
    everyone, connection = players
    assert all(len(player.receipts) > 2 * LOAD.kills for player in everyone)  # one at least in each wait for turns
    check_promises(connection, everyone)


def test_every_turn_was_played_once_and_its_posts_give_its_digest(
    players: tuple[list[PostingPlayer], Connection],
) -> None:
    everyone, connection = players
    for match in {player.match for player in everyone}:
        assert len(replay_log(connection, match)) > 2 * LOAD.kills
