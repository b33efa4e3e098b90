"""A tile changes hands."""

from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.events import CAPTURED
from marchland.games.enova.rules.terrain import CASTLE
from marchland.kernels import kernel


@kernel
def capture(cells, players, board, cell, player, events):
    """Make ``player`` the owner of ``cell``."""
    former = cells.owner[cell]
    if former != NO_PLAYER:
        players.tiles[former] -= 1
    players.tiles[player] += 1
    if cells.terrain[cell] == CASTLE:
        if former != NO_PLAYER:
            players.castles[former] -= 1
        players.castles[player] += 1
    cells.owner[cell] = player
    if len(events) > 1:  # a tile's code takes time to compute
        emit(events, CAPTURED, code_of(board, cell), player, former)
