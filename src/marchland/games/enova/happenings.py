"""What units do and what happens to them, by the numbers that the phases of a turn share."""

from typing import Final

from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.games.enova.state import NOBODY
from marchland.games.enova.terrain import CASTLE
from marchland.kernels import kernel

# What the units on a tile do; from MOVING on, a number for each direction.
IDLE: Final = 0
DEFENDING: Final = 1
SUPPORTING: Final = 2
MOVING: Final = 3

# Events, by their place in `scene.EVENTS`.
MOVED, BATTLE, FORCE, ROLL, DREW_LOTS, WON, KILLED, CAPTURED, RETREATED, ROUTED, ELIMINATED, PRODUCED = range(12)


@kernel
def take(cells, players, board, cell, player, events):
    """``cell`` has a new owner."""
    former = cells.owner[cell]
    if former != NOBODY:
        players.tiles[former] -= 1
    players.tiles[player] += 1
    if cells.terrain[cell] == CASTLE:
        if former != NOBODY:
            players.castles[former] -= 1
        players.castles[player] += 1
    cells.owner[cell] = player
    if len(events) > 1:  # to name tiles that nobody will read of takes time
        emit(events, CAPTURED, code_of(board, cell), player, former)
