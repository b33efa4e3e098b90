"""What no board can be made of, and the sentence that says so."""

from typing import Any

import pytest

from marchland.board import Board


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([], "A board needs at least one cell"),
        ([[0, 0], [1, 1], [0, 0]], r"The cell \[0, 0\] is given twice"),
        ([[0, 0], [10**30, 0]], "A coordinate is too large"),
        ([[0, 0], [10**8, 10**8]], "The cells lie too far apart"),
        ([[0, 0, 0]], "a list of pairs of whole numbers"),
        ([[0, 0], [1]], "a list of pairs of whole numbers"),
        ([[0.5, 0]], "a list of pairs of whole numbers"),
        ([[None, 0]], "a list of pairs of whole numbers"),
        ([["a", 0]], "a list of pairs of whole numbers"),
    ],
)
def test_impossible_sets_of_cells_are_refused(cells: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Board.of_cells("square", cells, dialect="xy")


def test_doubled_cells_of_odd_sum_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\] is no cell in 'doubled' coordinates: row \+ column must be even"):
        Board.of_cells("hex", [[0, 0], [0, 1]], dialect="doubled")


def test_hexes_have_no_diagonals() -> None:
    with pytest.raises(ValueError, match="A hex board has no diagonals"):
        Board.of_cells("hex", [[0, 0]], dialect="axial", diagonals=True)


def test_a_board_without_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="A board of 0 x 3 has no cells"):
        Board.square(0, 3)
    with pytest.raises(ValueError, match="radius must be at least 0"):
        Board.hexagon(-1)


def test_a_giant_board_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(ValueError, match="A board may span 67108864 places"):
        Board.square(10**6, 10**6)
    with pytest.raises(ValueError, match="A board may span 67108864 places"):
        Board.hexagon(10**9)


@pytest.mark.parametrize(("width", "height"), [(2, 5), (5, 2), (1, 1)])
def test_a_torus_needs_three_cells_a_side(width: int, height: int) -> None:
    with pytest.raises(ValueError, match=r"cannot wrap.*at least 3"):
        Board.square(width, height, wrap=True)


def test_a_hex_torus_needs_an_even_height() -> None:
    with pytest.raises(ValueError, match="the height must be even"):
        Board.hex_rectangle(4, 5, wrap=True)


def test_a_cell_off_the_board_is_refused() -> None:
    board = Board.square(3, 3)
    for ask in (board.at, board.neighbours, lambda cell: board.disk(cell, 1), lambda cell: board.distance(0, cell)):
        for cell in (-1, 9):
            with pytest.raises(IndexError, match=f"There is no cell {cell}: this board has the cells 0 to 8"):
                ask(cell)


def test_a_cost_of_the_wrong_kind_is_refused() -> None:
    board = Board.square(3, 3)
    for cost in ([1, 1], [0.5] * 9):
        with pytest.raises(ValueError, match="The cost must be 9 whole numbers"):
            board.field([0], cost)
    with pytest.raises(ValueError, match="entering one may cost 2147483647 at most"):
        board.path(0, 8, [2**31] * 9)
