"""The game's page says what is so."""

import re
from pathlib import Path

import msgspec
import pytest

from marchland.games.hive.game import Hive
from marchland.games.hive.maps.fairness import check_map
from marchland.games.hive.maps.mapfile import MAPS, parse
from marchland.games.hive.rules.config import HiveConfig
from marchland.games.hive.rules.reasons import HiveReason

PAGE = (Path(__file__).parents[3] / "docs/games/hive.md").read_text()


def settings() -> dict[str, tuple[str, str]]:
    """Each setting of the table with its default and what 2025 makes of it."""
    table = PAGE.split("## Settings")[1].split("## View")[0]
    found: dict[str, tuple[str, str]] = {}
    for line in table.splitlines():
        if line.startswith("| `"):
            listed, default, later, _ = (cell.strip() for cell in line.strip("|").split("|"))
            names_, defaults = re.findall(r"`(\w+)`", listed), values(default)
            laters = values(later) if later else defaults
            found |= dict(zip(names_, zip(defaults, laters, strict=True), strict=True))
    return found


def values(cell: str) -> list[str]:
    return [cell.strip("`")] if cell.startswith("`") else cell.split(", ")


@pytest.mark.parametrize("edition", ["seed", "2025"])
def test_every_setting_is_listed_with_its_value(edition: str) -> None:
    config = HiveConfig.build({"edition": edition})
    listed = {name: pair[edition == "2025"] for name, pair in settings().items()}
    assert listed == {name: str(value).lower() for name, value in config.values().items()}


def test_every_reason_is_named() -> None:
    assert all(f"`{reason.name}`" in PAGE for reason in HiveReason)


def test_every_order_is_listed_with_its_parameters() -> None:
    for verb in Hive.codec.legend():
        assert f"`{verb.do}{{{', '.join(parameter.name for parameter in verb.params)}}}`" in PAGE


def test_every_map_is_listed_with_its_size() -> None:
    for name in MAPS.names():
        assert re.search(rf"`{name}`\s\({parse(MAPS.read(name)).board.size}\b", PAGE), name


def test_the_example_of_a_map_file_is_fair() -> None:
    assert check_map("H0" + PAGE.split("```\nH0")[1].split("```")[0]) == []


def test_the_example_plays() -> None:
    example = re.search(r"game\.step\(\{0: (\[.*\])\}\)", PAGE)
    assert example is not None
    game = Hive.new(2, seed=7, map="tiny", config={"start_flowers": 30})
    report = game.step({0: msgspec.json.decode(example.group(1))})
    assert [result.reason for result in report.results[0]] == ["OK", "OK"]


def test_every_bot_is_introduced() -> None:
    assert all(f"`{name}`" in PAGE.split("## Bots")[1] for name in Hive.bots)
