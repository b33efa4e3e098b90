"""Recorded matches of every game, kept with the code: a turn whose outcome changes is noticed here.

After a wanted change raise the game's version and write them again: ``python -m tests.conformance.goldens``.
"""

from pathlib import Path

import pytest

import marchland
from tests.conformance.digests import presets
from tests.conformance.goldens import golden, recorded

RULES = [(name, preset) for name in marchland.games() for preset in presets(name)]


@pytest.mark.parametrize(("name", "preset"), RULES)
def test_a_golden_replay_verifies_and_ends(name: str, preset: str) -> None:
    replay = marchland.open_replay(golden(name, preset))
    replay.verify()
    assert replay.end.outcome is not None
    assert replay.end.orders > 100
    assert len(replay.film()) == replay.end.turns + 1


@pytest.mark.parametrize(("name", "preset"), RULES)
def test_the_built_in_bots_still_play_the_golden_match(name: str, preset: str, tmp_path: Path) -> None:
    recorded(name, preset).save(tmp_path / "again.march")
    written = golden(name, preset).with_suffix(".txt").read_text()
    assert written == marchland.open_replay(tmp_path / "again.march").text()
