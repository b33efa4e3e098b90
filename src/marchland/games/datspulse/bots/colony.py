"""A greedy player between its turns: its memory of one match."""

from typing import Any

import numpy as np

from marchland.board import Board
from marchland.core.builtin_bots import Orders
from marchland.games.datspulse.bots.greedy import plan
from marchland.games.datspulse.bots.memory import Ants, Rules, Seen, new_memory, new_scratch
from marchland.games.datspulse.rules.state import MOST_STEPS


class Colony:
    """One team's memory and plans."""

    def __init__(self, board: Board, seen: dict[str, Any]) -> None:
        self._board, self._home, self._turn = board, seen["home"].tolist(), -1
        self._memory = new_memory(board.size)
        self._scratch = new_scratch(board.size, len(seen["ant_id"]))
        self._out = np.zeros((2 + MOST_STEPS) * len(seen["ant_id"]), np.int64)

    def is_of_another_match(self, seen: dict[str, Any]) -> bool:
        """Whether this colony's memory says nothing about what is seen now."""
        return (
            int(seen["turn"][0]) <= self._turn
            or seen["home"].tolist() != self._home
            or len(seen["terrain"]) != self._board.size
        )

    def orders(self, seen: dict[str, Any], noise: Any) -> Orders:
        """The orders of this turn; ``noise`` has a random byte for each hex, which decides between equals."""
        self._turn = int(seen["turn"][0])
        rules = Rules(
            seen["home"],
            seen["speed"],
            seen["capacity"],
            int(seen["dirt_cost"][0]),
            self._turn,
            int(seen["max_turn"][0]) - self._turn + 1,
        )
        written = plan(
            self._board.tables,
            Seen(*(seen[name] for name in Seen._fields)),
            Ants(*(seen[f"ant_{name}"] for name in Ants._fields)),
            self._memory,
            self._scratch,
            rules,
            noise,
            self._out,
        )
        return self._as_orders(self._out[:written], seen["ant_id"].tolist())

    def _as_orders(self, plans: Any, ids: list[int]) -> Orders:
        orders: Orders = []
        numbers, coords = plans.tolist(), self._board.coords[plans].tolist()
        at = 0
        while at < len(numbers):
            row, steps = numbers[at : at + 2]
            orders.append({"do": "move", "ant": ids[row], "path": coords[at + 2 : at + 2 + steps]})
            at += 2 + steps
        return orders
