"""What docs/bots.md says about the network."""

import re
from pathlib import Path
from typing import Any

from marchland.client import Client
from tests.support.server import Served

from .conftest import new_match

PAGE = (Path(__file__).parents[2] / "docs/bots.md").read_text()


def test_the_pages_programs_play_a_match(served: Served, admin: Client, guest: Client) -> None:
    known: dict[str, Any] = {"url": served.url, "token": guest.token, "match_id": new_match(admin).id}
    for program in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(program, known)
    summary = known["summary"]
    assert summary.outcome.ranking
    for word in ("turns", "orders", "refused", "late", "reconnects", "failures"):
        assert f"`{word}`" in PAGE and hasattr(summary, word)
