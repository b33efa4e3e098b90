"""Adaptive pairing at full size: matches until the order of 32 entrants is known, against pairing at random."""

import statistics

from marchland.arena.pairing import find_format
from tests.support.simulated_tournaments import RANDOM, matches_until

REPETITIONS = 40
TAU = 0.90


def test_a_ladder_needs_at_most_three_fifths_of_the_matches_of_random_pairing() -> None:
    adaptive = [matches_until(find_format("ladder"), TAU, seed) for seed in range(REPETITIONS)]
    at_random = [matches_until(RANDOM, TAU, seed) for seed in range(REPETITIONS)]
    share = statistics.mean(adaptive) / statistics.mean(at_random)
    print(f"\n{statistics.mean(adaptive):.0f} against {statistics.mean(at_random):.0f} matches: {share:.2f}")
    assert share <= 0.60
