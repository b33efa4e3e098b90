"""What a picture of a BoidVoid match shows: everything, as the whole map is open (ruling 27)."""

from typing import TYPE_CHECKING, Final

from marchland.core.scene import Picture
from marchland.games.boidvoid.appearance import OBSTACLE_STYLES, POINT_GLYPHS, TERRAIN_GLYPHS, TERRAIN_STYLES
from marchland.games.boidvoid.codes import (
    ALONE,
    HUNDREDTHS,
    NFT_KINDS,
    NOBODY,
    SUPERSTRUCTURE,
    SWARM,
    TASKS,
    TERRAINS,
    UNITS,
)
from marchland.games.boidvoid.combat import ANSWERS
from marchland.games.boidvoid.orders import VERBS
from marchland.games.boidvoid.state import Cells, Players, Units
from marchland.messages import EventKind, Layer, PieceKind

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

LAYERS: Final = (
    Layer("team", "player"),
    Layer("terrain", "code", palette=list(TERRAINS), still=True, styles=TERRAIN_STYLES, glyphs=TERRAIN_GLYPHS),
    Layer("obstacle", "code", palette=["open", "obstacle"], still=True, styles=OBSTACLE_STYLES),
    Layer("point", "code", palette=["none", "point of importance"], still=True, glyphs=POINT_GLYPHS),
    Layer("superstructure", "number", most=10),
)

KINDS: Final = (
    PieceKind("ship", "triangle", ["health", "battery", "action_points", "team"], gauge=True),
    PieceKind("swarm", "hexagon", ["ships", "battery", "action_points", "team"]),
    PieceKind("mothership", "diamond", ["health", "battery", "action_points", "team"], gauge=True),
    PieceKind("superstructure", "square", ["health", "level", "action_points", "team"], gauge=True),
    PieceKind("npc", "cross", ["health", "battery", "action_points", "team"], gauge=True),
)

FIGURES: Final = ("team", "role", "tiles", "points", "structures", "defeated", "attack", "defense")

_TASKS: Final = [task or "idle" for task in TASKS]
_VERBS: Final = ["", *(str(verb.__struct_config__.tag) for verb in VERBS)]

EVENTS: Final = (
    EventKind("moved", {"unit": "piece", "from": "cell", "to": "cell", "cost": "number"}, "glide"),
    EventKind("capture_begun", {"unit": "piece", "at": "cell", "turns": "number"}, "ripple"),
    EventKind("captured", {"unit": "piece", "at": "cell", "team": "number", "from": "number"}, "ripple"),
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
    EventKind("attacked", {"unit": "piece", "target": "piece", "from": "cell", "to": "cell", "range": "number"}, "arc"),
    EventKind(
        "force",
        {"unit": "piece", "main": "number", "additional": "number", "bonus": "number", "damage": "number"},
    ),
    EventKind("chance", {"unit": "piece", "chance": "number", "rolled": "number", "critical": "number"}),
    EventKind(
        "guard", {"unit": "piece", "shields": "number", "defense": "number", "bonus": "number", "total": "number"}
    ),
    EventKind("hit", {"unit": "piece", "by": "piece", "damage": "number"}),
    EventKind("no_counter", {"unit": "piece", "why": "choice"}, "", list(ANSWERS)),
    EventKind("shields", {"unit": "piece", "shields": "number", "spent": "number", "battery": "number"}),
    EventKind("wound", {"unit": "piece", "blocked": "number", "wound": "number", "health": "number"}),
    EventKind("destroyed", {"unit": "piece", "by": "piece", "at": "cell"}, "fade"),
    EventKind("boosted", {"unit": "piece", "nft": "number", "turns": "number"}),
    EventKind("boost_over", {"unit": "piece", "nft": "number"}),
    EventKind("equipped", {"unit": "piece", "nft": "number", "kind": "choice"}, "", list(NFT_KINDS)),
    EventKind("ratio_set", {"unit": "piece", "attack": "number"}),
    EventKind("automode_set", {"unit": "piece", "on": "number", "periods": "number"}),
    EventKind("told", {"order": "choice", "a": "number", "b": "number"}, "", _VERBS),
    EventKind("returned", {"player": "player", "nft": "number"}),
)


def picture(game: "BoidVoid") -> Picture:
    """Tiles, the units on them and the scoreboard."""
    cells: Cells = game.part(Cells)
    units: Units = game.part(Units)
    levels = cells.structure.copy()
    built = levels != NOBODY
    levels[built] = units.aim[levels[built]]
    levels[~built] = 0
    players: Players = game.part(Players)
    figures = [getattr(players, name).tolist() for name in FIGURES]
    rows = [list(row) for row in zip(map(int, alive(game)), *figures, strict=True)]
    return Picture((cells.owner, cells.terrain, cells.obstacle, cells.point, levels), rows, pieces(game))


def alive(game: "BoidVoid") -> list[bool]:
    """Everybody: whoever has lost his ship gets it back by an order."""
    return [True] * len(game.names)


def pieces(game: "BoidVoid") -> dict[int, tuple[int, ...]]:
    """Every unit on the map; ships of a swarm are counted in it. Its owner is the player of a ship."""
    units: Units = game.part(Units)
    found: dict[int, tuple[int, ...]] = {}
    for row in range(int(game.head[UNITS])):
        if units.status[row] != ALONE:
            continue
        kind, first = int(units.kind[row]), int(units.health[row]) // HUNDREDTHS
        second, points = int(units.battery[row]) // HUNDREDTHS, int(units.points[row])
        if kind == SWARM:
            ships = game.members(row)
            first, second = len(ships), sum(int(units.battery[ship]) for ship in ships) // HUNDREDTHS
            points = min(int(units.points[ship]) for ship in ships)
        elif kind == SUPERSTRUCTURE:
            second = int(units.aim[row])
        owner = int(units.id[row]) if kind == 0 else NOBODY
        place = game.board.coords[units.cell[row]].tolist()
        found[int(units.id[row])] = (kind, owner, *place, first, second, points, int(units.team[row]))
    return found
