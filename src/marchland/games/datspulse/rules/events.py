"""DatsPulse's events: the codes that kernels emit, and the arguments of each."""

from typing import Final

from marchland.games.datspulse.rules.state import FOODS
from marchland.messages import EventKind

FIRED, ATTACKED, HURT, KILLED, DROPPED, LOST, BURNT, BLOCKED, MOVED = range(9)
RAIDED, COLLECTED, DELIVERED, SPAWNED, NOT_SPAWNED, GREW = range(9, 15)

# What killed an ant.
BY_NEST, BY_ANT, BY_ACID = range(3)
KILLERS: Final = ("nest", "ant", "acid")

# The bonuses of an attack, which add up.
SPOT_BONUS, ALLY_BONUS = 1, 2
BONUSES: Final = ("none", "spot", "ally", "spot and ally")

# Why an ant stopped before its way ended.
BY_ROCK, BY_FOREIGN_NEST, BY_ENEMY, BY_OWN, BY_EXHAUSTION = range(5)
OBSTACLES: Final = ("rock", "foreign nest", "enemy ant", "own ant", "exhaustion")

# Why no ant was spawned.
NO_ROOM, LIMIT = range(2)
HINDRANCES: Final = ("no room", "limit")

EVENTS: Final = (
    EventKind("fired", {"ant": "piece", "at": "cell", "health": "number", "team": "player", "by": "player"}, "ripple"),
    EventKind(
        "attacked",
        {"ant": "piece", "target": "piece", "at": "cell", "damage": "number", "team": "player", "bonus": "choice"},
        "arc",
        list(BONUSES),
    ),
    EventKind("hurt", {"ant": "piece", "at": "cell", "health": "number", "team": "player", "by": "piece"}, "ripple"),
    EventKind("killed", {"ant": "piece", "at": "cell", "team": "player", "by": "choice"}, "fade", list(KILLERS)),
    EventKind(
        "dropped",
        {"ant": "piece", "at": "cell", "food": "choice", "amount": "number", "team": "player"},
        "ripple",
        list(FOODS),
    ),
    EventKind(
        "lost",
        {"ant": "piece", "at": "cell", "food": "choice", "amount": "number", "team": "player"},
        "fade",
        list(FOODS),
    ),
    EventKind("burnt", {"ant": "piece", "at": "cell", "health": "number", "team": "player"}, "ripple"),
    EventKind(
        "blocked",
        {"ant": "piece", "at": "cell", "by": "choice", "other": "piece", "team": "player", "kind": "kind"},
        "",
        list(OBSTACLES),
    ),
    EventKind("moved", {"ant": "piece", "from": "cell", "to": "cell", "dirt": "number", "team": "player"}, "glide"),
    EventKind("raided", {"ant": "piece", "at": "cell", "amount": "number", "team": "player", "from": "player"}, "arc"),
    EventKind(
        "collected",
        {"ant": "piece", "at": "cell", "food": "choice", "amount": "number", "team": "player"},
        "ripple",
        list(FOODS),
    ),
    EventKind(
        "delivered",
        {"ant": "piece", "food": "choice", "amount": "number", "calories": "number", "team": "player"},
        "ripple",
        list(FOODS),
    ),
    EventKind("spawned", {"ant": "piece", "at": "cell", "kind": "kind", "team": "player"}, "ripple"),
    EventKind("not_spawned", {"at": "cell", "kind": "kind", "team": "player", "why": "choice"}, "", list(HINDRANCES)),
    EventKind("grew", {"at": "cell", "food": "choice", "amount": "number"}, "ripple", list(FOODS)),
)

PLACES: Final = tuple({name: 1 + place for place, name in enumerate(kind.args)} for kind in EVENTS)
"""Where the rows of each event hold an argument."""
