"""Recorded matches of every game, saved with the code: a turn whose outcome changes is noticed here.

After an intended change raise the game's version and write them again: ``python -m tests.conformance.goldens``.
"""

import pytest

import marchland
from marchland.conformance.replays import check_golden, golden_path
from tests.conformance.goldens import FOLDER
from tests.support.small_matches import TESTED

RULES = [(name, preset) for name, tested in TESTED.items() for preset in tested.presets]


@pytest.mark.parametrize(("name", "preset"), RULES)
def test_a_golden_replay_verifies_and_the_bots_still_play_it(name: str, preset: str) -> None:
    check_golden(FOLDER, TESTED[name], preset)


@pytest.mark.parametrize(("name", "preset"), RULES)
def test_a_golden_replay_has_many_orders(name: str, preset: str) -> None:
    assert marchland.open_replay(golden_path(FOLDER, TESTED[name], preset)).end.orders > 100
