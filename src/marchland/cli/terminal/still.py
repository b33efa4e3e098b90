"""One position of a match in rows and columns, ready to be drawn."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board import DIALECTS
from marchland.core.scene import grid_coordinates
from marchland.messages import BoardShape, Legend

if TYPE_CHECKING:
    from marchland.core.game import Game

Grid = npt.NDArray[np.int64]


class PlacedPiece(NamedTuple):
    """A piece and its place in the grid."""

    kind: int
    owner: int
    row: int
    column: int


class Still(NamedTuple):
    """Everything that a drawing needs."""

    legend: Legend
    turn: int
    names: list[str]
    players: list[list[int]]
    """For each player whether it lives, then its figures."""
    layers: list[Grid]
    """For each layer of the legend, rows of values."""
    cells: npt.NDArray[np.bool_]
    """Which places of the grid are cells of the board."""
    pieces: list[PlacedPiece]


def shape_of(board: BoardShape) -> tuple[int, int]:
    """Rows and columns of the board."""
    left, right, top, bottom = board.box
    return bottom - top + 1, right - left + 1


def still_of(game: "Game") -> Still:
    """The current position of a game."""
    legend, picture = game.legend(), game.picture()
    column, row = grid_coordinates(game.board)
    place = row - legend.board.box[2], column - legend.board.box[0]
    cells = np.zeros(shape_of(legend.board), np.bool_)
    cells[place] = True
    layers = []
    for values in picture.layers:
        grid = np.zeros(cells.shape, np.int64)
        grid[place] = values
        layers.append(grid)
    pieces = [place_piece(legend.board, numbers) for numbers in picture.pieces.values()]
    return Still(legend, game.turn, list(game.players), picture.players, layers, cells, pieces)


def place_piece(board: BoardShape, piece: Any) -> PlacedPiece:
    """A piece (kind, owner, two coordinates, numbers) at its row and column."""
    kind, owner, first, second = (int(number) for number in piece[:4])
    p, r = DIALECTS[board.dialect].to_frame(first, second)
    column, row = (p, r) if board.topology == "square" else DIALECTS["odd-r"].from_frame(p, r)
    return PlacedPiece(kind, owner, row - board.box[2], column - board.box[0])
