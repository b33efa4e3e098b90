"""Recorded matches of every game, kept with the code: a turn whose outcome changes is noticed here.

After a wanted change raise the game's version and write them again: ``python -m tests.conformance.goldens``.
"""

from pathlib import Path

import pytest

import marchland
from tests.conformance.goldens import FOLDER, recorded

GAMES = marchland.games()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.march")), ids=lambda path: path.stem)
def test_a_golden_replay_verifies(path: Path) -> None:
    marchland.open_replay(path).verify()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_golden_replay_that_ends(name: str) -> None:
    replay = marchland.open_replay(FOLDER / f"{name}.march")
    assert replay.end.outcome is not None
    assert replay.end.orders > 100
    assert len(replay.film()) == replay.end.turns + 1


@pytest.mark.parametrize("name", GAMES)
def test_the_built_in_bots_still_play_the_golden_match(name: str, tmp_path: Path) -> None:
    recorded(name).save(tmp_path / "again.march")
    assert (FOLDER / f"{name}.txt").read_text() == marchland.open_replay(tmp_path / "again.march").text()
