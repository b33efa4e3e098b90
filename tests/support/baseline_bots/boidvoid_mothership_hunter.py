"""A rival for BoidVoid's `greedy`: every ship goes for the nearest enemy mothership and captures while it recharges."""

from typing import Any

import numpy as np

from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.games.boidvoid.bots.observation import Observation, arrays_of
from marchland.games.boidvoid.rules.constants import ALONE, IDLE, MOTHERSHIP, NO_UNIT, WAITING

_CHARGED = 6000
"""The battery, in hundredths, with which a ship sets out for a mothership."""


class Bot(BuiltinBot):
    """Strikes motherships with the whole battery, and takes the nearest tile when none can be hunted."""

    def play(self, view: Any) -> Orders:
        seen = Observation(arrays_of(view))
        orders: Orders = [{"do": "battery", "attack": 90}]
        for unit in seen.commanded():
            if seen.status(unit) == WAITING and seen.arrays["unit_wait"][unit] == 0 and seen.free_homes():
                at = seen.at(self.random.choice(seen.free_homes()))
                orders.append({"do": "spawn", "unit": seen.name(unit), "at": at})
        if seen.status(seen.ship) == ALONE and seen.arrays["unit_task"][seen.ship] == IDLE:
            orders += self._hunt(seen) or self._capture(seen)
        return orders

    def _hunt(self, seen: Observation) -> Orders:
        ship, arrays = seen.ship, seen.arrays
        motherships = seen.foes[arrays["unit_kind"][seen.foes] == MOTHERSHIP]
        if len(motherships) == 0 or arrays["unit_battery"][ship] < _CHARGED:
            return []
        target = int(motherships[np.argmin(seen.away(seen.place(ship), motherships))])
        strike = {"do": "attack", "unit": seen.name(ship), "target": seen.name(target)}
        if target in seen.targets(ship):
            return [strike]
        near = np.argsort(seen.board.field([seen.place(target)]), kind="stable").tolist()
        cost, points = seen.ways(ship), arrays["unit_points"][ship]
        way = next((cell for cell in near if 0 < cost[cell] <= points and seen.standing[cell] == NO_UNIT), None)
        return [] if way is None else [{"do": "move", "unit": seen.name(ship), "to": seen.at(way)}, strike]

    def _capture(self, seen: Observation) -> Orders:
        ship, owner = seen.ship, seen.arrays["owner"]
        capture = {"do": "capture", "unit": seen.name(ship)}
        if owner[seen.place(ship)] != seen.team:
            return [capture]
        cost = seen.ways(ship)
        wanted = np.flatnonzero((owner != seen.team) & (cost > 0) & (seen.standing == NO_UNIT))
        if len(wanted) == 0:
            return []
        goal = int(wanted[np.argmin(cost[wanted])])
        return [{"do": "move", "unit": seen.name(ship), "to": seen.at(goal)}, capture]
