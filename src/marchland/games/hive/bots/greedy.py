"""The greedy player's plan of a turn: what is urgent first, then land, then flowers, then what is still unseen."""

from typing import Any, Final

from marchland.games.hive.bots import combat, delivery, economy, settling
from marchland.games.hive.bots.geometry import Numbers
from marchland.games.hive.bots.memory import Memory
from marchland.games.hive.bots.situation import Order, Situation

_FIRST_BEES: Final = 4
_CELLS_A_HIVE: Final = 50
"""Cells that a new hive adds to the player's influence, roughly."""
_WAY_TO_WORK: Final = 5
"""Turns until a new bee gathers, roughly."""
_BEES_A_FOE: Final = 1.5
"""Bees more for each enemy's bee that was seen lately."""
_LAST_HIVES: Final = 2
"""With no more than so many hives to found, victory is nearer than a fight."""
_RICH: Final = 20
"""Bees that could be paid at once by a player who needs no more flowers: all bees attack."""


class GreedyPlanner:
    """Remembers the map that its player has seen, and plans the orders of a turn."""

    def __init__(self, seen: dict[str, Any]) -> None:
        self._memory = Memory(seen)

    def orders(self, seen: dict[str, Any], noise: Numbers) -> list[Order]:
        """The orders of this turn; ``noise`` decides what is equal."""
        self._memory.update(seen)
        now = Situation(seen, self._memory, noise)
        if now.carrying:
            plan_delivery(now)
        else:
            plan_influence(now)
        return now.orders + now.late_orders


def plan_influence(now: Situation) -> None:
    """Fight; gather with so many bees as pay for themselves, then found hives until they see enough of the map."""
    income = sum(1 for bee in now.bees if now.flowers[bee] > 0)
    if now.damage:
        combat.wall_in(now)
        combat.retreat(now, 2)
        combat.strike(now)
        combat.retreat(now, 1)
        combat.guard(now)
    wanted = wanted_bees(now)
    if now.bee_count >= wanted:
        settling.settle(now, income)
    rich = now.purse - now.reserved >= _RICH * now.bee_cost
    soldiers = len(now.hives) if rich else 0
    economy.spawn(now, max(wanted, now.bee_count + len(now.free_fields) + soldiers))
    if rich and now.damage:
        combat.assault(now)
    economy.forage(now)
    economy.gather(now)
    economy.explore(now)
    if now.damage:
        combat.assault(now)


def wanted_bees(now: Situation) -> int:
    """The bees to have before hives: one more must repay its price while the flowers for the hives are gathered."""
    hives = -(-settling.missing_cells(now) // _CELLS_A_HIVE)
    repaid = hives * (now.hive_cost + now.bee_cost) / (now.bee_cost + _WAY_TO_WORK)
    armed = _BEES_A_FOE * now.memory.foe_count if hives > _LAST_HIVES else 0.0
    return max(_FIRST_BEES, round(float(repaid + armed)))


def plan_delivery(now: Situation) -> None:
    """Carry flowers home by the shortest ways; who finds none any more gets in the others' way."""
    home = delivery.distance_home(now)
    delivery.deliver(now, home)
    delivery.settle(now, home)
    economy.spawn(now, delivery.useful_bees(now))
    economy.forage(now)
    delivery.fetch(now, home)
    economy.explore(now)
    delivery.harass(now)
