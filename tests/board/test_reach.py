"""Distance fields, paths and reachable cells against a textbook's Dijkstra."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchland.board import Board
from marchland.board.reach import cheapest_path, distance_field, reachable
from marchland.board.search import NO_LIMIT, scratch_for
from tests.support.board_strategies import modest, plain_field, walks

Walk = tuple[Board, list[int], list[int]]


def menu(board: Board, start: int, cost: list[int], budget: int) -> list[tuple[int, int, int]]:
    """What ``reachable`` finds, as (cell, cost, parent)."""
    cells, parents = np.empty((2, board.size), np.int32)
    costs = np.empty(board.size, np.int64)
    fares, scratch = np.array(cost, np.int32), scratch_for(board.size)
    outs = cells, costs, parents
    count = reachable(board.tables, start, fares, budget, scratch, *outs)
    return [(int(a), int(b), int(c)) for a, b, c in zip(cells[:count], costs, parents, strict=False)]


@modest
@given(walks())
def test_the_field_is_the_cheapest_cost_from_any_source(walk: Walk) -> None:
    board, cost, sources = walk
    assert board.field(sources, cost).tolist() == plain_field(board, sources, cost)


@modest
@given(walks(), st.data())
def test_the_field_is_right_where_every_cell_costs_one_step_or_is_impassable(walk: Walk, data: st.DataObject) -> None:
    board, _, sources = walk
    cost = data.draw(st.lists(st.sampled_from([1, 1, -1]), min_size=board.size, max_size=board.size))
    assert board.field(sources, cost).tolist() == plain_field(board, sources, cost)


@pytest.mark.parametrize("sources", [[-1], [0, 4], [2**40]])
def test_a_field_from_a_cell_that_is_not_there_is_refused(sources: list[int]) -> None:
    with pytest.raises(IndexError, match=f"There is no cell {sources[-1]}"):
        Board.square(2, 2).field(sources)


def test_a_field_without_sources_reaches_nothing() -> None:
    assert Board.square(2, 2).field([]).tolist() == [-1] * 4


@modest
@given(walks(), st.data())
def test_a_path_is_connected_and_costs_what_the_field_says(walk: Walk, data: st.DataObject) -> None:
    board, cost, (start, *_) = walk
    goal = data.draw(st.integers(0, board.size - 1))
    path, price = board.path(start, goal, cost), plain_field(board, [start], cost)[goal]
    if path is None:
        assert price == -1
        return
    assert sum(cost[cell] for cell in path) == price
    assert [start, *path][-1] == goal
    assert all(step in board.neighbours(cell) for cell, step in zip([start, *path], path, strict=False))
    assert len(set(path) | {start}) == len(path) + 1


@modest
@given(walks(), st.data())
def test_a_path_must_keep_within_its_limit(walk: Walk, data: st.DataObject) -> None:
    board, cost, (start, *_) = walk
    goal = data.draw(st.integers(0, board.size - 1))
    price = plain_field(board, [start], cost)[goal]
    if price > 0:
        assert board.path(start, goal, cost, limit=price) == board.path(start, goal, cost)
        assert board.path(start, goal, cost, limit=price - 1) is None


def test_of_equal_paths_the_last_step_comes_first_in_direction_order() -> None:
    board = Board.square(3, 3)
    assert board.path(0, 8) == [3, 6, 7, 8]  # E before S: the last step of each stretch is E where it can be
    assert board.path(8, 0) == [7, 6, 3, 0]  # N before W


def test_of_equally_cheap_paths_the_one_of_fewest_steps_wins() -> None:
    board = Board.square(3, 2)
    assert board.path(0, 2, [0] * 6) == [1, 2]
    assert board.path(0, 2, [0, 5, 0, 0, 0, 0]) == [3, 4, 5, 2]


def test_the_way_to_the_start_itself_is_empty() -> None:
    assert Board.square(3, 3).path(4, 4, [-1] * 9) == []


@modest
@given(walks(), st.integers(0, 6))
def test_the_menu_lists_every_cell_within_the_budget_with_its_cost(walk: Walk, budget: int) -> None:
    board, cost, (start, *_) = walk
    field = plain_field(board, [start], cost)
    found = menu(board, start, cost, budget)
    assert {cell: price for cell, price, _ in found} == {c: f for c, f in enumerate(field) if 0 <= f <= budget}
    assert [price for _, price, _ in found] == sorted(price for _, price, _ in found)


@modest
@given(walks(), st.integers(0, 6))
def test_following_the_parents_back_gives_the_cheapest_path(walk: Walk, budget: int) -> None:
    board, cost, (start, *_) = walk
    found = menu(board, start, cost, budget)
    parents = {cell: parent for cell, _, parent in found}
    assert found[0] == (start, 0, -1)
    for goal in parents:
        path, cell = [], goal
        while cell != start:
            path.append(cell)
            cell = parents[cell]
        assert path[::-1] == board.path(start, goal, cost)


@modest
@given(walks())
def test_scratch_serves_search_after_search(walk: Walk) -> None:
    board, cost, sources = walk
    scratch, fares = scratch_for(board.size), np.array(cost, np.int32)
    field, path = np.empty(board.size, np.int64), np.empty(board.size, np.int32)
    cheapest_path(board.tables, sources[0], board.size // 2, fares, NO_LIMIT, scratch, path)
    starts = np.array(sources, np.int32)
    reached = distance_field(board.tables, starts, fares, field, scratch)
    assert field.tolist() == plain_field(board, sources, cost)
    assert reached == np.count_nonzero(field >= 0)
    assert set(scratch.key) == {-1}


def test_a_dear_board_does_not_overflow() -> None:
    board = Board.square(100, 1)
    assert board.field([0], [2**31 - 1] * 100)[99] == 99 * (2**31 - 1)
