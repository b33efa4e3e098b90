"""The bot `greedy` of Colorfight before it was rewritten: a baseline for comparisons, not maintained."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from colorfight_plan import Seen, greedy_orders  # type: ignore[import-not-found]  # found beside this file

from marchland.board import Board
from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.games.colorfight.rules.orders import ATTACK, BUILD
from marchland.games.colorfight.rules.state import BUILDINGS
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
)


class Bot(BuiltinBot):
    """Takes what pays best, builds where it still pays back, upgrades its home and keeps a guard on it."""

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        seen = to_observation(view)
        board = board_of(seen)
        return [_order(board, *(int(value) for value in row)) for row in self.rows(seen, board)]

    def rows(self, seen: Observation, board: Board) -> npt.NDArray[np.int64]:
        """The same as rows of verb, cell and number, which a thousand players on a million cells can afford."""
        own = np.flatnonzero(seen["owner"] == seen["me"][0]).astype(np.int32)
        out = np.zeros((4 * len(own) + 64) * 3, np.int64)
        scratch = np.zeros((2, 4 * len(own) + 1), np.int64)
        count = greedy_orders(
            board.tables,
            Seen(*(seen[name] for name in _SEEN)),
            own,
            int(seen["me"][0]),
            int(seen["max_turn"][0] - seen["turn"][0]),
            scratch[0],
            scratch[1],
            out,
            seen["rules"],
        )
        return out[: 3 * count].reshape(-1, 3)


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
