"""The menu of Colorfight's legal orders, as the turn begins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.games.colorfight.rules.state import (
    BUILDINGS,
    EMPTY,
    HOME,
    NEIGHBOURS,
    TOP_LEVEL,
    Attackers,
    Players,
    Sieges,
)
from marchland.games.colorfight.rules.state import Cells as CellArrays
from marchland.games.colorfight.views import attack_costs
from marchland.messages import Cells, Choices, Menu, Range

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

Mask = npt.NDArray[np.bool_]


def menu(game: "Colorfight", player: int, verb: str, picked: Mapping[str, Any]) -> Menu | None:
    """What may be picked next for ``verb``."""
    if "at" not in picked:
        return Cells("at", [(x, y) for x, y in game.board.coords[targets(game, player, verb)].tolist()])
    if verb == "attack" and "energy" not in picked:
        energy, needed = int(game.arrays(Players).energy[player]), attack_cost(game, player, picked["at"])
        return Range("energy", 1, energy, None if needed is None else min(needed, energy), needed)
    if verb == "build" and "building" not in picked:
        names = affordable_buildings(game, player)
        return Choices("building", names, prices=[{"gold": building_prices(game)[name]} for name in names])
    return None


def prices(game: "Colorfight", player: int) -> dict[str, dict[str, int]]:
    """The least that each verb costs."""
    cheapest = min(price for name, price in building_prices(game).items() if is_allowed(game, player, name))
    return {"attack": {"energy": 1}, "build": {"gold": cheapest}}


def building_prices(game: "Colorfight") -> dict[str, int]:
    """The price of each building in gold."""
    config = game.config
    each = (config.home_gold, config.well_gold, config.mine_gold, config.fortress_gold)
    return dict(zip(BUILDINGS[HOME:], each, strict=True))


def is_allowed(game: "Colorfight", player: int, building: str) -> bool:
    """Whether the player may build this at all: a home without one, everything else with one."""
    has_home = bool(game.arrays(Players).tech_level[player] > 0)
    return (building == BUILDINGS[HOME]) != has_home


def attack_cost(game: "Colorfight", player: int, place: Any) -> int | None:
    """What takes the cell, besides planned attacks, if no other player attacks it; None off the board."""
    try:
        cell = game.board.index(*(int(number) for number in place))
    except (TypeError, ValueError, OverflowError):
        return None
    return None if cell < 0 else max(int(attack_costs(game)[cell]) - planned_energy(game, player, cell), 0)


def planned_energy(game: "Colorfight", player: int, cell: int) -> int:
    """What planned attacks of the player spend on the cell; separate ones do not add up (ruling 2)."""
    siege = int(game.layout.arrays(game.workspace, Sieges).rank[cell]) - 1
    if siege < 0 or game.config.separate_attacks:
        return 0
    attackers = game.layout.arrays(game.workspace, Attackers)
    rows = slice(siege * NEIGHBOURS, (siege + 1) * NEIGHBOURS)
    return int(attackers.energy[rows][attackers.player[rows] == player].sum())


def targets(game: "Colorfight", player: int, verb: str) -> Mask:
    """The cells that ``verb`` may be used on."""
    cells: CellArrays = game.arrays(CellArrays)
    players: Players = game.arrays(Players)
    own: Mask = cells.owner == player
    if players.dead[player]:
        return np.zeros(game.board.size, np.bool_)
    if verb == "attack":
        return cells_beside(game, own) if players.energy[player] > 0 else np.zeros(game.board.size, np.bool_)
    if verb == "build":
        can_pay = bool(affordable_buildings(game, player))
        empty: Mask = own & (cells.building == EMPTY) & can_pay
        return empty
    return upgradable_cells(game, player, own)


def cells_beside(game: "Colorfight", own: Mask) -> Mask:
    """The cells with a neighbour among ``own``."""
    neighbours = np.asarray(game.board.tables.neighbours).reshape(game.board.size, -1)
    found: Mask = np.any(own[neighbours] & (neighbours >= 0), axis=1)
    return found


def affordable_buildings(game: "Colorfight", player: int) -> list[str]:
    """The buildings that the player may build and pay."""
    players: Players = game.arrays(Players)
    config = game.config
    if players.energy[player] < 0 and not config.indebted_builds:  # ruling 12
        return []
    return [
        name
        for name, price in building_prices(game).items()
        if is_allowed(game, player, name) and price <= players.gold[player]
    ]


def upgradable_cells(game: "Colorfight", player: int, own: Mask) -> Mask:
    """The player's buildings that have a level to gain and can be paid."""
    cells: CellArrays = game.arrays(CellArrays)
    players: Players = game.arrays(Players)
    config = game.config
    gold, energy = int(players.gold[player]), int(players.energy[player])
    stands = own & (cells.building != EMPTY) & (cells.level < TOP_LEVEL)
    step = np.clip(cells.level - 1, 0, 1)
    home = (np.array(config.home_upgrade_gold)[step] <= gold) & (np.array(config.home_upgrade_energy)[step] <= energy)
    other = (np.array(config.upgrade_gold)[step] <= gold) & (cells.level < players.tech_level[player]) & (energy >= 0)
    found: Mask = stands & np.where(cells.building == HOME, home, other)
    return found
