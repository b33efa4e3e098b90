"""Hive's events: the codes that kernels emit, and the arguments of each."""

from typing import Final

from marchland.games.hive.rules.state import KINDS
from marchland.messages import EventKind

_WORDS: Final = list(KINDS[1:])

MOVED, FORAGED, DELIVERED, ATTACKED, STUNNED_BEE, DESTROYED, BUILT, SPAWNED, ELIMINATED = range(9)

EVENTS: Final = (
    EventKind("moved", {"unit": "piece", "from": "cell", "to": "cell", "by": "player"}, "glide"),
    EventKind("foraged", {"unit": "piece", "at": "cell", "by": "player", "left": "number"}, "ripple"),
    EventKind("delivered", {"unit": "piece", "at": "cell", "by": "player"}, "ripple"),
    EventKind("attacked", {"unit": "piece", "from": "cell", "at": "cell", "by": "player", "target": "piece"}, "arc"),
    EventKind("stunned", {"unit": "piece", "at": "cell", "player": "player"}, "ripple"),
    EventKind("destroyed", {"unit": "piece", "at": "cell", "player": "player", "kind": "choice"}, "fade", _WORDS),
    EventKind(
        "built", {"unit": "piece", "at": "cell", "by": "player", "kind": "choice", "maker": "piece"}, "ripple", _WORDS
    ),
    EventKind(
        "spawned", {"unit": "piece", "at": "cell", "by": "player", "kind": "choice", "maker": "piece"}, "ripple", _WORDS
    ),
    EventKind("eliminated", {"player": "player"}, "fade", ends_player=True),
)
