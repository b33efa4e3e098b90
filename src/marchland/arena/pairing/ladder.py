"""Ladder: the bundle that tells most is played next, within floors that are fair to everyone.

What a match tells about two strengths is, for a normal posterior, half the logarithm of 1 + p(1-p) * variance of their
difference, where p is the chance that one wins: close and uncertain pairs first. The covariance is that of the fit;
bundles that are planned but not played reduce it as if they had been, so a round spreads over the field.

Floors, in this order: every eighth bundle is drawn at random, which keeps the fit honest; every fourth goes to the pair
of the ten best that has met least, until all of them have twenty matches; an entrant with far fewer matches than the
median plays next, one with far more waits; a pair does not meet again within five bundles while others can.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.arena.fixtures import Field, Meeting, Pairing, seatings_of
from marchland.arena.pairing.groups import Pair, check_size, count_bundles, count_pairs, next_round, pairs_of
from marchland.errors import MarchlandError
from marchland.ratings import fit_results
from marchland.ratings.plackett_luce import PRIOR_SD
from marchland.ratings.standings import POINTS

Floats = npt.NDArray[np.float64]

RANDOM_EVERY: Final = 8
TOP_EVERY: Final = 4
TOP: Final = 10
TOP_MATCHES: Final = 20
SPREAD: Final = 0.2
"""How far an entrant's number of bundles may be from the median, as a share of it; one bundle is always allowed."""
REST: Final = 5
"""Bundles before a pair meets again."""
_LEAST_ROUND: Final = 4
"""Bundles that are planned together, so that several workers have something to play."""
_LEAST_BUNDLES: Final = 2
"""Bundles that everyone has before the ten best are known well enough to single them out."""


class Knowledge(NamedTuple):
    """What is known of the strengths, for each entrant in the order of the field."""

    strengths: Floats
    covariance: Floats


def check(field: Field) -> None:
    """Refuse a field in which no match is possible."""
    check_size(field)
    owners = len(set(field.owners)) if field.owners else len(field.entrants)
    if owners < field.players:
        raise MarchlandError(f"{field.players} bots of different owners are needed for a match, not {owners}.")


def plan(field: Field, meetings: Sequence[Meeting]) -> list[Pairing]:
    """The next round: about half of the field. There is always one."""
    size = max(_LEAST_ROUND, len(field.entrants) // (2 * field.players))
    first = len(meetings)
    planned = list(meetings)
    knowledge = expect_planned(field, know(field, meetings), meetings)
    for index in range(first, first + size):
        pairing = _choose(field, knowledge, planned, index)
        planned.append(Meeting(pairing, next_round(meetings)))
        knowledge = expect_bundle(knowledge, [field.entrants.index(entrant) for entrant in pairing.group])
    return [meeting.pairing for meeting in planned[first:]]


# ---------------------------------------------------------------- what is known


def know(field: Field, meetings: Sequence[Meeting]) -> Knowledge:
    """Strengths and covariance by the results; the prior for entrants without any."""
    count = len(field.entrants)
    strengths, covariance = np.zeros(count), np.eye(count) * PRIOR_SD**2
    fit = fit_results(result for meeting in meetings for result in meeting.results)
    if fit.versions:
        rows = np.array([field.entrants.index(version) for version in fit.versions])
        strengths[rows] = fit.strengths
        covariance[np.ix_(rows, rows)] = fit.laplace
    return Knowledge(strengths, covariance)


def expect_planned(field: Field, knowledge: Knowledge, meetings: Sequence[Meeting]) -> Knowledge:
    """What will be known after the bundles that have no results yet."""
    for meeting in meetings:
        if not meeting.results:
            knowledge = expect_bundle(knowledge, [field.entrants.index(entrant) for entrant in meeting.pairing.group])
    return knowledge


def expect_bundle(knowledge: Knowledge, group: Sequence[int]) -> Knowledge:
    """The covariance after a bundle of this group, by one update (Sherman and Morrison) for each of its pairs."""
    covariance = knowledge.covariance
    share = len(seatings_of([str(row) for row in group])) * 2 / len(group)
    for place, one in enumerate(group):
        for other in group[place + 1 :]:
            chance = 1 / (1 + np.exp(knowledge.strengths[other] - knowledge.strengths[one]))
            weight = share * chance * (1 - chance)
            difference = covariance[one] - covariance[other]
            variance = difference[one] - difference[other]
            covariance = covariance - weight * np.outer(difference, difference) / (1 + weight * variance)
    return Knowledge(knowledge.strengths, covariance)


def gains(knowledge: Knowledge) -> Floats:
    """By pair of entrants, what a match between them is expected to tell."""
    strengths, covariance = knowledge
    variance = np.diag(covariance)
    of_difference = np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 0.0)
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    gain: Floats = 0.5 * np.log1p(chance * (1 - chance) * of_difference)
    return gain


# ---------------------------------------------------------------- the next bundle


def _choose(field: Field, knowledge: Knowledge, meetings: Sequence[Meeting], index: int) -> Pairing:
    if index % RANDOM_EVERY == RANDOM_EVERY - 1:
        return _draw(field, index)
    bundles, met = count_bundles(field, meetings), count_pairs(meetings)
    if index % TOP_EVERY == TOP_EVERY - 2 and min(bundles.values()) >= _LEAST_BUNDLES:
        pair = _top_pair(field, knowledge, met)
        if pair is not None:
            why = f"ladder: both are among the {TOP} best and have met in {met[pair]} bundles only"
            return _fill(field, knowledge, meetings, bundles, pair, index, why)
    return _best(field, knowledge, meetings, bundles, index)


def _draw(field: Field, index: int) -> Pairing:
    """A group at random; the same index always gives the same group."""
    dice = random.Random(f"{field.seed}/{index}")
    while True:
        group = tuple(dice.sample(field.entrants, field.players))
        if len({_owner(field, entrant) for entrant in group}) == len(group):
            return Pairing(group, index, f"ladder: drawn at random, as every {RANDOM_EVERY}th bundle")


def _owner(field: Field, entrant: str) -> str:
    return field.owners[field.entrants.index(entrant)] if field.owners else entrant


def _top_pair(field: Field, knowledge: Knowledge, met: Counter[Pair]) -> Pair | None:
    """The two of the best who met least, if they have fewer matches than each pair of them should."""
    order = np.argsort(-knowledge.strengths, kind="stable")[:TOP]
    best = [field.entrants[row] for row in order]
    pairs = [pair for pair in pairs_of(best) if _owner(field, pair[0]) != _owner(field, pair[1])]
    needed = TOP_MATCHES / len(seatings_of(field.entrants[: field.players]))
    pair = min(pairs, key=lambda pair: (met[pair], best.index(pair[0]) + best.index(pair[1])), default=None)
    return pair if pair is not None and met[pair] < needed else None


def _best(
    field: Field, knowledge: Knowledge, meetings: Sequence[Meeting], bundles: Counter[str], index: int
) -> Pairing:
    """The pair with the largest gain that the floors allow, filled up to a group."""
    low, high = allowed_bundles(list(bundles.values()))
    gain = gains(knowledge)
    allowed = _allowed_pairs(field)
    counts = np.array([bundles[entrant] for entrant in field.entrants])
    starving = counts < low
    fresh = allowed & ~_recent_pairs(field, meetings)
    ready = (counts <= high)[:, None] & (counts <= high)[None, :]
    must = starving[:, None] | starving[None, :] if starving.any() else np.ones_like(allowed)
    for candidates in (fresh & ready & must, fresh & must, allowed & must):
        if candidates.any():
            place = int(np.argmax(np.where(candidates, gain, -1.0)))
            break
    one, other = divmod(place, len(field.entrants))
    pair = (field.entrants[one], field.entrants[other])
    return _fill(field, knowledge, meetings, bundles, pair, index, _why(field, knowledge, one, other, starving))


def allowed_bundles(counts: Sequence[int]) -> tuple[float, float]:
    """The least and the largest number of bundles that an entrant may have."""
    median = float(np.median(counts))
    slack = max(SPREAD * median, 1.0)
    return median - slack, median + slack


def _allowed_pairs(field: Field) -> npt.NDArray[np.bool_]:
    owners = np.array([_owner(field, entrant) for entrant in field.entrants])
    return np.triu(owners[:, None] != owners[None, :], 1)


def _recent_pairs(field: Field, meetings: Sequence[Meeting]) -> npt.NDArray[np.bool_]:
    """The pairs that met within the last `REST` bundles of either."""
    recent = np.zeros((len(field.entrants), len(field.entrants)), bool)
    seen = Counter[str]()
    for meeting in reversed(meetings):
        rows = [field.entrants.index(entrant) for entrant in meeting.pairing.group]
        for row in rows:
            if seen[field.entrants[row]] < REST:
                recent[row, rows] = recent[rows, row] = True
        seen.update(meeting.pairing.group)
        if min((seen[entrant] for entrant in field.entrants), default=0) >= REST:
            break
    return recent


def _fill(
    field: Field,
    knowledge: Knowledge,
    meetings: Sequence[Meeting],
    bundles: Counter[str],
    pair: Pair,
    index: int,
    why: str,
) -> Pairing:
    """Add those to a pair who tell most about its members and one another."""
    group = [field.entrants.index(entrant) for entrant in pair]
    gain, recent = gains(knowledge), _recent_pairs(field, meetings)
    _, high = allowed_bundles(list(bundles.values()))
    while len(group) < field.players:
        owners = {_owner(field, field.entrants[row]) for row in group}
        free = [
            row
            for row, entrant in enumerate(field.entrants)
            if row not in group and _owner(field, entrant) not in owners
        ]
        group.append(
            min(
                free,
                key=lambda row: (
                    bundles[field.entrants[row]] > high,
                    bool(recent[row, group].all()),
                    -float(gain[row, group].sum()),
                ),
            )
        )
    return Pairing(tuple(field.entrants[row] for row in group), index, why)


def _why(field: Field, knowledge: Knowledge, one: int, other: int, starving: npt.NDArray[np.bool_]) -> str:
    if starving[one] or starving[other]:
        name = field.entrants[one if starving[one] else other]
        return f"ladder: {name} has far fewer matches than the others"
    strengths, covariance = knowledge
    variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    difference, error = POINTS * abs(strengths[one] - strengths[other]), POINTS * np.sqrt(max(variance, 0.0))
    return f"ladder: tells most, {difference:.0f} points apart with a standard error of {error:.0f}"
