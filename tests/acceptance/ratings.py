"""Ratings at full size: coverage in 200 simulated leagues, 1,000 sequential tests, the fit of a large league."""

import statistics
import time

import numpy as np
import pytest

from marchland.ratings import Result, Verdict, fit_results
from marchland.ratings.significance import Z_95
from tests.ratings.test_sprt import BOUNDS, run_test
from tests.support.simulated_leagues import League, simulate_league

LEAGUES = 200
SHAPES = ((2, 150, 0.0), (2, 150, 0.4), (4, 60, 0.3), (8, 40, 0.2))
"""Players, bundles and the margin below which a place is shared."""


def coverage_of(league: League) -> tuple[float, float]:
    """The share of differences inside their interval, and the mean width of the intervals by that of Laplace's."""
    fit = fit_results(league.results)
    truth = np.array([league.strengths[version] for version in fit.versions])
    one, other = np.triu_indices(len(truth), 1)
    robust, laplace = (
        np.sqrt(matrix[one, one] + matrix[other, other] - 2 * matrix[one, other])
        for matrix in (fit.covariance, fit.laplace)
    )
    error = (fit.strengths[one] - fit.strengths[other]) - (truth[one] - truth[other])
    return float(np.mean(np.abs(error) <= Z_95 * robust)), float(robust.mean() / laplace.mean())


def test_intervals_cover_the_truth_in_two_hundred_leagues() -> None:
    found = []
    for seed in range(LEAGUES):
        players, bundles, margin = SHAPES[seed % len(SHAPES)]
        random = np.random.default_rng(seed)
        correlation = 0.1 if seed % 2 else 0.0
        league = simulate_league(random, players=players, bundles=bundles, tie_margin=margin, correlation=correlation)
        found.append(coverage_of(league))
    coverage, width = np.mean(found, axis=0)
    print(f"\ncoverage {coverage:.3f}, width {width:.3f} of Laplace's")
    assert 0.93 <= coverage <= 0.985
    assert width <= 1.2


@pytest.mark.parametrize(("elo", "wrong"), [(BOUNDS[0], Verdict.BETTER), (BOUNDS[1], Verdict.NOT_BETTER)])
def test_a_thousand_sequential_tests_are_wrong_in_at_most_six_and_a_half_percent(elo: float, wrong: Verdict) -> None:
    random = np.random.default_rng(1)
    tests = [run_test(random, elo) for _ in range(1000)]
    share = sum(test.verdict is wrong for test in tests) / len(tests)
    print(f"\nat {elo:.0f}: {share:.3f} wrong, {statistics.median(test.bundles for test in tests):.0f} pairs")
    assert share <= 0.065


@pytest.mark.parametrize("players", [2, 4])
def test_a_thousand_versions_in_a_hundred_thousand_matches_are_fitted_in_two_seconds(players: int) -> None:
    random = np.random.default_rng(1)
    strengths = random.normal(0, 1, 1000)
    results = []
    for bundle in range(100_000 // players):
        group = random.choice(1000, players, replace=False)
        for rotation in range(players):
            places = np.argsort(np.argsort(-strengths[group] - random.gumbel(size=players))) + 1
            seats = np.roll(np.arange(players), rotation)
            versions = tuple(f"v{group[seat]:04}" for seat in seats)
            results.append(Result(versions, tuple(places[seats].tolist()), f"b{bundle:06}"))
    began = time.process_time()
    fit_results(results)
    seconds = time.process_time() - began
    print(f"\n{players} players: {seconds:.2f} s of CPU")
    assert seconds <= 2
