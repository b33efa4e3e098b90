"""Statistics of fairness and strength: Wilson's interval, Pearson's chi-square test, Holm's correction.

SciPy has all of it, but would add 100 MB to an installation for four formulas.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

Z_95: Final = 1.959963984540054
"""Standard normal quantile of a two-sided 95 % interval."""
_PRECISION: Final = 1e-15
_MOST_TERMS: Final = 10_000
_TINY: Final = 1e-300


class ChiSquare(NamedTuple):
    """Pearson's statistic, its degrees of freedom, and the chance of a statistic at least as large."""

    statistic: float
    degrees: int
    p: float


def wilson_interval(successes: float, trials: int, z: float = Z_95) -> tuple[float, float]:
    """The score interval of a share; by default it covers the true share in 95 of 100 experiments."""
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    scale = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / scale
    margin = z / scale * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def uniform_test(counts: Sequence[float]) -> ChiSquare:
    """Whether the counts of equally likely categories differ by more than chance."""
    expected = sum(counts) / len(counts) if counts else 0.0
    if len(counts) < 2 or expected == 0:
        return ChiSquare(0.0, max(len(counts) - 1, 0), 1.0)
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    return ChiSquare(statistic, len(counts) - 1, chi_square_tail(statistic, len(counts) - 1))


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The survival function of the chi-square distribution."""
    return upper_gamma(degrees / 2, statistic / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x)."""
    if a <= 0 or x < 0:
        raise ValueError(f"Q(a, x) needs a > 0 and x >= 0, not a = {a} and x = {x}.")
    if x == 0:
        return 1.0
    return 1 - _lower_series(a, x) if x < a + 1 else _upper_fraction(a, x)


def _lower_series(a: float, x: float) -> float:
    """P(a, x) by its power series, which converges fast for x < a + 1."""
    term = total = 1 / a
    for step in range(1, _MOST_TERMS):
        term *= x / (a + step)
        total += term
        if term < total * _PRECISION:
            break
    return total * _factor(a, x)


def _upper_fraction(a: float, x: float) -> float:
    """Q(a, x) by its continued fraction (Lentz's method), which converges fast for x > a + 1."""
    b = x + 1 - a
    c = 1 / _TINY
    d = 1 / b
    value = d
    for step in range(1, _MOST_TERMS):
        coefficient = -step * (step - a)
        b += 2
        d = 1 / _away_from_zero(coefficient * d + b)
        c = _away_from_zero(b + coefficient / c)
        value *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return value * _factor(a, x)


def _factor(a: float, x: float) -> float:
    return math.exp(a * math.log(x) - x - math.lgamma(a))


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values after Holm's correction for testing all of them, in the same order."""
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, (len(p_values) - rank) * p_values[index])
        adjusted[index] = min(largest, 1.0)
    return adjusted
