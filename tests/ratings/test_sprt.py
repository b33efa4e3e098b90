"""The sequential test: how often it is wrong, and what it says meanwhile."""

import numpy as np
import pytest

from marchland.ratings import SequentialTest, Verdict
from marchland.ratings.sprt import elo_of, score_of

TESTS = 200
MOST_WRONG = 0.08
"""The error of 5 % and two deviations of its estimate from so many tests."""
BOUNDS = (0.0, 40.0)
MOST_BUNDLES = 20_000


def run_test(random: np.random.Generator, elo: float, draws: float = 0.3) -> SequentialTest:
    """Pairs of games at a known difference, until the test ends."""
    test = SequentialTest(*BOUNDS)
    win = score_of(elo) - draws / 2
    while test.verdict is Verdict.UNDECIDED and test.bundles < MOST_BUNDLES:
        games = random.choice((1.0, 0.5, 0.0), 2, p=(win, draws, 1 - win - draws))
        test.add(float(games.mean()))
    return test


@pytest.mark.parametrize(("elo", "wrong"), [(BOUNDS[0], Verdict.BETTER), (BOUNDS[1], Verdict.NOT_BETTER)])
def test_few_verdicts_are_wrong_at_the_bounds(elo: float, wrong: Verdict) -> None:
    random = np.random.default_rng(11)
    verdicts = [run_test(random, elo).verdict for _ in range(TESTS)]
    assert Verdict.UNDECIDED not in verdicts
    assert verdicts.count(wrong) / len(verdicts) <= MOST_WRONG


@pytest.mark.parametrize(("elo", "wrong"), [(BOUNDS[0], Verdict.BETTER), (BOUNDS[1], Verdict.NOT_BETTER)])
def test_few_verdicts_by_scores_against_a_third_are_wrong_at_the_bounds(elo: float, wrong: Verdict) -> None:
    random = np.random.default_rng(12)
    verdicts = []
    for _ in range(TESTS):
        test = SequentialTest(*BOUNDS, sensitivity=0.5)
        while test.verdict is Verdict.UNDECIDED and test.bundles < MOST_BUNDLES:
            new, old = (random.random(2) < score_of(strength) for strength in (elo, 0.0))
            test.add(0.5 + (new.mean() - old.mean()) / 2)
        verdicts.append(test.verdict)
    assert Verdict.UNDECIDED not in verdicts
    assert verdicts.count(wrong) / len(verdicts) <= MOST_WRONG


def test_a_score_that_shows_half_of_a_difference_gives_the_whole_estimate() -> None:
    test = SequentialTest(sensitivity=0.5)
    for score in (0.5, 0.75, 0.5, 0.75):
        test.add(score)
    assert test.estimate.elo == pytest.approx(elo_of(0.75))


def test_a_clear_winner_is_found_soon() -> None:
    test = SequentialTest(0, 40)
    while test.verdict is Verdict.UNDECIDED:
        test.add(1.0)
    assert test.verdict is Verdict.BETTER
    assert 10 <= test.bundles <= 60


def test_one_pair_decides_nothing() -> None:
    test = SequentialTest()
    assert test.verdict is Verdict.UNDECIDED
    test.add(1.0)
    assert test.verdict is Verdict.UNDECIDED


def test_the_estimate_has_an_interval_around_it() -> None:
    test = SequentialTest()
    for score in (1.0, 0.5, 0.0, 1.0, 0.5, 0.5, 1.0, 0.25):
        test.add(score)
    assert test.estimate.low < test.estimate.elo < test.estimate.high
    assert test.estimate.elo == pytest.approx(elo_of(test.mean))


def test_scores_and_differences_are_inverse() -> None:
    assert score_of(0) == 0.5
    assert elo_of(score_of(123)) == pytest.approx(123)
    assert elo_of(1) == np.inf
    assert elo_of(0) == -np.inf


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="first bound must be below"):
        SequentialTest(10, 0)
    with pytest.raises(ValueError, match="error must be between"):
        SequentialTest(0, 10, 0.5)
    with pytest.raises(ValueError, match="from 0 to 1"):
        SequentialTest().add(1.5)
