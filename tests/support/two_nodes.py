"""Two nodes on one PostgreSQL, killed in turns while matches are played through both."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.postgres import Cluster
from tests.support.posting_players import BOARD, PostingPlayer, wait_for_turns
from tests.support.server import Served, person

LEASE = 1.0
PERIOD = 0.3
CONFIG = {"width": BOARD, "height": BOARD, "max_turn": 1_000_000, "early_end": False}


class Load(NamedTuple):
    """How much is played, and how often a node is killed."""

    matches: int
    seats: int
    kills: int
    seed: int
    patience: float
    """Seconds in which every match must go on after a kill."""


def start_nodes(cluster: Cluster, folder: Path) -> tuple[list[Served], str]:
    """Two nodes on a new database, and its URL."""
    url = cluster.new_database()
    nodes = []
    for name in ("first", "second"):
        (folder / name).mkdir()
        nodes.append(Served(folder / name, "--db", url, "--lease", str(LEASE)))
    return nodes, url


def seat_players(nodes: Sequence[Served], load: Load) -> list[PostingPlayer]:
    """Players of running matches, which the nodes own in equal parts."""
    players = []
    for number in range(load.matches):
        node = nodes[number % len(nodes)]
        people = [person(node) for _ in range(load.seats)]
        clock = {"kind": "every", "seconds": PERIOD, "early": False}
        match = people[0].match("colorfight", *["open"] * load.seats, config=CONFIG, clock=clock)
        for one in people:
            players.append(PostingPlayer(nodes, match, one))
            one.close()
    return players


async def play_through_kills(nodes: Sequence[Served], players: Sequence[PostingPlayer], load: Load) -> None:
    """Kill the nodes alternately: the survivor takes over all matches, so each kill hits their owner."""
    dice = random.Random(load.seed)
    playing = [asyncio.create_task(player.play()) for player in players]
    try:
        for number in range(load.kills):
            await wait_for_turns(players, 1, load.patience)
            await asyncio.sleep(dice.random() * PERIOD)  # any moment of a turn
            victim = nodes[number % len(nodes)]
            victim.kill()
            await wait_for_turns(players, 2, load.patience)  # without the victim
            await asyncio.to_thread(victim.start)
        await wait_for_turns(players, 2, load.patience)
        for task in playing:
            assert not task.done(), task.exception()
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
