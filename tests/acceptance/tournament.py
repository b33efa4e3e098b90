"""Tournaments at full size: 2,000 fixtures under 50 kills, their results in 100 orders, and a cluster under kills."""

import random
import time
from pathlib import Path

from marchland.arena import Tournament
from marchland.ratings import fit_results, rank_versions
from tests.support.dask_cluster import DaskCluster
from tests.support.killed_tournaments import (
    BOTS,
    count_rows,
    play_under_cluster_kills,
    play_under_kills,
    play_undisturbed,
    verify_all,
)

MATCHES = 2_000
KILLS = 50
ORDERS = 100
CLUSTER_MATCHES = 400
CLUSTER_KILLS = 15


def test_two_thousand_fixtures_under_fifty_kills_count_once_and_give_the_same_table(tmp_path: Path) -> None:
    began = time.monotonic()
    whole = play_undisturbed(tmp_path / "whole.db", MATCHES)
    print(f"\nundisturbed: {MATCHES / (time.monotonic() - began) * 3600:,.0f} matches an hour")
    began = time.monotonic()
    killed, kills = play_under_kills(tmp_path / "killed.db", MATCHES, KILLS, 1)
    print(f"{kills.commands} commands and {kills.referees} referees killed in {time.monotonic() - began:.0f} s")
    assert killed == whole
    rows = count_rows(tmp_path / "killed.db")
    assert rows == {"fixtures": MATCHES, "places": 2 * MATCHES, "matches": MATCHES, "results": 2 * MATCHES}
    checked = verify_all(tmp_path / "killed.db")
    assert (checked.archives, checked.problems, checked.unverifiable) == (MATCHES, [], [])
    _check_orders(tmp_path / "killed.db")


def test_a_cluster_under_kills_counts_every_fixture_once_and_gives_the_same_table(tmp_path: Path) -> None:
    cluster = DaskCluster(tmp_path)
    try:
        killed, kills = play_under_cluster_kills(tmp_path / "killed.db", CLUSTER_MATCHES, CLUSTER_KILLS, 1, cluster)
    finally:
        cluster.stop()
    print(f"\nkilled: {dict(kills)}")
    assert killed == play_undisturbed(tmp_path / "whole.db", CLUSTER_MATCHES)
    assert count_rows(tmp_path / "killed.db")["matches"] == CLUSTER_MATCHES
    assert verify_all(tmp_path / "killed.db").problems == []


def _check_orders(db: Path) -> None:
    """The standings are the same to the last bit, in whatever order results arrive."""
    tournament = Tournament("enova", BOTS.split(","), config={"turn_limit": 8}, matches=MATCHES, db=db)
    tournament.load()
    results, table = tournament.results(), tournament.standings()
    assert len(results) == MATCHES
    dice = random.Random(1)
    for _ in range(ORDERS):
        dice.shuffle(results)
        assert rank_versions(fit_results(results)) == table
