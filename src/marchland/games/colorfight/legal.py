"""The menu of Colorfight's legal orders, as the turn begins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.core.game_functions import ResourceLevel
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
from marchland.messages import Cells, Choices, Forecast, Menu, Range

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


def prices(game: "Colorfight", player: int, cell: int | None) -> dict[str, dict[str, int]]:
    """The least that each verb costs; an upgrade that of the picked building, or of the cheapest."""
    cheapest = min(price for name, price in building_prices(game).items() if is_allowed(game, player, name))
    found = {"attack": {"energy": 1}, "build": {"gold": cheapest}}
    own = game.arrays(CellArrays).owner == player
    can_grow = own & (game.arrays(CellArrays).building != EMPTY) & (game.arrays(CellArrays).level < TOP_LEVEL)
    growing = np.flatnonzero(can_grow) if cell is None else [cell] if cell >= 0 and can_grow[cell] else []
    upgrades = [upgrade_price(game, int(place)) for place in growing]
    if upgrades:
        found["upgrade"] = min(upgrades, key=lambda price: price["gold"])
    return found


def upgrade_price(game: "Colorfight", cell: int) -> dict[str, int]:
    """What the next level of a building costs."""
    cells: CellArrays = game.arrays(CellArrays)
    config, step = game.config, int(cells.level[cell]) - 1
    if cells.building[cell] == HOME:
        return {"gold": config.home_upgrade_gold[step], "energy": config.home_upgrade_energy[step]}
    return {"gold": config.upgrade_gold[step]}


def probe(game: "Colorfight", player: int, verb: str, cell: int | None) -> dict[str, Any] | None:
    """An order for the cell that is picked; for any cell there is none."""
    if cell is None or cell < 0:
        return None
    at = list(game.board.at(cell))
    if verb == "attack":
        return {"do": verb, "at": at, "energy": 1}
    if verb == "upgrade":
        return {"do": verb, "at": at}
    building = next(name for name in building_prices(game) if is_allowed(game, player, name))
    return {"do": verb, "at": at, "building": building}


def resources(game: "Colorfight", player: int) -> list[ResourceLevel]:
    """Energy for attacks and gold for buildings, with their income."""
    players: Players = game.arrays(Players)
    return [
        ResourceLevel(name, int(getattr(players, name)[player]), int(getattr(players, f"{name}_source")[player]))
        for name in ("energy", "gold")
    ]


def forecast(game: "Colorfight", player: int, order: Mapping[str, Any]) -> Forecast | None:
    """The energy of all planned attacks on the cell against what takes it; game and order are as planned."""
    cell = cell_at(game, order.get("at")) if order["do"] == "attack" else -1
    if cell < 0:
        return None
    energy, needed = planned_energy(game, player, cell), int(attack_costs(game)[cell])
    if game.config.separate_attacks:
        energy = int(order["energy"])
    return Forecast("ATTACK", {"energy": energy, "needed": needed}, hopeless=energy < needed)


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
    cell = cell_at(game, place)
    return None if cell < 0 else max(int(attack_costs(game)[cell]) - planned_energy(game, player, cell), 0)


def cell_at(game: "Colorfight", place: Any) -> int:
    """The cell at a place that an order names; -1 off the board."""
    try:
        return game.board.index(*(int(number) for number in place))
    except (TypeError, ValueError, OverflowError):
        return -1


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
