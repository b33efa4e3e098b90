"""Comparisons: pairs on equal seeds until a sequential test decides."""

from pathlib import Path
from typing import Any

import pytest

from marchland.arena import Comparison, Tournament, compare
from marchland.errors import MarchlandError
from marchland.ratings import Verdict
from tests.support.tournaments import SMALL, InlineCarrier

OPTIONS: dict[str, Any] = {"game": "enova", "carrier": InlineCarrier, **SMALL["enova"]}


def test_a_better_bot_is_found_better_and_a_worse_one_not() -> None:
    better = compare("greedy", "idle", elo=(0, 100), **OPTIONS)
    assert better.verdict is Verdict.BETTER
    assert better.llr >= better.bound
    assert better.estimate.low > 0
    worse = compare("idle", "greedy", elo=(0, 100), **OPTIONS)
    assert worse.verdict is Verdict.NOT_BETTER


def test_equal_bots_stay_undecided_within_few_pairs() -> None:
    seen: list[Comparison] = []
    found = compare("idle", "idle", elo=(0, 10), pairs=4, on_pair=seen.append, **OPTIONS)
    assert (found.verdict, found.pairs, found.score) == (Verdict.UNDECIDED, 4, 0.5)
    assert seen[-1] == found
    assert [comparison.pairs for comparison in seen] == sorted({comparison.pairs for comparison in seen})


def test_a_comparison_continues_from_its_database(tmp_path: Path) -> None:
    options = {**OPTIONS, "elo": (0, 10), "db": tmp_path / "t.db"}
    compare("random", "idle", pairs=2, **options)
    seen: list[Comparison] = []
    whole = compare("random", "idle", pairs=5, on_pair=seen.append, **options)
    assert min(comparison.pairs for comparison in seen) > 2
    assert whole == compare("random", "idle", pairs=5, **{**options, "db": None})


def test_against_a_field_both_versions_play_the_same_opponents_on_the_same_seeds(tmp_path: Path) -> None:
    options = {**OPTIONS, "elo": (0, 100), "db": tmp_path / "t.db"}
    better = compare("greedy", "idle", against=["random", "idle"], **options)
    assert (better.new, better.old, better.verdict) == ("greedy", "idle 1", Verdict.BETTER)
    assert 0.5 < better.score <= 1
    seen = Tournament(
        "enova", ["greedy", "idle", "random", "idle"], format="versions", db=tmp_path / "t.db", **SMALL["enova"]
    )
    seen.load()
    met: dict[int, list[tuple[str, ...]]] = {}
    for bundle in seen.bundles:
        met.setdefault(bundle.seed_index, []).append(bundle.group)
    assert met[0] == [("greedy", "random"), ("idle 1", "random")]
    assert met[1] == [("greedy", "idle 2"), ("idle 1", "idle 2")]


def test_equal_versions_are_equal_against_a_field() -> None:
    found = compare("idle", "idle", against=["greedy"], pairs=3, **OPTIONS)
    assert (found.verdict, found.pairs, found.score) == (Verdict.UNDECIDED, 3, 0.5)


def test_bounds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(MarchlandError, match="must be below"):
        compare("greedy", "idle", elo=(10, 0), **OPTIONS)
