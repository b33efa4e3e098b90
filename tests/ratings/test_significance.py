"""The statistics, against published tables and closed forms."""

import math

import pytest

from marchland.ratings.significance import chi_square_tail, holm, uniform_test, upper_gamma, wilson_interval


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [
        (3.841458820694124, 1, 0.05),
        (6.634896601021213, 1, 0.01),
        (5.991464547107979, 2, 0.05),
        (16.918977604620448, 9, 0.05),
        (21.665994333461924, 9, 0.01),
        (3.325112843066815, 9, 0.95),
        (124.34211340400407, 100, 0.05),
    ],
)
def test_the_tail_of_chi_square_has_its_tabulated_values(statistic: float, degrees: int, p: float) -> None:
    assert chi_square_tail(statistic, degrees) == pytest.approx(p, rel=1e-10)


@pytest.mark.parametrize("x", [0.01, 0.5, 1.9, 2.1, 7.0, 60.0])
def test_the_incomplete_gamma_function_agrees_with_its_closed_forms(x: float) -> None:
    assert upper_gamma(1, x) == pytest.approx(math.exp(-x), rel=1e-12)
    assert upper_gamma(0.5, x) == pytest.approx(math.erfc(math.sqrt(x)), rel=1e-11)
    assert upper_gamma(3, x) == pytest.approx(math.exp(-x) * (1 + x + x * x / 2), rel=1e-12)


def test_the_incomplete_gamma_function_refuses_what_it_is_not_defined_for() -> None:
    assert upper_gamma(2, 0) == 1
    with pytest.raises(ValueError, match="a > 0"):
        upper_gamma(0, 1)


def test_a_die_with_too_many_sixes_is_not_uniform() -> None:
    fair = uniform_test([10, 10, 10, 10, 10, 10])
    loaded = uniform_test([5, 8, 9, 8, 10, 20])
    assert (fair.statistic, fair.degrees, fair.p) == (0, 5, 1)
    assert (loaded.statistic, loaded.degrees) == (13.4, 5)
    assert loaded.p == pytest.approx(0.0199, abs=5e-5)


def test_one_category_or_none_is_always_uniform() -> None:
    assert uniform_test([7]).p == 1
    assert uniform_test([]).p == 1
    assert uniform_test([0, 0]).p == 1


def test_wilsons_interval_has_its_published_values() -> None:
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson_interval(0, 20) == pytest.approx((0, 0.1611), abs=1e-4)
    assert wilson_interval(0, 0) == (0, 1)


def test_holm_multiplies_the_smallest_by_the_number_of_tests_and_keeps_the_order() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1, 1]
    assert holm([]) == []
