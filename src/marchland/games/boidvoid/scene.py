"""What a picture of a BoidVoid match shows: everything, as the whole map is open (ruling 27)."""

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

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
    IDLE,
    NO_ITEM,
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

_STRENGTH: Final = ["attack", "defense", "range", "boosts", "template"]
_SHIP: Final = ["health", "battery", "action_points", "team", *_STRENGTH]
_TASK_WORDS: Final = {"task": ["none", *(task for task in TASKS if task)]}

KINDS: Final = (
    PieceKind(
        "ship",
        "triangle",
        [*_SHIP, "battery_attack", "task", "turns_left", "task_turns"],
        gauge=True,
        words=_TASK_WORDS,
        progress=("turns_left", "task_turns"),
        picture="template",
    ),
    PieceKind("swarm", "hexagon", ["ships", "battery", "action_points", "team", *_STRENGTH]),
    PieceKind("mothership", "diamond", _SHIP, gauge=True, picture="template"),
    PieceKind("superstructure", "square", ["health", "level", *_SHIP[2:]], gauge=True, picture="template"),
    PieceKind("npc", "cross", _SHIP, gauge=True, picture="template"),
)
"""``battery_attack`` is the percentage of the battery for attacks, ``turns_left`` and ``task_turns`` those of the task,
``template`` the ledger's number of the NFT that the unit is made from."""

AVATAR: Final = "avatar"
FIGURES: Final = ("team", "role", "tiles", "points", "structures", "defeated", "attack", "defense", AVATAR)


def picture(game: "BoidVoid", player: int | None) -> Picture:
    """Tiles, the units on them and the scoreboard."""
    cells: Cells = game.arrays(Cells)
    units: Units = game.arrays(Units)
    levels = cells.structure.copy()
    built = levels != NO_UNIT
    levels[built] = units.aim[levels[built]]
    levels[~built] = 0
    players: Players = game.arrays(Players)
    figures = [getattr(players, name) // (HUNDREDTHS if name in ("attack", "defense") else 1) for name in FIGURES[:-1]]
    figures.append(templates_of(game, players.avatar))
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
    templates = templates_of(game, game.arrays(Units).item).tolist()
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
        tasks: tuple[int, ...] = ()
        if is_ship:
            total = game.task_turns(row) if units["task"][row] != IDLE else 0
            tasks = units["ratio"][row], units["task"][row], units["wait"][row], total
        owner = units["id"][row] if is_ship else NO_PLAYER
        place = game.board.coords[units["cell"][row]].tolist()
        numbers = (first, second, points, units["team"][row], attack, defense, reach, boosts.get(row, 0))
        found[units["id"][row]] = (kind, owner, *place, *numbers, templates[row], *tasks)
    return found


def templates_of(game: "BoidVoid", rows: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """The templates of the items in these rows; 0 where there is no item."""
    items: Items = game.arrays(Items)
    found: npt.NDArray[np.int64] = np.where(rows == NO_ITEM, 0, items.template[np.maximum(rows, 0)])
    return found


def count_boosts(game: "BoidVoid") -> dict[int, int]:
    """How many boosts work on each unit, by its row."""
    items: Items = game.arrays(Items)
    return dict(Counter(items.target[items.use == BOOSTING].tolist()))
