"""Two versions against each other: what was counted, and how it differs from what the ratings say."""

import itertools
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from marchland.ratings.plackett_luce import Fit
from marchland.ratings.results import Result
from marchland.ratings.significance import wilson_interval


class Duel(NamedTuple):
    """How often one version was placed above another, in matches of any number of players."""

    wins: int
    draws: int
    losses: int

    @property
    def share(self) -> float:
        """The share of wins, a shared place counted as half."""
        return (self.wins + self.draws / 2) / max(self.wins + self.draws + self.losses, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson_interval(self.wins + self.draws / 2, self.wins + self.draws + self.losses)


class Surprise(NamedTuple):
    """A pair whose results differ from the ratings: strengths are not transitive there, or there was luck."""

    one: str
    other: str
    duel: Duel
    expected: float
    """The share that the ratings give."""


def duel_of(results: Iterable[Result], one: str, other: str) -> Duel:
    """The results of one version against another."""
    return count_duels(result for result in results if {one, other} <= set(result.versions)).get(
        (one, other), Duel(0, 0, 0)
    )


def count_duels(results: Iterable[Result]) -> dict[tuple[str, str], Duel]:
    """Every ordered pair that met."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for result in results:
        seats = zip(result.versions, result.places, strict=True)
        for (one, above), (other, below) in itertools.permutations(seats, 2):
            if one != other:
                counts[one, other][0 if above < below else 1 if above == below else 2] += 1
    return {pair: Duel(*counted) for pair, counted in counts.items()}


def largest_surprises(fit: Fit, count: int = 10) -> list[Surprise]:
    """The pairs that differ most from their ratings, in standard deviations of the wins; each pair once."""
    strength = dict(zip(fit.versions, fit.strengths.tolist(), strict=True))
    found = []
    for (one, other), duel in count_duels(fit.results).items():
        if one < other:
            played = sum(duel)
            expected = float(1 / (1 + np.exp(strength[other] - strength[one])))
            deviation = abs(duel.share - expected) * played / np.sqrt(played * expected * (1 - expected))
            found.append((float(deviation), Surprise(one, other, duel, expected)))
    found.sort(key=lambda pair: (-pair[0], pair[1].one, pair[1].other))
    return [surprise for _, surprise in found[:count]]
