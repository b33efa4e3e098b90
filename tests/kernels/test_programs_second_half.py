"""The second thousand of the generated programs that every test run compares in all modes."""

import pytest

from tests.kernels.fuzz import find_difference_of


@pytest.mark.parametrize("first", range(1000, 2000, 125))
def test_generated_programs_do_the_same_in_all_modes(first: int) -> None:
    assert [difference for seed in range(first, first + 125) if (difference := find_difference_of(seed))] == []
