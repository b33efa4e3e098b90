"""What a picture of a BoidVoid match shows: everything, as the whole map is open (ruling 27)."""

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from marchland.core.scene import Picture
from marchland.core.state import NO_PLAYER
from marchland.games.boidvoid.appearance import OBSTACLE_STYLES, POINT_GLYPHS, TERRAIN_GLYPHS, TERRAIN_STYLES
from marchland.games.boidvoid.position.units import swarm_name
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    ATTACK,
    BOOSTING,
    DEFENSE,
    HUNDREDTHS,
    NO_UNIT,
    RANGE,
    SHIP,
    STATS,
    SUPERSTRUCTURE,
    SWARM,
    TASKS,
    TERRAINS,
    UNITS,
)
from marchland.games.boidvoid.rules.state import Cells, Items, Players, Sheets, Units
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

_STRENGTH: Final = ["attack", "defense", "range", "boosts"]
_TASK_WORDS: Final = {"task": ["none", *(task.replace("_", " ") for task in TASKS if task)]}

KINDS: Final = (
    PieceKind(
        "ship",
        "triangle",
        ["health", "battery", "action_points", "team", *_STRENGTH, "battery_attack", "task", "turns_left"],
        gauge=True,
        words=_TASK_WORDS,
    ),
    PieceKind("swarm", "hexagon", ["ships", "battery", "action_points", "team", *_STRENGTH]),
    PieceKind("mothership", "diamond", ["health", "battery", "action_points", "team", *_STRENGTH], gauge=True),
    PieceKind("superstructure", "square", ["health", "level", "action_points", "team", *_STRENGTH], gauge=True),
    PieceKind("npc", "cross", ["health", "battery", "action_points", "team", *_STRENGTH], gauge=True),
)
"""``battery_attack`` is the percentage of the battery that goes to attacks, ``turns_left`` those of the task."""

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
    layers = (cells.owner, cells.terrain, cells.obstacle, cells.point, levels)
    return Picture(layers, rows, pieces(game), swarm_names(game))


def alive(game: "BoidVoid") -> list[bool]:
    """Every player: a lost ship comes back by an order."""
    return [True] * len(game.names)


def swarm_names(game: "BoidVoid") -> dict[int, str]:
    """The names that their founders gave the swarms, by id."""
    units: Units = game.arrays(Units)
    rows = np.flatnonzero((units.kind == SWARM) & (units.status == ALONE)).tolist()
    return {int(units.id[row]): swarm_name(game, row) for row in rows}


def pieces(game: "BoidVoid") -> dict[int, tuple[int, ...]]:
    """Every unit on the map; ships of a swarm are counted in it. Its owner is the player of a ship."""
    units = {name: column.tolist() for name, column in game.arrays(Units)._asdict().items()}
    sheets = game.arrays(Sheets).stat
    strength = {stat: sheets[stat::STATS].tolist() for stat in (ATTACK, DEFENSE, RANGE)}
    boosts = count_boosts(game)
    found: dict[int, tuple[int, ...]] = {}
    for row in range(int(game.head[UNITS])):
        if units["status"][row] != ALONE:
            continue
        kind, first = units["kind"][row], units["health"][row] // HUNDREDTHS
        second, points = units["battery"][row] // HUNDREDTHS, units["points"][row]
        attack, defense, reach = (strength[stat][row] for stat in (ATTACK, DEFENSE, RANGE))
        if kind == SWARM:  # what it has itself are the boosts that each of its ships gets (ruling 33)
            ships = game.members(row)
            first, second = len(ships), sum(units["battery"][ship] for ship in ships) // HUNDREDTHS
            points = min(units["points"][ship] for ship in ships)
            attack = sum(attack + strength[ATTACK][ship] for ship in ships)
            defense = sum(defense + strength[DEFENSE][ship] for ship in ships)
            reach += max(strength[RANGE][ship] for ship in ships)
        elif kind == SUPERSTRUCTURE:
            second = units["aim"][row]
        is_ship = kind == SHIP
        tasks = (units["ratio"][row], units["task"][row], units["wait"][row]) if is_ship else ()
        owner = units["id"][row] if is_ship else NO_PLAYER
        place = game.board.coords[units["cell"][row]].tolist()
        numbers = (first, second, points, units["team"][row], attack, defense, reach, boosts.get(row, 0), *tasks)
        found[units["id"][row]] = (kind, owner, *place, *numbers)
    return found


def count_boosts(game: "BoidVoid") -> dict[int, int]:
    """How many boosts work on each unit, by its row."""
    items: Items = game.arrays(Items)
    return dict(Counter(items.target[items.use == BOOSTING].tolist()))
