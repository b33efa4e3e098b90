"""The bots of Hive."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from marchland.core.builtin_bots import BuiltinBot, Idle, Orders
from marchland.games.hive.bots.greedy import GreedyPlanner
from marchland.games.hive.rules.orders import DIRECTIONS
from marchland.games.hive.rules.state import BEE, HIVE
from marchland.games.hive.views import observation_from_view


class Random(BuiltinBot):
    """Lets every unit do something at random, and forage now and then."""

    def play(self, view: Any) -> Orders:
        """One order for each unit, many of them possible."""
        seen = to_observation(view)
        me = int(seen["me"][0])
        orders = []
        for unit, kind, owner in zip(seen["id"].tolist(), seen["kind"].tolist(), seen["owner"].tolist(), strict=True):
            if owner == me and kind in (BEE, HIVE):
                verb = "spawn" if kind == HIVE else self.random.choice(_HABITS)
                order = {"do": verb, "unit": unit}
                if verb not in ("forage", "build_hive"):
                    order["dir"] = self.random.choice(DIRECTIONS)
                orders.append(order)
        self.random.shuffle(orders)
        return orders


_HABITS: Final = ("forage", "forage", "forage", "move", "move", "move", "move", "attack", "build_wall", "build_hive")


class Greedy(BuiltinBot):
    """Gathers, then founds hives until it wins by influence; fights together, and delivers where bees carry.

    It remembers the map, so an instance plays one match at a time; a turn that goes back starts another.
    """

    def __init__(self, seed: int | None = 0) -> None:
        super().__init__(seed)
        self._planner: GreedyPlanner | None = None
        self._turn = -1

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        seen = to_observation(view)
        turn = int(seen["turn"][0])
        if self._planner is None or turn <= self._turn:
            self._planner = GreedyPlanner(seen)
        self._turn = turn
        return self._planner.orders(seen, self._noise(len(seen["coords"])))

    def _noise(self, size: int) -> npt.NDArray[np.floating[Any]]:
        """A random number from 0 to below 1 for each cell, which decides what is equal: no place has an advantage."""
        return np.frombuffer(self.random.randbytes(2 * size), np.uint16).astype(np.float32) / 65536


def to_observation(view: Any) -> dict[str, Any]:
    """The observation, or the same made from a view."""
    seen: dict[str, Any] = observation_from_view(view) if "entities" in view else view
    return seen


BOTS: Final[dict[str, Callable[..., Any]]] = {"idle": Idle, "random": Random, "greedy": Greedy}
