"""The fit: a pure function of the set of results, whose intervals mean what they say."""

import itertools
import random as plain_random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchland.ratings import Result, fit_results
from marchland.ratings.significance import Z_95
from tests.support.simulated_leagues import simulate_league


def strengths_of(*results: Result, predecessors: dict[str, str] | None = None) -> dict[str, float]:
    fit = fit_results(results, predecessors)
    return dict(zip(fit.versions, fit.strengths.tolist(), strict=True))


def test_two_players_get_the_mode_of_their_posterior() -> None:
    found = strengths_of(Result(("a", "b"), (1, 2), "s1"), Result(("b", "a"), (2, 1), "s1"))
    # By symmetry a = -b = x, and the slope of 2 log(1 / (1 + exp(-2x))) - x^2 / 9 is 0.
    x = found["a"]
    assert found["b"] == pytest.approx(-x)
    assert 4 / (1 + np.exp(2 * x)) == pytest.approx(2 * x / 9)


def test_a_draw_tells_as_much_as_half_a_win_for_each() -> None:
    draw = fit_results([Result(("a", "b"), (1, 1), "s1")])
    win = fit_results([Result(("a", "b"), (1, 2), "s1")])
    assert draw.strengths.tolist() == [0, 0]
    assert draw.laplace[0, 0] <= win.laplace[0, 0]
    assert draw.laplace[0, 0] == pytest.approx(
        1 / (2 * (1 / 9 + 2 / 4))
    )  # of a - b: two priors, one choice at even odds


@given(st.lists(st.integers(1, 4), min_size=2, max_size=8))
def test_a_shared_place_is_never_below_a_worse_one(places: list[int]) -> None:
    names = [f"v{seat}" for seat in range(len(places))]
    found = strengths_of(Result(tuple(names), tuple(places), "s1"))
    for (one, above), (other, below) in itertools.permutations(zip(names, places, strict=True), 2):
        if above == below:
            assert found[one] == pytest.approx(found[other], abs=1e-6)
        if above < below:
            assert found[one] > found[other]


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(2, 5))
def test_the_order_and_the_repetition_of_results_change_no_digit(random: plain_random.Random, players: int) -> None:
    results = simulate_league(np.random.default_rng(players), players=players, bundles=30, tie_margin=0.3).results
    expected = fit_results(results)
    shuffled = results + random.sample(results, 10)
    random.shuffle(shuffled)
    found = fit_results(shuffled)
    assert found.versions == expected.versions
    assert found.strengths.tobytes() == expected.strengths.tobytes()
    assert found.covariance.tobytes() == expected.covariance.tobytes()


def test_two_different_results_of_one_match_are_refused() -> None:
    results = [Result(("a", "b"), (1, 2), "s1"), Result(("a", "b"), (2, 1), "s1")]
    with pytest.raises(ValueError, match=r"Bundle s1 has two results of one match \(a, b\)"):
        fit_results(results)


def test_a_version_that_wins_everything_keeps_a_finite_strength() -> None:
    found = strengths_of(*(Result(("a", "b"), (1, 2), f"s{seed}") for seed in range(1000)))
    assert 3 < found["a"] < 10


def test_a_new_version_starts_at_its_predecessor() -> None:
    results = [Result(("old", "rival"), (1, 2), f"s{seed}") for seed in range(50)]
    new = Result(("new", "other"), (1, 1), "s-new")
    found = strengths_of(*results, new, predecessors={"new": "old"})
    alone = strengths_of(*results, new)
    assert abs(found["new"] - found["old"]) < 1.5 < alone["old"] - alone["new"]


def test_no_results_have_a_fit_without_versions() -> None:
    assert fit_results([]).versions == []


@pytest.mark.parametrize(("players", "bundles"), [(2, 150), (4, 60), (8, 40)])
def test_intervals_of_differences_cover_the_truth(players: int, bundles: int) -> None:
    covered, widths, laplace = [], [], []
    for seed in range(12):
        league = simulate_league(np.random.default_rng(seed), players=players, bundles=bundles, tie_margin=0.25)
        fit = fit_results(league.results)
        truth = np.array([league.strengths[version] for version in fit.versions])
        one, other = np.triu_indices(len(truth), 1)
        deviations = [
            np.sqrt(matrix[one, one] + matrix[other, other] - 2 * matrix[one, other])
            for matrix in (fit.covariance, fit.laplace)
        ]
        error = (fit.strengths[one] - fit.strengths[other]) - (truth[one] - truth[other])
        covered.append(np.mean(np.abs(error) <= Z_95 * deviations[0]))
        widths.append(deviations[0].mean())
        laplace.append(deviations[1].mean())
    assert 0.93 <= np.mean(covered) <= 0.985
    assert 1 <= np.mean(widths) / np.mean(laplace) <= 1.2


def test_correlated_matches_of_a_bundle_widen_the_intervals() -> None:
    results = simulate_league(np.random.default_rng(3), players=4, bundles=80, correlation=0.6).results
    apart = [result._replace(bundle=f"{result.bundle}/{number}") for number, result in enumerate(results)]
    together, alone = (np.sqrt(np.diag(fit_results(given).covariance)).mean() for given in (results, apart))
    assert together > 1.1 * alone
