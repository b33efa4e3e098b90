"""How long a turn takes compared with a copy of its state; reduced: tests/cli/test_bench.py."""

import json
import statistics
import subprocess
import sys
from typing import Any


def measure(game: str) -> dict[str, dict[str, Any]]:
    """The figures of ``marchland bench`` for one game, by scenario."""
    command = [sys.executable, "-m", "marchland", "bench", game, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    print(ran.stdout)
    return {line["scenario"]: line for line in map(json.loads, ran.stdout.splitlines())}


def test_a_turn_of_colorfight_takes_at_most_ten_copies_of_its_state() -> None:
    assert statistics.median(measure("colorfight")["30x30/8p"]["memcpy_ratio"] for _ in range(3)) <= 10
