"""The Plackett-Luce fit: one strength for each version from all results at once.

A match is a sequence of choices: the first place is drawn from all players with chances proportional to exp(strength),
the next from those left, and so on. The strengths are the mode of the posterior, with a normal prior. They are a pure
function of the set of results, so late, voided and repeated results need no repair. Online updates (Elo, TrueSkill,
OpenSkill) depend on the order.

A shared place is the average over orders of those who share it: all rotations of the group and of its reverse. Each
player is as often in each position of the group as every other, and for two or three players this is every order.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.ratings.results import Result, canonical_set, list_versions

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PRIOR_SD: Final = 3.0
"""Of the strength of a bot's first version, around 0."""
SUCCESSOR_SD: Final = 1.0
"""Of the difference between a version and its predecessor: a new version need not climb from the bottom."""

_MOST_STEPS: Final = 50
_TOLERANCE: Final = 1e-9
_ROUNDING: Final = 1e-12
_SMALLEST_SCALE: Final = 1e-6
_MOST_PRODUCTS: Final = 8_000_000
"""That are held in memory at once."""


class Fit(NamedTuple):
    """Strengths and how uncertain they are."""

    versions: list[str]
    strengths: Floats
    covariance: Floats
    """Of the strengths less their mean: only differences show in results. Never below the Laplace covariance."""
    laplace: Floats
    """The same without regard to bundles: the inverse of the posterior's curvature."""
    results: list[Result]


class Choices(NamedTuple):
    """Choices among the same number of players: who was there, and the weight and the match of each choice."""

    among: Ints
    weights: Floats
    matches: Ints


class Seatings(NamedTuple):
    """Matches with the same number of players: the number of each match, its players and their places."""

    matches: Ints
    players: Ints
    places: Ints


def fit_results(results: Iterable[Result], predecessors: Mapping[str, str] | None = None) -> Fit:
    """Fit all versions of the results. ``predecessors`` names the version before, for each that has one."""
    counted = canonical_set(results)
    if not counted:
        return Fit([], np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0)), [])
    versions = list_versions(counted)
    number = {version: row for row, version in enumerate(versions)}
    seatings = _group_by_size(counted, number)
    choices = [choice for seating in seatings for choice in _list_choices(seating)]
    placed = _count_placings(seatings, len(versions))
    precision = _prior_precision(number, predecessors or {})
    strengths = _find_mode(choices, placed, precision)
    laplace = np.linalg.inv(_curvature(choices, strengths, precision)).astype(np.float64, copy=False)
    scores = _scores_by_bundle(counted, seatings, choices, strengths)
    sandwich = laplace @ _sum_of_squares(scores, len(versions)) @ laplace
    centred, robust = _centre(laplace), _centre(sandwich)
    return Fit(versions, strengths, _raise_variances(centred, robust), centred, counted)


# ---------------------------------------------------------------- from results to choices


def _group_by_size(results: Sequence[Result], number: Mapping[str, int]) -> list[Seatings]:
    by_size: dict[int, list[int]] = defaultdict(list)
    for match, result in enumerate(results):
        by_size[len(result.versions)].append(match)
    return [
        Seatings(
            np.array(matches, np.int64),
            np.array([[number[version] for version in results[match].versions] for match in matches], np.int64),
            np.array([results[match].places for match in matches], np.int64),
        )
        for _, matches in sorted(by_size.items())
    ]


def _list_choices(seatings: Seatings) -> Iterator[Choices]:
    """Every choice of every match."""
    order = np.argsort(seatings.places, axis=1, kind="stable")
    places = np.take_along_axis(seatings.places, order, axis=1)
    players = np.take_along_axis(seatings.players, order, axis=1)
    is_strict = (places[:, 1:] > places[:, :-1]).all(axis=1)
    for first in range(players.shape[1] if is_strict.any() else 0):
        among = players[is_strict, first:]
        yield Choices(among, np.ones(len(among)), seatings.matches[is_strict])
    by_size: dict[int, list[tuple[list[int], float, int]]] = defaultdict(list)
    for row in np.flatnonzero(~is_strict):
        for listed, weight in _choices_with_ties(players[row].tolist(), places[row].tolist()):
            by_size[len(listed)].append((listed, weight, int(seatings.matches[row])))
    for _, parts in sorted(by_size.items()):
        rows, weights, matches = zip(*parts, strict=True)
        yield Choices(np.array(rows, np.int64), np.array(weights), np.array(matches, np.int64))


def _choices_with_ties(players: Sequence[int], places: Sequence[int]) -> Iterator[tuple[list[int], float]]:
    """The choices of one match: the players that each was among, and its weight."""
    for place in sorted(set(places)):
        group = [player for player, at in zip(players, places, strict=True) if at == place]
        behind = [player for player, at in zip(players, places, strict=True) if at > place]
        orders = _orders_of(group)
        for order in orders:
            for first in range(len(order)):
                yield order[first:] + behind, 1 / len(orders)


def _orders_of(group: list[int]) -> list[list[int]]:
    if len(group) < 3:
        return [group] if len(group) == 1 else [group, group[::-1]]
    lines = (sorted(group), sorted(group, reverse=True))
    return [line[start:] + line[:start] for line in lines for start in range(len(group))]


def _count_placings(seatings: Sequence[Seatings], count: int) -> Floats:
    """How often each version was placed: once in each of its matches."""
    rows = np.concatenate([seating.players.ravel() for seating in seatings])
    return np.bincount(rows, minlength=count).astype(np.float64)


# ---------------------------------------------------------------- posterior


def _prior_precision(number: Mapping[str, int], predecessors: Mapping[str, str]) -> Floats:
    precision = np.zeros((len(number), len(number)))
    for version, row in number.items():
        before = number.get(predecessors.get(version, ""))
        if before is None:
            precision[row, row] += PRIOR_SD**-2
        else:
            for one, other, sign in ((row, row, 1), (before, before, 1), (row, before, -1), (before, row, -1)):
                precision[one, other] += sign * SUCCESSOR_SD**-2
    return precision


def _find_mode(choices: Sequence[Choices], placed: Floats, precision: Floats) -> Floats:
    """Newton's method with halved steps; the posterior has one mode, since its logarithm is strictly concave."""
    strengths = np.zeros(len(placed))
    value = _log_posterior(choices, placed, precision, strengths)
    for _ in range(_MOST_STEPS):
        slope = placed - _expected_placings(choices, strengths, len(placed)) - precision @ strengths
        step = np.linalg.solve(_curvature(choices, strengths, precision), slope)
        scale = 1.0
        while True:
            moved = strengths + scale * step
            reached = _log_posterior(choices, placed, precision, moved)
            if reached >= value - _ROUNDING * abs(value) or scale < _SMALLEST_SCALE:
                break
            scale /= 2
        strengths, value = moved, reached
        if np.abs(step).max(initial=0.0) < _TOLERANCE:
            break
    return strengths


def _log_posterior(choices: Sequence[Choices], placed: Floats, precision: Floats, strengths: Floats) -> float:
    value = float(placed @ strengths - strengths @ precision @ strengths / 2)
    most = strengths.max()
    grown = np.exp(strengths - most)
    for part in choices:
        value -= float(part.weights @ (most + np.log(_add_columns(grown[part.among]))))
    return value


def _chances(part: Choices, strengths: Floats) -> Floats:
    """The chance of each player to be chosen."""
    grown: Floats = np.exp(strengths - strengths.max())[part.among]
    grown /= _add_columns(grown)[:, None]
    return grown


def _add_columns(table: Floats) -> Floats:
    """The sum of each row. The columns are few, and adding them up one by one is faster than NumPy's sum."""
    total = table[:, 0].copy()
    for column in range(1, table.shape[1]):
        total += table[:, column]
    return total


def _expected_placings(choices: Sequence[Choices], strengths: Floats, count: int) -> Floats:
    expected = np.zeros(count)
    for part in choices:
        weighted = part.weights[:, None] * _chances(part, strengths)
        expected += np.bincount(part.among.ravel(), weighted.ravel(), minlength=count)
    return expected


def _curvature(choices: Sequence[Choices], strengths: Floats, precision: Floats) -> Floats:
    """The negative second derivative of the logarithm of the posterior."""
    count = len(strengths)
    curvature = precision.copy()
    for part in choices:
        chances = _chances(part, strengths)
        weighted = part.weights[:, None] * chances
        curvature -= _add_products(part.among, weighted, chances, count)
        curvature.flat[:: count + 1] += np.bincount(part.among.ravel(), weighted.ravel(), minlength=count)
    return curvature


def _add_products(among: Ints, left: Floats, right: Floats, count: int) -> Floats:
    """The sum over rows of the outer products of left and right, each row in the places that ``among`` names."""
    products = np.zeros(count * count)
    columns = max(1, _MOST_PRODUCTS // max(among.size, 1))
    for first in range(0, among.shape[1], columns):
        span = slice(first, first + columns)
        cells = among[:, span, None] * count + among[:, None, :]
        values = left[:, span, None] * right[:, None, :]
        products += np.bincount(cells.ravel(), values.ravel(), minlength=count * count)
    return products.reshape(count, count)


# ---------------------------------------------------------------- covariance


def _scores_by_bundle(
    results: Sequence[Result], seatings: Sequence[Seatings], choices: Sequence[Choices], strengths: Floats
) -> tuple[Ints, Ints, Floats]:
    """The derivative of each bundle's log-likelihood by each of its versions: bundle, version, value."""
    names = {name: row for row, name in enumerate(sorted({result.bundle for result in results}))}
    bundle_of = np.array([names[result.bundle] for result in results], np.int64)
    count = len(strengths)
    keys, values = [np.zeros(0, np.int64)], [np.zeros(0)]
    for seating in seatings:
        keys.append((bundle_of[seating.matches][:, None] * count + seating.players).ravel())
        values.append(np.ones(seating.players.size))
    for part in choices:
        keys.append((bundle_of[part.matches][:, None] * count + part.among).ravel())
        values.append((-part.weights[:, None] * _chances(part, strengths)).ravel())
    distinct, places = np.unique(np.concatenate(keys), return_inverse=True)
    sums = np.bincount(places, np.concatenate(values), minlength=len(distinct)).astype(np.float64, copy=False)
    return distinct // count, distinct % count, sums


def _sum_of_squares(scores: tuple[Ints, Ints, Floats], count: int) -> Floats:
    """The sum over bundles of the outer product of its scores."""
    bundles, versions, values = scores
    squares = np.zeros((count, count))
    starts = np.flatnonzero(np.diff(bundles, prepend=-1))
    sizes = np.diff(starts, append=len(bundles))
    for size in np.unique(sizes):
        rows = starts[sizes == size][:, None] + np.arange(size)
        squares += _add_products(versions[rows], values[rows], values[rows], count)
    return squares


def _centre(covariance: Floats) -> Floats:
    """The covariance of the strengths less their mean."""
    rows = covariance - covariance.mean(axis=0, keepdims=True)
    centred: Floats = rows - rows.mean(axis=1, keepdims=True)
    return centred


def _raise_variances(laplace: Floats, robust: Floats) -> Floats:
    """The Laplace covariance with each variance raised to the robust one where that is larger."""
    variance = np.diag(laplace)
    known = np.where(variance > 0, variance, 1.0)
    growth = np.sqrt(np.maximum(np.diag(robust) / known, 1.0))
    raised: Floats = growth[:, None] * laplace * growth
    return raised
