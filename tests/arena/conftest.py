"""Small matches, and bot files to load."""

from collections.abc import Callable
from pathlib import Path

import pytest

import marchland
from marchland import Game

Write = Callable[[str], str]


@pytest.fixture
def game() -> Game:
    """A match of two on a small board."""
    return marchland.new("colorfight", players=2, seed=5, config={"width": 10, "height": 10, "max_turn": 30})


@pytest.fixture
def bot_file(tmp_path: Path) -> Write:
    """Write a bot; returns its path."""

    def write(source: str) -> str:
        path = tmp_path / "mybot.py"
        path.write_text(source)
        return str(path)

    return write
