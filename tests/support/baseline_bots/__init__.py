"""Bots that the built-in ones are measured against: earlier versions of `greedy`, and rivals with one simple plan.

They are loaded by path, like a user's bots, and read the arrays of `Game.observe`.
"""

from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent

BASELINE_BOTS: Final = (
    "boidvoid_greedy",
    "boidvoid_mothership_hunter",
    "colorfight_expander",
    "colorfight_greedy",
    "datspulse_greedy",
    "datspulse_nearest_nest_raider",
    "enova_greedy",
    "enova_stack",
    "hive_greedy",
    "hive_pack_hunter",
)
"""Their names: the game, then what they are."""


def bot_path(name: str) -> str:
    """What `load_bot` and ``--bots`` take for the bot called so."""
    return str(_FOLDER / f"{name}.py")
