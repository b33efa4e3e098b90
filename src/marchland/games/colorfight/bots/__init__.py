"""The bots of Colorfight."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.builtin_bots import BuiltinBot, Idle, Orders
from marchland.games.colorfight.bots.greedy import Seen, greedy_orders
from marchland.games.colorfight.rules.orders import ATTACK, BUILD
from marchland.games.colorfight.rules.state import BUILDINGS, EMPTY, FORTRESS, HOME
from marchland.games.colorfight.views import observation_from_view

Observation = dict[str, npt.NDArray[Any]]

_SEEN: Final = (
    "owner",
    "building",
    "level",
    "force_field",
    "natural_cost",
    "natural_gold",
    "natural_energy",
    "player_energy",
    "player_gold",
    "player_tech_level",
    "player_energy_source",
    "player_resource_buildings",
)
"""The arrays of an observation, in the order of `Seen`."""


class Random(BuiltinBot):
    """Attacks random neighbours with random energy and now and then builds something."""

    def play(self, view: Any) -> Orders:
        """A handful of random orders, most of them possible."""
        seen = to_observation(view)
        board, me = board_of(seen), int(seen["me"][0])
        own = np.flatnonzero(seen["owner"] == me).tolist()
        if not own:
            return []
        energy, orders = int(seen["player_energy"][me]), []
        for _ in range(self.random.randint(1, 8)):
            cell = self.random.choice(board.neighbours(self.random.choice(own)))
            if energy > 0:
                spent = self.random.randint(1, min(energy, 400))
                orders.append({"do": "attack", "at": list(board.at(cell)), "energy": spent})
                energy -= spent
        if seen["player_gold"][me] >= 200:
            cell = self.random.choice(own)
            if seen["building"][cell] == EMPTY:
                building = BUILDINGS[self.random.randint(HOME + 1, FORTRESS)]
                orders.append({"do": "build", "at": list(board.at(cell)), "building": building})
            else:
                orders.append({"do": "upgrade", "at": list(board.at(cell))})
        return orders


class Greedy(BuiltinBot):
    """Takes what pays best, builds where it still pays back, upgrades its home and keeps a guard on it."""

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        seen = to_observation(view)
        board = board_of(seen)
        return [_order(board, *(int(value) for value in row)) for row in self.rows(seen, board)]

    def rows(self, seen: Observation, board: Board) -> npt.NDArray[np.int64]:
        """The same as rows of verb, cell and number, which a thousand players on a million cells can afford."""
        own = self._shuffle(np.flatnonzero(seen["owner"] == seen["me"][0]))
        out = np.zeros((4 * len(own) + 64) * 3, np.int64)
        scratch = np.zeros((2, 4 * len(own) + 1), np.int64)
        count = greedy_orders(
            board.tables,
            Seen(*(seen[name] for name in _SEEN)),
            own,
            self._shuffle(np.flatnonzero(seen["building"] == HOME)),
            int(seen["me"][0]),
            int(seen["max_turn"][0] - seen["turn"][0]),
            scratch[0],
            scratch[1],
            np.frombuffer(self.random.randbytes(scratch.shape[1]), np.uint8),
            out,
            seen["rules"],
        )
        return out[: 3 * count].reshape(-1, 3)

    def _shuffle(self, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """The cells in random order, so that the first of equals is none in particular."""
        keys = np.frombuffer(self.random.randbytes(4 * len(cells)), np.uint32)
        return cells[np.argsort(keys)].astype(np.int32)


def to_observation(view: Any) -> Observation:
    """The observation, or the same made from a view."""
    return observation_from_view(view) if "game_map" in view else view


def board_of(seen: Observation) -> Board:
    """The board that the observation is of."""
    width, height = (int(side) for side in seen["size"])
    return Board.square(width, height)


def _order(board: Board, verb: int, cell: int, number: int) -> dict[str, Any]:
    at = list(board.at(cell))
    if verb == ATTACK:
        return {"do": "attack", "at": at, "energy": number}
    if verb == BUILD:
        return {"do": "build", "at": at, "building": BUILDINGS[number]}
    return {"do": "upgrade", "at": at}


BOTS: Final[dict[str, Callable[..., Any]]] = {"idle": Idle, "random": Random, "greedy": Greedy}
