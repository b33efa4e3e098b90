"""Standings from a fit: ratings with intervals, and ranks with the range that the results allow."""

import itertools
import math
from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np

from marchland.ratings.plackett_luce import Fit, Floats
from marchland.ratings.significance import Z_95

POINTS: Final = 400 / np.log(10)
"""Points of one unit of strength: 400 points are ten to one, as in Elo's scale."""
CENTRE: Final = 1500.0

_DRAWS: Final = 1000
_DRAW_SEED: Final = 20_260_101


class Standing(NamedTuple):
    """One row of the table."""

    version: str
    rating: float
    margin: float
    """Half of the 95 % interval of the rating."""
    rank: int
    rank_low: int
    """The best and the worst rank, each with 2.5 % beyond it."""
    rank_high: int
    ahead_of_next: float | None
    """The chance that it is better than the next in the table; None for the last."""
    matches: int


def rank_versions(fit: Fit, anchors: Collection[str] = ()) -> list[Standing]:
    """The table, best first. The mean of the anchors, or of all without them, has `CENTRE` points."""
    if not fit.versions:
        return []
    fixed = [row for row, version in enumerate(fit.versions) if version in anchors] or range(len(fit.versions))
    points = CENTRE + POINTS * (fit.strengths - fit.strengths[list(fixed)].mean())
    margins = POINTS * Z_95 * np.sqrt(np.diag(fit.covariance))
    order = sorted(range(len(fit.versions)), key=lambda row: (-fit.strengths[row], fit.versions[row]))
    lows, highs = _rank_ranges(fit)
    matches = dict.fromkeys(fit.versions, 0)
    for result in fit.results:
        for version in set(result.versions):
            matches[version] += 1
    chances = [_chance_ahead(fit, one, other) for one, other in itertools.pairwise(order)]
    return [
        Standing(
            fit.versions[row],
            float(points[row]),
            float(margins[row]),
            place + 1,
            int(lows[row]),
            int(highs[row]),
            chances[place] if place < len(chances) else None,
            matches[fit.versions[row]],
        )
        for place, row in enumerate(order)
    ]


def _rank_ranges(fit: Fit) -> tuple[Floats, Floats]:
    """The ranks between which 95 % of draws from the posterior lie; the draws are always the same."""
    random = np.random.default_rng(_DRAW_SEED)
    values, vectors = np.linalg.eigh(fit.covariance)
    spread = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn = fit.strengths + random.standard_normal((_DRAWS, len(fit.versions))) @ spread.T
    ranks = np.argsort(np.argsort(-drawn, axis=1), axis=1) + 1
    low, high = np.percentile(ranks, [2.5, 97.5], axis=0, method="nearest")
    return low, high


def _chance_ahead(fit: Fit, one: int, other: int) -> float:
    """The chance that ``one`` is better than ``other``."""
    variance = fit.covariance[one, one] + fit.covariance[other, other] - 2 * fit.covariance[one, other]
    if variance <= 0:
        return 0.5
    return 0.5 * (1 + math.erf((fit.strengths[one] - fit.strengths[other]) / math.sqrt(2 * variance)))
