"""Tournaments through Dask: real scheduler and workers in processes of their own, one of which is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from marchland.arena import Tournament
from marchland.arena.play_fixture import BotLimits
from marchland.bots import SandboxError
from marchland.errors import MarchlandError
from tests.support.dask_cluster import DaskCluster
from tests.support.tournaments import SMALL, play_all, small_tournament, write_bot

pytest.importorskip("distributed")
BOTS = ["greedy", "random", "idle"]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    started = DaskCluster(tmp_path)
    yield started
    started.stop()


def cluster_tournament(address: str, db: Path, matches: int) -> Tournament:
    return Tournament("enova", BOTS, matches=matches, db=db, cluster=address, **SMALL["enova"])


def test_a_cluster_that_loses_a_worker_plays_the_same_tournament(cluster: DaskCluster, tmp_path: Path) -> None:
    tournament = cluster_tournament(cluster.address, tmp_path / "t.db", 36)
    playing = tournament.play()
    next(playing)
    cluster.kill_worker()
    for _ in playing:
        pass
    assert len({played.id for played in tournament.played}) == 36
    assert tournament.standings() == play_all(small_tournament("enova", BOTS, matches=36)).standings()


def test_without_its_scheduler_a_tournament_stops_with_a_sentence_and_continues_elsewhere(
    cluster: DaskCluster, tmp_path: Path
) -> None:
    tournament = cluster_tournament(cluster.address, tmp_path / "t.db", 60)
    with pytest.raises(MarchlandError, match="the same command continues"):
        for _ in tournament.play():
            cluster.scheduler.kill()
    continued = play_all(small_tournament("enova", BOTS, matches=60, db=tmp_path / "t.db"))
    assert len({played.id for played in continued.played}) == 60
    assert continued.standings() == play_all(small_tournament("enova", BOTS, matches=60)).standings()


def test_a_worker_that_can_make_no_jail_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_bot(tmp_path, "mine", "return []")
    monkeypatch.setenv("PATH", str(tmp_path))
    cluster = DaskCluster(tmp_path)
    try:
        cluster.wait_for_worker()
        limits = BotLimits(sandbox="jailed")
        tournament = Tournament("enova", [mine, "idle"], matches=2, cluster=cluster.address, limits=limits)
        with pytest.raises(SandboxError, match=r"The worker tcp://.* need bubblewrap"):
            play_all(tournament)
    finally:
        cluster.stop()
    assert tournament.played == []


def test_an_address_without_a_scheduler_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marchland.arena.cluster._CONNECT_SECONDS", 0.5)
    tournament = cluster_tournament("tcp://127.0.0.1:1", tmp_path / "t.db", 2)
    with pytest.raises(MarchlandError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1"):
        play_all(tournament)
