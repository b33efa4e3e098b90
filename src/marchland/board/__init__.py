"""Geometry: boards of squares or hexes as flat cells, with neighbours, distances, disks, paths and dialects.

    board = Board.hexagon(5)
    board.path(board.index(-5, 0), board.index(5, 0))

Kernels take ``board.tables`` and live in ``cells``, ``reach`` and ``sight``; importing this package does not load
LLVM, importing those does.
"""

from marchland.board.board import Board
from marchland.board.dialects import DIALECTS, Dialect, Topology
from marchland.board.tables import Ints, Longs, Tables

__all__ = ["DIALECTS", "Board", "Dialect", "Ints", "Longs", "Tables", "Topology"]
