"""Whether the food lasts: what greedy bots collect late in a round; reduced: tests/games/datspulse/test_food.py."""

import pytest

from tests.support.datspulse_harvest import collected_by_half


@pytest.mark.parametrize("seed", range(20))
def test_turns_151_to_300_bring_a_third_of_the_calories_of_turns_1_to_150(seed: int) -> None:
    first, second = collected_by_half(teams=4, seed=seed)
    print(f"seed {seed}: {first} calories, then {second}: {second / first:.2f}")
    assert 3 * second >= first
