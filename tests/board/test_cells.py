"""Distances, disks and rings against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchland.board import Board
from marchland.board.cells import cell_at, disk, neighbour
from tests.support.board_strategies import boards_with_cell, modest, plain_field, tori, whole_boards

radii = st.integers(-1, 9)


@modest
@given(whole_boards, st.data())
def test_distance_is_the_number_of_steps_on_a_board_without_holes(board: Board, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, board.size - 1))
    assert [board.distance(start, cell) for cell in range(board.size)] == plain_field(board, [start])


def test_distance_ignores_holes() -> None:
    board = Board.of_cells("square", [(0, 0), (5, 0), (5, 7)], dialect="xy")
    assert board.distance(0, 1) == 5
    assert board.distance(0, 2) == 12


@modest
@given(boards_with_cell(), radii)
def test_a_disk_holds_the_cells_within_its_radius_in_order(place: tuple[Board, int], radius: int) -> None:
    board, cell = place
    within = [other for other in range(board.size) if board.distance(cell, other) <= radius]
    assert board.disk(cell, radius).tolist() == within


@modest
@given(boards_with_cell(), radii)
def test_a_ring_holds_the_cells_at_its_radius_in_order(place: tuple[Board, int], radius: int) -> None:
    board, cell = place
    exactly = [other for other in range(board.size) if board.distance(cell, other) == radius]
    assert board.ring(cell, radius).tolist() == exactly


@pytest.mark.parametrize("radius", range(6))
def test_disks_have_their_known_sizes(radius: int) -> None:
    hexes, squares, diagonal = Board.hexagon(12), Board.square(25, 25), Board.square(25, 25, diagonals=True)
    assert len(hexes.disk(hexes.index(2, -3), radius)) == 1 + 3 * radius * (radius + 1)
    assert len(squares.disk(squares.index(12, 12), radius)) == 2 * radius * (radius + 1) + 1
    assert len(diagonal.disk(diagonal.index(12, 12), radius)) == (2 * radius + 1) ** 2


def test_a_boundless_disk_is_the_whole_board() -> None:
    for board in (Board.hexagon(4), Board.square(5, 7, wrap=True)):
        assert board.disk(3, 10**30).tolist() == list(range(board.size))


@modest
@given(boards_with_cell(), st.integers(-6, 6), st.integers(-6, 6))
def test_frame_coordinates_lead_to_cells_as_neighbours_do(place: tuple[Board, int], dp: int, dr: int) -> None:
    board, cell = place
    p, r = board.dialect.to_frame(*board.at(cell))
    assert cell_at(board.tables, p, r) == cell
    for direction, other in enumerate(board.tables.neighbours[cell * board.degree : (cell + 1) * board.degree]):
        assert neighbour(board.tables, cell, direction) == other
    if not board.wrap:
        assert cell_at(board.tables, p + dp, r + dr) == board.index(*board.dialect.from_frame(p + dp, r + dr))


@modest
@given(tori, st.integers(-40, 40), st.integers(-40, 40))
def test_frame_coordinates_on_a_torus_are_endless(board: Board, p: int, r: int) -> None:
    east = board.directions.index("E")
    south = board.directions.index("SE" if board.topology == "hex" else "S")
    cell = cell_at(board.tables, p, r)
    assert cell_at(board.tables, p + 1, r) == neighbour(board.tables, cell, east)
    assert cell_at(board.tables, p, r + 1) == neighbour(board.tables, cell, south)


def test_a_disk_does_not_write_past_its_cells() -> None:
    board = Board.hexagon(3)
    out = np.full(20, -7, np.int32)
    assert disk(board.tables, board.index(0, 0), 1, out) == 7
    assert out[7:].tolist() == [-7] * 13
