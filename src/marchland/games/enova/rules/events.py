"""Enova's events: the codes that kernels emit, and the arguments of each.

Events with the same battle number belong together (ruling 14); `reports.battle_reports` puts them together.
"""

from typing import Final

from marchland.messages import EventKind

MOVED, BATTLE, FORCE, ROLL, DREW_LOTS, WON, KILLED, CAPTURED, RETREATED, ROUTED, ELIMINATED, PRODUCED = range(12)

EVENTS: Final = (
    EventKind("moved", {"from": "cell", "to": "cell", "player": "player", "units": "number"}, "glide"),
    EventKind(
        "battle",
        {"battle": "number", "at": "cell", "against": "cell", "variance": "number", "parties": "number"},
        "ripple",
        battle="opens",
    ),
    EventKind(
        "force",
        {"battle": "number", "player": "player", "units": "number", "support": "number", "defence": "number"},
        battle="detail",
    ),
    EventKind(
        "roll",
        {"battle": "number", "player": "player", "draw": "number", "die": "number", "score": "number"},
        battle="detail",
    ),
    EventKind("drew_lots", {"battle": "number", "player": "player", "at": "cell", "among": "number"}, battle="outcome"),
    EventKind("won", {"battle": "number", "player": "player", "at": "cell", "units": "number"}, battle="outcome"),
    EventKind(
        "killed", {"battle": "number", "player": "player", "at": "cell", "units": "number"}, "fade", battle="outcome"
    ),
    EventKind("captured", {"at": "cell", "by": "player", "from": "player"}, "ripple"),
    EventKind(
        "retreated",
        {"battle": "number", "player": "player", "from": "cell", "to": "cell", "units": "number"},
        "glide",
        battle="outcome",
    ),
    EventKind(
        "routed", {"battle": "number", "player": "player", "at": "cell", "units": "number"}, "fade", battle="outcome"
    ),
    EventKind("eliminated", {"player": "player"}, "fade", ends_player=True),
    EventKind("produced", {"units": "number"}),
)
