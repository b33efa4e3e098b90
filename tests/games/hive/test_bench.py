"""The bench runs, and the play that it measures is sensible."""

import random

import pytest

from marchland.games.hive import bench


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"MAP": "tiny", "PLAYERS": 2, "HIVES": 2, "BEES": 8, "TURNS": 6, "BATCH": 2}.items():
        monkeypatch.setattr(bench, name, value)


@pytest.mark.usefixtures("_small")
def test_the_bench_measures_every_scenario() -> None:
    lines = list(bench.scenarios())
    assert [line["scenario"] for line in lines] == ["91/2px10u", "step/91/2p", "step+views/91/2p", "batch/2x91/2p"]
    shared = {"game", "scenario", "cells", "players", "orders_per_turn", "us_per_turn", "ns_per_cell"}
    extra = [{"memcpy_ratio"}, set(), set(), {"match_turns_per_second"}]
    assert [set(line) - shared for line in lines] == extra
    assert all(shared <= set(line) for line in lines)
    assert all(line["us_per_turn"] > 0 and line["orders_per_turn"] > 10 for line in lines)


@pytest.mark.usefixtures("_small")
def test_hardly_an_order_of_the_bench_is_refused() -> None:
    game, chance = bench.build_crowded_match(), random.Random(1)
    given = refused = 0
    for _ in range(6):
        results = [one for listed in game.step(bench.busy_orders(game, chance)).results.values() for one in listed]
        given += len(results)
        refused += sum(not one.ok for one in results)
    assert refused < given / 10
