"""Some seconds of what `make soak` does for twenty minutes: rooms, people, spectators and kills at once."""

import asyncio
from pathlib import Path

from marchland.store import Database
from tests.support.match_logs import check_promises
from tests.support.server import Served
from tests.support.soak import SoakPlan, open_rooms, run_soak, seat_people

PLAN = SoakPlan(
    seconds=5, kills=2, sample_seconds=0.5, room_period=0.2, room_keep=2, matches=2, spectators=4, seed=2026
)


def test_everything_at_once_through_two_kills_loses_no_order_and_leaks_no_socket(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        open_rooms(served, PLAN)
        players = seat_people(served, PLAN.matches)
        samples = asyncio.run(run_soak(served, players, PLAN, lambda sample: None))
    finally:
        served.stop()
    assert max(sample.descriptors for sample in samples) < 100
    assert max(sample.threads for sample in samples) < 60
    with Database(str(served.database)) as store, store.engine.connect() as connection:
        check_promises(connection, players)
    assert min(len(player.receipts) for player in players) > 0
