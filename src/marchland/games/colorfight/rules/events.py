"""Colorfight's events: the codes that kernels emit, and the arguments of each."""

from typing import Final

from marchland.games.colorfight.rules.state import BUILDINGS
from marchland.messages import EventKind

_WORDS: Final = list(BUILDINGS)

CAPTURED, SHIELDED, REPELLED, BUILT, UPGRADED, HOME_LOST, RUINED, DIED = range(8)

EVENTS: Final = (
    EventKind("captured", {"at": "cell", "by": "player", "from": "player", "building": "choice"}, "ripple", _WORDS),
    EventKind("shielded", {"at": "cell", "by": "player", "force_field": "number"}, "ripple"),
    EventKind(
        "repelled",
        {"at": "cell", "by": "player", "from": "player", "energy": "number", "needed": "number"},
        "arc",
    ),
    EventKind("built", {"at": "cell", "by": "player", "building": "choice"}, "", _WORDS),
    EventKind("upgraded", {"at": "cell", "by": "player", "level": "number"}),
    EventKind("home_lost", {"at": "cell", "player": "player", "to": "player", "gold": "number"}, "fade"),
    EventKind("ruined", {"at": "cell", "player": "player", "building": "choice"}, "fade", _WORDS),
    EventKind("died", {"player": "player"}, "fade", ends_player=True),
)
