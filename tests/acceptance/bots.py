"""Strength of the built-in bots over 100 paired seeds; reduced: tests/games/*/test_bots.py."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.support.baseline_bots import bot_path


def duel(game: str, rival: str) -> dict[str, Any]:
    """The figures of ``marchland bench fairness duel`` for `greedy` against a baseline bot."""
    bots = f"greedy,{bot_path(rival)}"
    command = [sys.executable, "-m", "marchland", "bench", "fairness", "duel", game, "--bots", bots, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    print(ran.stdout)
    figures: dict[str, Any] = json.loads(ran.stdout)
    return figures


@pytest.mark.parametrize(
    ("rival", "least"),
    [
        ("boidvoid_greedy", 0.9),
        ("boidvoid_mothership_hunter", 0.8),
        ("colorfight_greedy", 0.9),
        ("colorfight_expander", 0.8),
        ("datspulse_greedy", 0.9),
        ("datspulse_nearest_nest_raider", 0.8),
        ("enova_greedy", 0.9),
        ("enova_stack", 0.8),
        ("hive_greedy", 0.9),
        ("hive_pack_hunter", 0.8),
    ],
)
def test_greedy_beats_its_predecessor_and_its_rival(rival: str, least: float) -> None:
    figures = duel(rival.partition("_")[0], rival)
    assert figures["games"] == 200
    assert figures["win_share"] >= least
