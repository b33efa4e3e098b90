"""Twenty minutes of everything at once (`make soak`); reduced: tests/faults/test_soak.py."""

import asyncio
from pathlib import Path

from marchland.store import Database
from tests.support.match_logs import check_promises
from tests.support.server import Served
from tests.support.soak import Sample, SoakPlan, growth, open_rooms, run_soak, seat_people

PLAN = SoakPlan(
    seconds=1_200, kills=10, sample_seconds=10, room_period=0.1, room_keep=2, matches=10, spectators=20, seed=2026
)
MOST_GROWTH = {"memory": 0.05, "descriptors": 0.10, "threads": 0.0, "database": 0.05}
MOST_DATABASE = 300_000_000


def test_a_busy_server_levels_off(tmp_path: Path) -> None:
    print(f"\n{'minute':>7}{'RSS MB':>9}{'descriptors':>13}{'threads':>9}{'database MB':>13}")

    def report(sample: Sample) -> None:
        memory, database = sample.memory / 1e6, sample.database / 1e6
        columns = f"{memory:9.1f}{sample.descriptors:13}{sample.threads:9}{database:13.1f}"
        print(f"{sample.second / 60:7.1f}{columns}", flush=True)

    served = Served(tmp_path, "--demo")
    try:
        open_rooms(served, PLAN)
        players = seat_people(served, PLAN.matches)
        samples = asyncio.run(run_soak(served, players, PLAN, report))
    finally:
        served.stop()
    with Database(str(served.database)) as store, store.engine.connect() as connection:
        check_promises(connection, players)
    grown = {figure: growth(samples, figure) for figure in MOST_GROWTH}
    print(f"{sum(len(player.receipts) for player in players)} receipts;", {k: f"{v:+.1%}" for k, v in grown.items()})
    assert all(grown[figure] <= most for figure, most in MOST_GROWTH.items()), grown
    assert samples[-1].database < MOST_DATABASE
