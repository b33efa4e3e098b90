"""docs/game-authors.md names every member that a game, its map adapter and its season hooks may have."""

import re
from pathlib import Path
from typing import Any

import pytest

from marchland.conformance import CHECKS, GameUnderTest
from marchland.core.game import Game
from marchland.core.map_adapter import MapAdapter
from marchland.core.map_files import MapFiles
from marchland.core.season_hooks import SeasonHooks

PAGE = (Path(__file__).parents[2] / "docs/game-authors.md").read_text()


def members_of(kind: type[Any]) -> list[str]:
    """What a class declares or defines, without private names."""
    return [name for name in {**kind.__annotations__, **vars(kind)} if not name.startswith("_")]


@pytest.mark.parametrize("kind", [MapAdapter, SeasonHooks])
def test_the_page_names_every_member(kind: type[Any]) -> None:
    assert [name for name in members_of(kind) if not re.search(rf"`{name}\b", PAGE)] == []


def test_the_page_names_everything_that_a_game_class_declares() -> None:
    assert [name for name in Game.__annotations__ if f"`{name}`" not in PAGE] == []


def test_the_page_names_every_hook_of_a_game() -> None:
    hooks = set(re.findall(r"`(_\w+)\(", PAGE))
    assert Game.__abstractmethods__ <= hooks
    assert all(hasattr(Game, hook) for hook in hooks)


def test_the_page_names_every_part_of_map_files() -> None:
    assert f"`MapFiles({', '.join(MapFiles._fields)})`" in PAGE


def test_the_page_names_every_module_of_checks() -> None:
    modules = {check.__module__.rpartition(".")[2] for check in CHECKS}
    assert [name for name in sorted(modules) if f"| `{name}` |" not in PAGE] == []


def test_the_python_on_the_page_runs(toy: GameUnderTest) -> None:
    for example in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(example, {})
