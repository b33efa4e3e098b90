"""The bots of Enova."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from marchland.board import Board
from marchland.core.builtin_bots import BuiltinBot, Idle, Orders
from marchland.games.enova.bots.greedy import Map, plans
from marchland.games.enova.rules.orders import DEFEND, MOVE
from marchland.games.enova.rules.terrain import IMPASSABLE
from marchland.games.enova.views import Observation, observation_from_view


class Random(BuiltinBot):
    """Gives every army a random order: mostly it marches, with some or all of its units."""

    def play(self, view: Any) -> Orders:
        """An order for each army, all of them possible."""
        seen = to_observation(view)
        board = board_of(seen)
        armies = np.flatnonzero((seen["owner"] == seen["me"][0]) & (seen["units"] > 0)).tolist()
        return [self._order(seen, board, cell) for cell in armies]

    def _order(self, seen: Observation, board: Board, cell: int) -> dict[str, Any]:
        ways = [other for other in board.neighbours(cell) if seen["terrain"][other] != IMPASSABLE]
        verb = self.random.choice(["move", "move", "move", "defend", "support"]) if ways else "defend"
        if verb != "move":
            return {"do": verb, "at": list(board.at(cell))}
        units = self.random.randint(1, int(seen["units"][cell]))
        return {
            "do": "move",
            "from": list(board.at(cell)),
            "to": list(board.at(self.random.choice(ways))),
            "units": units,
        }


class Greedy(BuiltinBot):
    """Gathers in one host, strikes what it will likely beat, raids weak castles, and digs in under threat."""

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        seen = to_observation(view)
        board = board_of(seen)
        orders: Orders = []
        chance = np.frombuffer(self.random.randbytes(4 * board.size), np.uint32)
        for verb, cell, to, units in plans(Map(seen, board, chance)):
            at = list(board.at(cell))
            if verb == MOVE:
                some = {"units": units} if units else {}
                orders.append({"do": "move", "from": at, "to": list(board.at(to)), **some})
            else:
                orders.append({"do": "defend" if verb == DEFEND else "support", "at": at})
        return orders


def to_observation(view: Any) -> Observation:
    """The observation, or the same made from a view."""
    return observation_from_view(view) if "map" in view else view


def board_of(seen: Observation) -> Board:
    """The board that the observation is of."""
    width, height = (int(side) for side in seen["size"])
    return Board.square(width, height, wrap=bool(seen["torus"][0]), diagonals=bool(seen["diagonals"][0]))


BOTS: Final[dict[str, Callable[..., Any]]] = {"idle": Idle, "random": Random, "greedy": Greedy}
