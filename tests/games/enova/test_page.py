"""What the game's page claims."""

import json
import re
from pathlib import Path

import marchland
from marchland.games.enova.rules.config import EnovaConfig
from marchland.games.enova.rules.orders import VERBS

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "enova.md").read_text()


def test_the_examples_of_the_page_run() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(example, {})


def test_the_position_of_the_page_can_be_played() -> None:
    (text,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    game = marchland.from_position(json.loads(text))
    assert game.step().outcome is None


def test_the_page_lists_every_setting_with_its_default() -> None:
    listed = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", PAGE, re.MULTILINE))
    assert listed == {name: str(value).lower() for name, value in EnovaConfig().values().items()}


def test_the_page_lists_every_order() -> None:
    assert re.findall(r"^\| `(\w+)\{", PAGE, re.MULTILINE) == [verb.__struct_config__.tag for verb in VERBS]
