"""Which cells a board has, what they are called, who lies next to whom, and when two boards are one."""

import numpy as np
import pytest
from hypothesis import given

from marchland.board import Board
from tests.support.board_strategies import boards, modest, tori


def offsets(board: Board, a: int, b: int) -> list[tuple[int, int]]:
    """What the neighbours of (a, b) add to it, in direction order."""
    return [(x - a, y - b) for x, y in map(board.at, board.neighbours(board.index(a, b)))]


def test_squares_are_numbered_row_by_row() -> None:
    board = Board.square(4, 3)
    assert board.size == 12
    assert board.index(3, 1) == 1 * 4 + 3
    assert board.at(7) == (3, 1)


@modest
@given(boards)
def test_a_cell_is_found_by_its_coordinates_again(board: Board) -> None:
    assert [board.index(*board.at(cell)) for cell in range(board.size)] == list(range(board.size))


@modest
@given(boards)
def test_cells_are_numbered_in_row_major_order_of_the_frame(board: Board) -> None:
    rows = [board.dialect.to_frame(*board.at(cell))[::-1] for cell in range(board.size)]
    assert rows == sorted(rows)


@pytest.mark.parametrize("pair", [(-1, 0), (5, 0), (0, 5), (10**40, -(10**40)), (-(10**40), 0)])
def test_coordinates_off_the_board_name_no_cell(pair: tuple[int, int]) -> None:
    assert Board.square(5, 5).index(*pair) == -1
    assert Board.square(5, 5, wrap=True).index(*pair) == -1
    assert Board.hex_rectangle(5, 4).index(*pair) == -1


def test_a_doubled_pair_of_odd_sum_names_no_cell() -> None:
    board = Board.hexagon(3, dialect="doubled")
    assert board.index(0, 1) == -1
    assert board.index(1, 1) >= 0


def test_a_hole_is_no_cell() -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    board = Board.of_cells("square", ring, dialect="xy")
    assert board.index(1, 1) == -1
    assert board.neighbours(board.index(1, 0)) == [board.index(2, 0), board.index(0, 0)]


def test_square_neighbours_go_clockwise_from_north() -> None:
    assert offsets(Board.square(3, 3), 1, 1) == [(0, -1), (1, 0), (0, 1), (-1, 0)]
    assert Board.square(3, 3).directions == ("N", "E", "S", "W")


def test_diagonal_neighbours_go_clockwise_from_north() -> None:
    clockwise = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
    assert offsets(Board.square(3, 3, diagonals=True), 1, 1) == clockwise


def test_axial_neighbours_are_the_published_ones_in_order() -> None:
    assert offsets(Board.hexagon(1), 0, 0) == [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert Board.hexagon(1).directions == ("E", "SE", "SW", "W", "NW", "NE")


@pytest.mark.parametrize("row", [2, -2])
def test_odd_r_neighbours_of_even_rows_are_the_published_ones(row: int) -> None:
    published = {(1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)}
    assert set(offsets(Board.hexagon(5, dialect="odd-r"), 1, row)) == published


@pytest.mark.parametrize("row", [1, -1])
def test_odd_r_neighbours_of_odd_rows_are_the_published_ones(row: int) -> None:
    published = {(1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1)}
    assert set(offsets(Board.hexagon(5, dialect="odd-r"), 1, row)) == published


def test_doubled_neighbours_are_the_published_ones_in_order() -> None:
    published = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)]
    assert offsets(Board.hexagon(3, dialect="doubled"), -1, 1) == published


@modest
@given(boards)
def test_the_way_back_is_the_opposite_direction(board: Board) -> None:
    table = np.asarray(board.tables.neighbours).reshape(board.size, board.degree)
    for direction in range(board.degree):
        for cell, other in enumerate(table[:, direction]):
            assert other < 0 or table[other, (direction + board.degree // 2) % board.degree] == cell


@modest
@given(tori)
def test_every_cell_of_a_torus_has_all_neighbours_once(board: Board) -> None:
    for cell in range(board.size):
        around = board.neighbours(cell)
        assert len(set(around) - {cell}) == board.degree


def test_equal_boards_have_equal_digests() -> None:
    shuffled = [(x, y) for x in (2, 0, 1) for y in (1, 0)]
    given_cells = Board.of_cells("square", shuffled, dialect="xy")
    assert given_cells.digest == Board.square(3, 2).digest
    assert given_cells == Board.square(3, 2) and hash(given_cells) == hash(Board.square(3, 2))


def test_different_boards_have_different_digests() -> None:
    different = [
        Board.square(4, 6),
        Board.square(6, 4),
        Board.square(4, 6, wrap=True),
        Board.square(4, 6, diagonals=True),
        Board.hex_rectangle(4, 6),
        Board.hex_rectangle(4, 6, wrap=True),
        Board.hex_rectangle(4, 6, dialect="axial"),
        Board.of_cells("square", [(x, y) for x in range(4) for y in range(6) if x + y], dialect="xy"),
        Board.hexagon(2),
    ]
    assert len({board.digest for board in different}) == len(different)


def test_the_digest_is_the_same_on_every_machine() -> None:
    assert Board.square(3, 2).digest == "39523adf4666c35f659891bdffc5f8f8"


def test_matches_share_one_board() -> None:
    assert Board.square(9, 9) is Board.square(9, 9)


def test_a_board_cannot_be_changed() -> None:
    board = Board.square(3, 3)
    with pytest.raises(AttributeError):
        board.degree = 8  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        board.coords[0] = 7


def test_a_board_introduces_itself() -> None:
    assert repr(Board.hex_rectangle(4, 4, wrap=True)) == "<Board of 16 hex cells in 'odd-r', wrapped>"
