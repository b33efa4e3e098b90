"""The sequential probability ratio test: is the new version better? It stops as soon as the answer is sure enough.

The unit is a bundle: the new version's mean score over the rotations of one seed, between 0 and 1. The log-likelihood
ratio is the generalised one of a mean with unknown variance, close to the test of game pairs that chess engine testers
use. Bounds are differences in Elo's scale.
"""

import math
from enum import Enum
from typing import Final, NamedTuple

from marchland.ratings.significance import Z_95

_PSEUDO_VARIANCE: Final = 0.25
"""The largest variance of a score. One bundle of it is assumed, so that the first few equal ones prove nothing."""


class Verdict(Enum):
    """What a test says so far."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"


class Estimate(NamedTuple):
    """The difference in Elo's scale, with the bounds of its 95 % interval."""

    elo: float
    low: float
    high: float


class SequentialTest:
    """Tests "at least ``elo1`` better" against "at most ``elo0`` better"; ``error`` is the share of wrong verdicts.

    ``sensitivity`` is the part of a difference that a score shows: 1 where the versions play each other, a half where a
    score is half the difference of their scores against others.
    """

    def __init__(self, elo0: float = 0.0, elo1: float = 10.0, error: float = 0.05, *, sensitivity: float = 1.0) -> None:
        if not elo0 < elo1:
            raise ValueError(f"The first bound must be below the second, not {elo0} and {elo1}.")
        if not 0 < error < 0.5:
            raise ValueError(f"The error must be between 0 and 0.5, not {error}.")
        self._sensitivity = sensitivity
        self._means = [0.5 + sensitivity * (score_of(elo) - 0.5) for elo in (elo0, elo1)]
        self.bound = math.log((1 - error) / error)
        """The test ends when the log-likelihood ratio leaves the range from minus to plus this."""
        self.bundles = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, score: float) -> None:
        """Count a bundle by the new version's mean score in it."""
        if not 0 <= score <= 1:
            raise ValueError(f"A score is from 0 to 1, not {score}.")
        self.bundles += 1
        self._sum += score
        self._squares += score * score

    @property
    def mean(self) -> float:
        """The mean score so far; a half before the first."""
        return self._sum / self.bundles if self.bundles else 0.5

    @property
    def _variance(self) -> float:
        spread = max(self._squares - self.bundles * self.mean**2, 0.0)
        return (spread + _PSEUDO_VARIANCE) / (self.bundles + 1)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the two hypotheses: the larger, the better the new version."""
        low, high = self._means
        above, below = (self._variance + (self.mean - bound) ** 2 for bound in (low, high))
        return self.bundles / 2 * math.log(above / below)

    @property
    def verdict(self) -> Verdict:
        """The answer so far."""
        if abs(self.llr) < self.bound:
            return Verdict.UNDECIDED
        return Verdict.BETTER if self.llr > 0 else Verdict.NOT_BETTER

    @property
    def estimate(self) -> Estimate:
        """The difference so far. It is biased away from zero, because the test stops when it is clear."""
        margin = Z_95 * math.sqrt(self._variance / max(self.bundles, 1))
        middle = self.mean - 0.5
        return Estimate(*(elo_of(0.5 + (middle + shift) / self._sensitivity) for shift in (0.0, -margin, margin)))


def score_of(elo: float) -> float:
    """The expected score at a difference in Elo's scale."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in Elo's scale at which a score is expected; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)
