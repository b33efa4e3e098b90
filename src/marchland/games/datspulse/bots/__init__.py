"""The bots of DatsPulse."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from marchland.board import Board
from marchland.core.builtin_bots import BuiltinBot, Idle, Orders
from marchland.games.datspulse.bots.colony import Colony
from marchland.games.datspulse.observations import observation_from_view


class Random(BuiltinBot):
    """Sends every ant some way at random."""

    def play(self, view: Any) -> Orders:
        """A random way for each ant, up to as long as it can go."""
        seen = to_observation(view)
        board = board_of(seen)
        orders = []
        for row in np.flatnonzero(seen["ant_health"]).tolist():
            cell, path = int(seen["ant_cell"][row]), []
            for _ in range(self.random.randint(1, int(seen["speed"][seen["ant_kind"][row]]))):
                cell = self.random.choice(board.neighbours(cell))
                path.append(list(board.at(cell)))
            orders.append({"do": "move", "ant": int(seen["ant_id"][row]), "path": path})
        return orders


class Greedy(BuiltinBot):
    """Fetches what brings most calories a turn, closes its nest with soldiers, and raids nests that are open."""

    def __init__(self, seed: int | None = 0) -> None:
        super().__init__(seed)
        self._colony: Colony | None = None

    def play(self, view: Any) -> Orders:
        """The orders of this turn; what it has seen before, it remembers."""
        seen = to_observation(view)
        board = board_of(seen)
        if self._colony is None or self._colony.is_of_another_match(seen):
            self._colony = Colony(board, seen)
        noise = np.frombuffer(self.random.randbytes(max(board.size, len(seen["ant_id"]))), np.uint8)
        return self._colony.orders(seen, noise)


def to_observation(view: Any) -> dict[str, Any]:
    """The observation, or the same made from a view."""
    return observation_from_view(view) if "ants" in view else view


def board_of(seen: dict[str, Any]) -> Board:
    """The board that the observation is of."""
    return Board.hexagon(int(seen["radius"][0]), dialect="odd-r")


BOTS: Final[dict[str, Callable[..., Any]]] = {"idle": Idle, "random": Random, "greedy": Greedy}
