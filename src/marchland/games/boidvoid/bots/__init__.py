"""The bots of BoidVoid, for queued play."""

from collections.abc import Callable
from typing import Any, Final

from marchland.core.builtin_bots import BuiltinBot, Idle, Orders
from marchland.games.boidvoid.bots.greedy import Plan
from marchland.games.boidvoid.bots.observation import Observation, arrays_of
from marchland.games.boidvoid.rules.constants import IN_SWARM, WAITING


class Random(BuiltinBot):
    """Gives random orders to its ship and, as leader, to the mothership."""

    def play(self, view: Any) -> Orders:
        """A handful of random orders, most of them possible."""
        seen = Observation(arrays_of(view))
        orders = []
        for unit in seen.commanded():
            orders += self._for(seen, unit)
        if self.random.random() < 0.1:
            orders.append({"do": "battery", "attack": self.random.randint(0, 100)})
        return orders

    def _for(self, seen: Observation, unit: int) -> Orders:
        name, pick = seen.name(unit), self.random.choice
        if seen.status(unit) == WAITING:
            homes = seen.free_homes()
            return [{"do": "spawn", "unit": name, "at": seen.at(pick(homes))}] if homes else []
        if seen.status(unit) == IN_SWARM:
            to = seen.at(pick(seen.board.neighbours(seen.place(unit))))
            return [{"do": "leave_swarm", "unit": name, "to": to}] if self.random.random() < 0.1 else []
        to = seen.at(pick(seen.board.neighbours(seen.place(unit))))
        orders: Orders = [{"do": "move", "unit": name, "to": to}]
        near = seen.targets(unit)
        if near and self.random.random() < 0.5:
            return [*orders, {"do": "attack", "unit": name, "target": seen.name(pick(near))}]
        draw = self.random.random()
        nfts = seen.free_nfts()
        if draw < 0.5:
            orders.append({"do": "capture", "unit": name})
        elif draw < 0.6:
            orders.append({"do": "create_swarm", "unit": name, "name": f"swarm {name}"})
        elif draw < 0.7 and nfts:
            orders.append({"do": "build", "unit": name, "nft": pick(nfts)})
        elif draw < 0.75 and nfts:
            orders.append({"do": "boost", "target": name, "nft": pick(nfts), "mode": pick(["burn", "stake"])})
        elif draw < 0.78:
            orders.append({"do": "detonate", "unit": name})
        elif draw < 0.82:
            orders.append({"do": "automode", "on": self.random.random() < 0.5})
        return orders


class Greedy(BuiltinBot):
    """Captures what pays most for its turns, strikes ships and motherships, and stays out of danger."""

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        return Plan(Observation(arrays_of(view)), self.random).decide()


BOTS: Final[dict[str, Callable[..., Any]]] = {"idle": Idle, "random": Random, "greedy": Greedy}
