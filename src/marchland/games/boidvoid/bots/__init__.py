"""Players that come with BoidVoid, for queued play. They take an observation or, over the network, a view."""

import random
from collections.abc import Callable
from typing import Any, ClassVar, Final

from marchland.games.boidvoid.bots.greedy import Plan
from marchland.games.boidvoid.bots.observation import Scout, seen_in
from marchland.games.boidvoid.rules.constants import ALONE, IN_SWARM, WAITING

Orders = list[dict[str, Any]]


class Idle:
    """Does nothing."""

    observes: ClassVar[bool] = True

    def __init__(self, seed: int = 0) -> None:
        del seed

    def play(self, view: Any) -> Orders:
        """No orders."""
        return []


class Random:
    """Does by lot what its ship, and as leader its mothership, might do."""

    observes: ClassVar[bool] = True

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)

    def play(self, view: Any) -> Orders:
        """A handful of random orders, most of them possible."""
        scout = Scout(seen_in(view))
        orders = []
        for unit in scout.commanded():
            orders += self._for(scout, unit)
        if self._chance.random() < 0.1:
            orders.append({"do": "battery", "attack": self._chance.randint(0, 100)})
        return orders

    def _for(self, scout: Scout, unit: int) -> Orders:
        name, pick = scout.name(unit), self._chance.choice
        if scout.status(unit) == WAITING:
            homes = scout.free_homes()
            return [{"do": "spawn", "unit": name, "at": scout.at(pick(homes))}] if homes else []
        if scout.status(unit) == IN_SWARM:
            to = scout.at(pick(scout.board.neighbours(scout.place(unit))))
            return [{"do": "leave_swarm", "unit": name, "to": to}] if self._chance.random() < 0.1 else []
        to = scout.at(pick(scout.board.neighbours(scout.place(unit))))
        orders: Orders = [{"do": "move", "unit": name, "to": to}]
        near = scout.targets(unit)
        if near and self._chance.random() < 0.5:
            return [*orders, {"do": "attack", "unit": name, "target": scout.name(pick(near))}]
        lot = self._chance.random()
        nfts = scout.free_nfts()
        if lot < 0.5:
            orders.append({"do": "capture", "unit": name})
        elif lot < 0.6:
            orders.append({"do": "create_swarm", "unit": name, "name": f"swarm {name}"})
        elif lot < 0.7 and nfts:
            orders.append({"do": "build", "unit": name, "nft": pick(nfts)})
        elif lot < 0.75 and nfts:
            orders.append({"do": "boost", "target": name, "nft": pick(nfts), "mode": pick(["burn", "stake"])})
        elif lot < 0.78:
            orders.append({"do": "detonate", "unit": name})
        elif lot < 0.82:
            orders.append({"do": "automode", "on": self._chance.random() < 0.5})
        return orders


class Greedy:
    """Captures what is near, gathers swarms, attacks what it can beat and keeps its mothership out of reach."""

    observes: ClassVar[bool] = True

    def __init__(self, seed: int = 0) -> None:
        del seed

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        scout = Scout(seen_in(view))
        plan = Plan(scout)
        for unit in scout.commanded():
            if scout.status(unit) in (ALONE, WAITING):
                plan.decide(unit)
        return plan.orders


BOTS: Final[dict[str, Callable[..., Any]]] = {"idle": Idle, "random": Random, "greedy": Greedy}
