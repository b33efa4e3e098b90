"""Leagues of players whose strengths are known: results drawn by the model, with bundles that share their luck."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.ratings import Result


class League(NamedTuple):
    strengths: dict[str, float]
    results: list[Result]


def simulate_league(
    random: np.random.Generator,
    *,
    entrants: int = 16,
    players: int = 2,
    bundles: int = 150,
    spread: float = 1.0,
    tie_margin: float = 0.0,
    correlation: float = 0.0,
) -> League:
    """A league in which every bundle plays all rotations of a random group.

    A match is decided by strength and Gumbel noise, which is the Plackett-Luce model. Neighbours whose scores differ by
    less than ``tie_margin`` share a place. ``correlation`` is that of a version's noise in two matches of a bundle.
    """
    names = [f"v{number:03}" for number in range(entrants)]
    strengths = random.normal(0, spread, entrants)
    results = []
    for bundle in range(bundles):
        group = random.choice(entrants, players, replace=False)
        shared = random.standard_normal(players)
        for rotation in range(players):
            noise = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * random.standard_normal(players)
            places = places_of(strengths[group] + gumbel_of(noise), tie_margin)
            seats = np.roll(np.arange(players), rotation)
            versions = tuple(names[group[seat]] for seat in seats)
            results.append(Result(versions, tuple(places[seat] for seat in seats), f"b{bundle:05}"))
    return League(dict(zip(names, strengths.tolist(), strict=True)), results)


def gumbel_of(normal: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Gumbel noise with the ranks of standard normal noise."""
    uniform = [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in normal]
    return np.array([-math.log(-math.log(min(max(value, 1e-300), 1 - 1e-16))) for value in uniform])


def places_of(score: npt.NDArray[np.float64], tie_margin: float) -> list[int]:
    """Places by score; the first of those who share one counts for all."""
    order = np.argsort(-score)
    places = [0] * len(score)
    place = 1
    for rank, player in enumerate(order):
        if rank and score[order[rank - 1]] - score[player] >= tie_margin:
            place = rank + 1
        places[player] = place
    return places
