"""BoidVoid's events: the codes that kernels emit, and the arguments of each."""

from typing import Final

from marchland.games.boidvoid.rules.constants import COUNTERS, NFT_KINDS, TASKS
from marchland.games.boidvoid.rules.orders import HOST_VERBS, PLAYER_VERBS
from marchland.messages import EventKind

MOVED, CAPTURE_BEGUN, CAPTURED, BUILD_BEGUN, BUILT, STACKED, SPAWNED, DETONATED = range(8)
SWARM_CREATED, SWARM_JOINED, SWARM_LEFT, SWARM_GONE, JOIN_FAILED, CANCELLED = range(8, 14)
ATTACKED, FORCE, CHANCE, GUARD, HIT, NO_COUNTER, SHIELDS, WOUND, DESTROYED = range(14, 23)
BOOSTED, BOOST_OVER, EQUIPPED, RATIO_SET, AUTOMODE_SET, HOST_ORDER, RETURNED = range(23, 30)

_TASKS: Final = [task or "idle" for task in TASKS]
_HOST_VERBS: Final = ["", *("" for _ in PLAYER_VERBS), *(str(verb.__struct_config__.tag) for verb in HOST_VERBS)]
"""By number of the verb; only the host's are reported."""

EVENTS: Final = (
    EventKind("moved", {"unit": "piece", "from": "cell", "to": "cell", "cost": "number"}, "glide"),
    EventKind("capture_begun", {"unit": "piece", "at": "cell", "turns": "number"}, "ripple"),
    EventKind("captured", {"unit": "piece", "at": "cell", "team": "team", "from": "team"}, "ripple"),
    EventKind("build_begun", {"unit": "piece", "at": "cell", "turns": "number"}, "ripple"),
    EventKind("built", {"unit": "piece", "at": "cell", "by": "piece"}, "ripple"),
    EventKind("stacked", {"unit": "piece", "at": "cell", "level": "number"}),
    EventKind("spawned", {"unit": "piece", "at": "cell"}, "ripple"),
    EventKind("detonated", {"unit": "piece", "at": "cell"}, "fade"),
    EventKind("swarm_created", {"swarm": "piece", "unit": "piece", "at": "cell"}, "ripple"),
    EventKind("swarm_joined", {"unit": "piece", "swarm": "piece", "at": "cell"}, "glide"),
    EventKind("swarm_left", {"unit": "piece", "swarm": "piece", "to": "cell"}, "glide"),
    EventKind("swarm_gone", {"swarm": "piece", "at": "cell"}, "fade"),
    EventKind("join_failed", {"unit": "piece", "swarm": "piece"}),
    EventKind("cancelled", {"unit": "piece", "task": "choice"}, "", _TASKS),
    # Combat: steps 1 and 2; 3, 4, 5 and 11; 6 and 7; 8, 9, 10 and 12; 14, 15, 18 and 19; 15 to 17; then the lists.
    EventKind(
        "attacked",
        {"unit": "piece", "target": "piece", "from": "cell", "to": "cell", "range": "number"},
        "arc",
        battle="opens",
    ),
    EventKind(
        "force",
        {"unit": "piece", "main": "hundredths", "additional": "hundredths", "bonus": "number", "damage": "hundredths"},
        battle="detail",
    ),
    EventKind(
        "chance", {"unit": "piece", "chance": "number", "rolled": "number", "critical": "number"}, battle="detail"
    ),
    EventKind(
        "guard",
        {"unit": "piece", "shields": "hundredths", "defense": "hundredths", "bonus": "number", "total": "hundredths"},
        battle="detail",
    ),
    EventKind("hit", {"unit": "piece", "by": "piece", "damage": "hundredths"}, battle="outcome"),
    EventKind("no_counter", {"unit": "piece", "why": "choice"}, "", list(COUNTERS), battle="detail"),
    EventKind(
        "shields",
        {"unit": "piece", "shields": "hundredths", "spent": "hundredths", "battery": "hundredths"},
        battle="detail",
    ),
    EventKind(
        "wound",
        {"unit": "piece", "blocked": "hundredths", "wound": "hundredths", "health": "hundredths"},
        battle="outcome",
    ),
    EventKind("destroyed", {"unit": "piece", "by": "piece", "at": "cell"}, "fade", battle="outcome"),
    EventKind("boosted", {"unit": "piece", "nft": "number", "turns": "number"}),
    EventKind("boost_over", {"unit": "piece", "nft": "number"}),
    EventKind("equipped", {"unit": "piece", "nft": "number", "kind": "choice"}, "", list(NFT_KINDS)),
    EventKind("ratio_set", {"unit": "piece", "attack": "number"}),
    EventKind("automode_set", {"unit": "piece", "on": "number", "periods": "number"}),
    EventKind("told", {"order": "choice", "a": "number", "b": "number"}, "", _HOST_VERBS),
    EventKind("returned", {"player": "player", "nft": "number"}),
)
