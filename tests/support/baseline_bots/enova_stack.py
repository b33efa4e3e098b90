"""A rival for Enova's `greedy`: all units gather in one stack, which strikes what it outnumbers."""

from typing import Any

import numpy as np

from marchland.board import Board
from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE


class Bot(BuiltinBot):
    """Takes free castles while it is small, then marches on the nearest enemy castle with everything at once."""

    def play(self, view: Any) -> Orders:
        width, height = (int(side) for side in view["size"])
        board = Board.square(width, height, wrap=bool(view["torus"][0]), diagonals=bool(view["diagonals"][0]))
        me, owner, units = int(view["me"][0]), view["owner"], view["units"]
        passable = np.where(view["terrain"] == IMPASSABLE, -1, 1).astype(np.int32)
        armies = np.flatnonzero((owner == me) & (units > 0)).tolist()
        castles = view["terrain"] == CASTLE
        free = np.flatnonzero(castles & (owner == NO_PLAYER)).tolist()
        foreign = (owner != me) & (owner != NO_PLAYER)
        enemies = np.flatnonzero(castles & foreign).tolist() or np.flatnonzero(foreign & (units > 0)).tolist()
        if not armies or not enemies:
            return []
        stack = max(armies, key=lambda cell: units[cell])
        to_stack = board.field([stack], passable)
        to_enemy = board.field(enemies, passable)
        to_free = board.field(free, passable) if free else np.full(board.size, -1)
        orders = []
        for army in armies:
            at = list(board.at(army))
            field = to_free if 0 <= to_free[army] <= 4 else to_enemy if army == stack else to_stack
            steps = [cell for cell in board.neighbours(army) if 0 <= field[cell] < field[army]]
            to = min(steps, key=lambda cell: (field[cell], -units[cell]), default=None)
            if to is None or (foreign[to] and 2 * units[to] >= units[army]):
                orders.append({"do": "defend", "at": at})
            else:
                orders.append({"do": "move", "from": at, "to": list(board.at(to))})
        return orders
