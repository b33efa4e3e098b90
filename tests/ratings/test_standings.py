"""The table: points, margins, ranks with their range, and pairs that contradict the ratings."""

import numpy as np
import pytest

from marchland.ratings import Duel, Result, duel_of, fit_results, largest_surprises, rank_versions
from tests.support.simulated_leagues import simulate_league

CHAIN = [Result(pair, (1, 2), f"{pair}{seed}") for pair in (("a", "b"), ("b", "c"), ("a", "c")) for seed in range(20)]


def test_the_table_is_ordered_by_rating_and_counts_matches() -> None:
    table = rank_versions(fit_results(CHAIN))
    assert [(row.version, row.rank, row.matches) for row in table] == [("a", 1, 40), ("b", 2, 40), ("c", 3, 40)]
    assert [row.rating for row in table] == sorted((row.rating for row in table), reverse=True)
    assert sum(row.rating for row in table) / 3 == pytest.approx(1500)


def test_anchors_fix_the_scale() -> None:
    table = {row.version: row.rating for row in rank_versions(fit_results(CHAIN), anchors=["c"])}
    assert table["c"] == pytest.approx(1500)
    assert table["a"] > table["b"] > 1500


def test_the_range_of_ranks_narrows_with_more_matches() -> None:
    widths = []
    for bundles in (20, 400):
        league = simulate_league(np.random.default_rng(5), entrants=10, bundles=bundles)
        table = rank_versions(fit_results(league.results))
        assert all(row.rank_low <= row.rank <= row.rank_high for row in table)
        widths.append(sum(row.rank_high - row.rank_low for row in table))
    assert widths[1] < widths[0] / 2


def test_the_chance_to_be_ahead_of_the_next_is_even_between_equals() -> None:
    table = rank_versions(fit_results([Result(("a", "b"), (1, 1), "s1")]))
    assert [row.ahead_of_next for row in table] == [pytest.approx(0.5), None]


def test_an_empty_league_has_an_empty_table() -> None:
    assert rank_versions(fit_results([])) == []


def test_a_duel_counts_places_in_matches_of_any_size() -> None:
    results = [
        Result(("a", "b", "c"), (1, 2, 2), "s1"),
        Result(("b", "a"), (1, 2), "s2"),
        Result(("c", "b"), (1, 1), "s3"),
    ]
    assert duel_of(results, "a", "b") == Duel(wins=1, draws=0, losses=1)
    assert duel_of(results, "b", "c") == Duel(wins=0, draws=2, losses=0)
    assert duel_of(results, "c", "b").share == 0.5
    assert duel_of(results, "a", "z") == Duel(0, 0, 0)
    low, high = duel_of(results, "a", "b").interval
    assert 0 < low < 0.5 < high < 1


def test_a_pair_that_contradicts_the_ratings_is_the_largest_surprise() -> None:
    contradiction = [Result(("c", "a"), (1, 2), f"upset{seed}") for seed in range(5)]
    fit = fit_results([result for result in CHAIN if result.versions != ("a", "c")] + contradiction)
    upset = largest_surprises(fit, 1)[0]
    assert (upset.one, upset.other, upset.duel) == ("a", "c", Duel(0, 0, 5))
    assert upset.expected > 0.5
