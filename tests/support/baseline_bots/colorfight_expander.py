"""A rival for Colorfight's `greedy`: it spends everything every turn, on land first."""

from typing import Any

import numpy as np
import numpy.typing as npt

from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.games.colorfight.rules.state import BUILDINGS, EMPTY, FORTRESS, HOME, MINE, TOP_LEVEL, WELL

MINES_FROM = 100
"""The turn from which on gold counts more than energy."""
HOME_GOLD = 1000
UPGRADES = {1: (1000, 1000), 2: (2000, 2000)}
BUILDING_GOLD = 200
LEVEL_GOLD = (400, 600)


class Bot(BuiltinBot):
    """Attacks every affordable neighbour by value over cost; wells first, mines later; the home as soon as possible."""

    def play(self, view: Any) -> Orders:
        me, turn = int(view["me"][0]), int(view["turn"][0])
        width = int(view["size"][0])
        gold, energy = int(view["player_gold"][me]), int(view["player_energy"][me])
        own = view["owner"] == me
        orders: Orders = []
        for home in np.flatnonzero(own & (view["building"] == HOME)).tolist():
            prices = UPGRADES.get(int(view["level"][home]))
            if prices and gold >= prices[0] and energy >= prices[1]:
                orders.append({"do": "upgrade", "at": [home % width, home // width]})
                gold, energy = gold - prices[0], energy - prices[1]
        if not view["player_tech_level"][me] and gold >= HOME_GOLD and own.any():
            safest = int(np.argmax(np.where(own & (view["building"] == EMPTY), view["force_field"], -1)))
            orders.append({"do": "build", "at": [safest % width, safest // width], "building": BUILDINGS[HOME]})
        kind, natural = (WELL, "natural_energy") if turn < MINES_FROM else (MINE, "natural_gold")
        tech = int(view["player_tech_level"][me])
        for cell in np.flatnonzero(own)[np.argsort(-view[natural][own], kind="stable")].tolist():
            at, level = [cell % width, cell // width], int(view["level"][cell])
            if view["building"][cell] == EMPTY and gold >= BUILDING_GOLD and tech:
                orders.append({"do": "build", "at": at, "building": BUILDINGS[kind]})
                gold -= BUILDING_GOLD
            elif view["building"][cell] == kind and level < min(tech, TOP_LEVEL) and gold >= LEVEL_GOLD[level - 1]:
                orders.append({"do": "upgrade", "at": at})
                gold -= LEVEL_GOLD[level - 1]
        cost = attack_costs(view)
        value = (view["natural_gold"] + view["natural_energy"]) / np.maximum(cost, 1)
        targets = np.flatnonzero(beside(own, width) & ~own)
        for cell in targets[np.argsort(-value[targets], kind="stable")].tolist():
            if cost[cell] < energy:
                orders.append({"do": "attack", "at": [cell % width, cell // width], "energy": int(cost[cell]) + 1})
                energy -= int(cost[cell]) + 1
        return orders


def beside(own: npt.NDArray[np.bool_], width: int) -> npt.NDArray[np.bool_]:
    """The cells with a neighbour among ``own``."""
    grid = np.pad(own.reshape(-1, width), 1)
    return (grid[:-2, 1:-1] | grid[2:, 1:-1] | grid[1:-1, :-2] | grid[1:-1, 2:]).reshape(-1)


def attack_costs(view: Any) -> npt.NDArray[np.int64]:
    """What it takes to capture each cell."""
    plain = view["natural_cost"].astype(np.int64) + view["force_field"]
    cost: npt.NDArray[np.int64] = np.where(view["building"] == FORTRESS, plain * (1 + view["level"]), plain)
    homes = view["building"] == HOME
    energy = np.maximum(view["player_energy"], 0)[view["owner"][homes]]
    cost[homes] = view["level"][homes] * (1000 + view["force_field"][homes] + energy)
    return cost
