"""Players that come with DatsPulse. They take an observation or, over the network, a view."""

import random
from collections.abc import Callable
from typing import Any, ClassVar, Final

import numpy as np

from marchland.board import Board
from marchland.games.datspulse.bots.greedy import Colony
from marchland.games.datspulse.observations import observation_from_view

Orders = list[dict[str, Any]]


class Idle:
    """Does nothing, and soon has an ant of each kind on its spot."""

    observes: ClassVar[bool] = True

    def __init__(self, seed: int = 0) -> None:
        del seed

    def play(self, view: Any) -> Orders:
        """No orders."""
        return []


class Random:
    """Sends every ant some way at random."""

    observes: ClassVar[bool] = True

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)

    def play(self, view: Any) -> Orders:
        """A random way for each ant, up to as long as it can go."""
        seen = seen_in(view)
        board = board_of(seen)
        orders = []
        for row in np.flatnonzero(seen["ant_health"]).tolist():
            cell, path = int(seen["ant_cell"][row]), []
            for _ in range(self._chance.randint(1, int(seen["speed"][seen["ant_kind"][row]]))):
                cell = self._chance.choice(board.neighbours(cell))
                path.append(list(board.at(cell)))
            orders.append({"do": "move", "ant": int(seen["ant_id"][row]), "path": path})
        return orders


class Greedy:
    """Explores with scouts, gathers with workers, guards with soldiers, and raids nests that it knows."""

    observes: ClassVar[bool] = True

    def __init__(self, seed: int = 0) -> None:
        del seed
        self._colony: Colony | None = None

    def play(self, view: Any) -> Orders:
        """The orders of this turn; what it has seen before, it remembers."""
        seen = seen_in(view)
        board = board_of(seen)
        if self._colony is None or self._colony.is_of_another_match(seen):
            self._colony = Colony(board, seen)
        return [
            {"do": "move", "ant": ant, "path": [list(board.at(cell)) for cell in path]}
            for ant, path in self._colony.plan(seen)
        ]


def seen_in(view: Any) -> dict[str, Any]:
    """The observation, or the same made from a view."""
    return observation_from_view(view) if "ants" in view else view


def board_of(seen: dict[str, Any]) -> Board:
    """The board that the observation is of."""
    return Board.hexagon(int(seen["radius"][0]), dialect="odd-r")


BOTS: Final[dict[str, Callable[..., Any]]] = {"idle": Idle, "random": Random, "greedy": Greedy}
