"""What decides an outcome is in ``games/<game>/rules`` and depends on nothing else of its game."""

import ast
from pathlib import Path

import pytest

import marchland

GAMES = Path(marchland.__file__).parent / "games"


def imports_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return named | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}


@pytest.mark.parametrize("game", [folder.name for folder in sorted(GAMES.iterdir()) if (folder / "rules").is_dir()])
def test_rules_import_nothing_else_of_their_game(game: str) -> None:
    own = f"marchland.games.{game}"
    outside = {
        f"{path.name}: {name}"
        for path in (GAMES / game / "rules").glob("*.py")
        for name in imports_of(path)
        if name.startswith(own) and not name.startswith(f"{own}.rules")
    }
    assert outside == set()


def test_every_game_has_its_turn_in_rules() -> None:
    games = [folder.name for folder in GAMES.iterdir() if (folder / "game.py").exists()]
    assert [game for game in games if not (GAMES / game / "rules" / "turn.py").exists()] == []
