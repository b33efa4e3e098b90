"""What the documents claim is run here."""

import doctest
import re
from pathlib import Path

import pytest

import marchland

ROOT = Path(__file__).parents[1]
HEADINGS = ["Play it", "Rules", "Orders", "Settings", "View", "Rulings", "Bots", "Speed", "History"]


def test_the_readmes_examples_are_true() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize("name", marchland.games())
def test_every_game_has_a_page_with_the_same_headings(name: str) -> None:
    text = (ROOT / "docs/games" / f"{name}.md").read_text()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("name", marchland.games())
def test_a_games_page_names_every_setting_and_every_order(name: str) -> None:
    text = (ROOT / "docs/games" / f"{name}.md").read_text()
    kind = marchland.find(name)
    missing = [word for word in (*kind.config_type.__struct_fields__, *kind.codec.names) if f"`{word}" not in text]
    assert not missing


def test_the_examples_of_the_kernel_language_are_true() -> None:
    result = doctest.testfile(str(ROOT / "docs/kernels.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 10
    assert result.failed == 0
