"""What a picture of a BoidVoid match shows: everything, as the whole map is open (ruling 27)."""

from typing import TYPE_CHECKING, Final

from marchland.core.scene import Picture
from marchland.core.state import NO_PLAYER
from marchland.games.boidvoid.appearance import OBSTACLE_STYLES, POINT_GLYPHS, TERRAIN_GLYPHS, TERRAIN_STYLES
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    HUNDREDTHS,
    NO_UNIT,
    SUPERSTRUCTURE,
    SWARM,
    TERRAINS,
    UNITS,
)
from marchland.games.boidvoid.rules.state import Cells, Players, Units
from marchland.messages import Layer, PieceKind

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


def picture(game: "BoidVoid", player: int | None) -> Picture:
    """Tiles, the units on them and the scoreboard."""
    cells: Cells = game.arrays(Cells)
    units: Units = game.arrays(Units)
    levels = cells.structure.copy()
    built = levels != NO_UNIT
    levels[built] = units.aim[levels[built]]
    levels[~built] = 0
    players: Players = game.arrays(Players)
    figures = [getattr(players, name) // (HUNDREDTHS if name in ("attack", "defense") else 1) for name in FIGURES]
    rows = [list(row) for row in zip(map(int, alive(game)), *(figure.tolist() for figure in figures), strict=True)]
    return Picture((cells.owner, cells.terrain, cells.obstacle, cells.point, levels), rows, pieces(game))


def alive(game: "BoidVoid") -> list[bool]:
    """Every player: a lost ship comes back by an order."""
    return [True] * len(game.names)


def pieces(game: "BoidVoid") -> dict[int, tuple[int, ...]]:
    """Every unit on the map; ships of a swarm are counted in it. Its owner is the player of a ship."""
    units: Units = game.arrays(Units)
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
        owner = int(units.id[row]) if kind == 0 else NO_PLAYER
        place = game.board.coords[units.cell[row]].tolist()
        found[int(units.id[row])] = (kind, owner, *place, first, second, points, int(units.team[row]))
    return found
