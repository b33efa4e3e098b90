"""For each game of the package the smallest match in which everything happens."""

from pathlib import Path
from typing import Any

import marchland
from marchland.conformance import GameUnderTest

_HIVE_MAP = Path(__file__).with_name("small_hive_map.txt").read_text()

SMALL: dict[str, dict[str, Any]] = {
    "boidvoid": {"map": "duel", "config": {"turn_limit": 60, "start_hulls": 1}},
    "colorfight": {"config": {"width": 8, "height": 8, "max_turn": 60}},
    "datspulse": {"config": {"radius": 12, "ant_limit": 12, "max_turn": 60}},
    "enova": {"config": {"turn_limit": 60}},
    "hive": {"map": _HIVE_MAP, "config": {"start_flowers": 40, "max_turn": 60}},
}

LASTING = SMALL | {"hive": {**SMALL["hive"], "config": {**SMALL["hive"]["config"], "influence_wins": False}}}
"""The same, but no random orders end one within its first turns: two new hives can hold half of that map."""

_LARGE = {"colorfight": {"width": 70, "height": 40}}

TESTED = {
    name: GameUnderTest(name, **SMALL.get(name, {}), large_config=_LARGE.get(name, {})) for name in marchland.games()
}
