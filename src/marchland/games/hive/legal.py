"""The menu of Hive's legal orders, as the turn begins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.core.game_functions import ResourceLevel
from marchland.games.hive.rules.orders import DIRECTIONS
from marchland.games.hive.rules.state import (
    BEE,
    ENTITIES,
    FIELD,
    HIVE,
    NEIGHBOURS,
    NO_ENTITY,
    STONE,
    Cells,
    Entities,
    Players,
)
from marchland.messages import Choices, Menu, Pieces

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def menu(game: "Hive", player: int, verb: str, picked: Mapping[str, Any]) -> Menu | None:
    """What may be picked next for ``verb``."""
    rows = units(game, player, verb)
    entities: Entities = game.arrays(Entities)
    if verb in ("forage", "build_hive"):
        able = rows[can_forage(game, player, rows)] if verb == "forage" else rows
        return None if "unit" in picked else Pieces("unit", entities.id[able].tolist())
    open_ways = ways(game, verb, rows)
    if "unit" not in picked:
        return Pieces("unit", entities.id[rows[open_ways.any(axis=1)]].tolist())
    if "dir" not in picked:
        chosen = open_ways[rows == row_of(game, picked["unit"])]
        return Choices("dir", [DIRECTIONS[way] for way in np.flatnonzero(chosen)])
    return None


def prices(game: "Hive", player: int, cell: int | None = None) -> dict[str, dict[str, int]]:
    """What each verb costs that costs anything."""
    config = game.config
    costs = {"spawn": config.bee_cost, "build_wall": config.wall_cost, "build_hive": config.hive_cost}
    return {verb: {"flowers": cost} for verb, cost in costs.items()}


def probe(game: "Hive", player: int, verb: str, cell: int | None) -> dict[str, Any] | None:
    """An order that names no other cell than one's own unit's."""
    if verb not in ("forage", "build_hive"):
        return None
    own = units_of_kind(game, player, BEE)
    if cell is not None:
        own = own[game.arrays(Entities).cell[own] == cell]
    return {"do": verb, "unit": int(game.arrays(Entities).id[own[0]])} if len(own) else None


def resources(game: "Hive", player: int) -> list[ResourceLevel]:
    """The flowers that orders are paid from."""
    return [ResourceLevel("flowers", int(game.arrays(Players).flowers[player]))]


def units(game: "Hive", player: int, verb: str) -> Rows:
    """The rows of the player's units that can do this and pay for it."""
    if game.arrays(Players).flowers[player] < prices(game, player).get(verb, {}).get("flowers", 0):
        return np.zeros(0, np.int64)
    return units_of_kind(game, player, HIVE if verb == "spawn" else BEE)


def units_of_kind(game: "Hive", player: int, kind: int) -> Rows:
    """The rows of the player's units of one kind."""
    entities: Entities = game.arrays(Entities)
    count = int(game.head[ENTITIES])
    return np.flatnonzero((entities.owner[:count] == player) & (entities.kind[:count] == kind))


def neighbours(game: "Hive", rows: Rows) -> npt.NDArray[np.int32]:
    """For each unit the six cells beside it."""
    every = np.asarray(game.board.tables.neighbours).reshape(-1, NEIGHBOURS)
    beside: npt.NDArray[np.int32] = every[game.arrays(Entities).cell[rows]]
    return beside


def ways(game: "Hive", verb: str, rows: Rows) -> Mask:
    """For each unit the directions in which ``verb`` would work."""
    cells: Cells = game.arrays(Cells)
    beside = neighbours(game, rows)
    taken = cells.standing[beside] != NO_ENTITY
    fits = taken if verb == "attack" else ~taken & (cells.terrain[beside] != STONE)
    found: Mask = fits & (beside >= 0)
    return found


def can_forage(game: "Hive", player: int, rows: Rows) -> Mask:
    """Empty-handed bees in a field with flowers, and loaded ones beside a hive of their own."""
    cells: Cells = game.arrays(Cells)
    entities: Entities = game.arrays(Entities)
    home = entities.cell[rows]
    blooms = (cells.terrain[home] == FIELD) & (cells.flowers[home] > 0)
    beside = neighbours(game, rows)
    standing = cells.standing[beside]
    own_hive = (standing != NO_ENTITY) & (entities.kind[standing] == HIVE) & (entities.owner[standing] == player)
    found: Mask = np.where(entities.carries[rows] > 0, (own_hive & (beside >= 0)).any(axis=1), blooms)
    return found


def row_of(game: "Hive", unit: Any) -> int:
    """The row of the unit that an order names by id or by cell; `NO_ENTITY` if there is none."""
    if isinstance(unit, list | tuple) and len(unit) == 2 and all(type(number) is int for number in unit):
        cell = game.board.index(*unit)
        return int(game.arrays(Cells).standing[cell]) if cell >= 0 else NO_ENTITY
    ids = game.arrays(Entities).id[: int(game.head[ENTITIES])].tolist()
    return ids.index(unit) if type(unit) is int and unit in ids else NO_ENTITY
