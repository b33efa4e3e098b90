"""What the game's page shows is run."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[3] / "docs" / "games" / "boidvoid.md"


def test_the_examples_of_the_page_run() -> None:
    names: dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(example, names)
    assert names["report"].results[1][0].ok
