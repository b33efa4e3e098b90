"""Boards of every kind for hypothesis, and the plainest way to do what the kernels do."""

import heapq
from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st

from marchland.board import Board

modest = settings(max_examples=60)

sides = st.integers(1, 7)
torus_sides = st.integers(3, 8)
hex_dialects = st.sampled_from(["axial", "odd-r", "doubled"])

tori = st.one_of(
    st.builds(Board.square, torus_sides, torus_sides, wrap=st.just(True), diagonals=st.booleans()),
    st.builds(Board.hex_rectangle, torus_sides, st.sampled_from([4, 6, 8]), dialect=hex_dialects, wrap=st.just(True)),
)
whole_boards = st.one_of(
    st.builds(Board.square, sides, sides, diagonals=st.booleans()),
    st.builds(Board.hexagon, st.integers(0, 4), dialect=hex_dialects),
    st.builds(Board.hex_rectangle, sides, sides, dialect=hex_dialects),
    tori,
)


@st.composite
def torn_boards(draw: st.DrawFn) -> Board:
    """Any set of cells, usually with holes, anywhere on the plane."""
    name = draw(st.sampled_from(["xy", "axial", "odd-r", "doubled"]))
    around = draw(st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000)))
    offsets = draw(st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1))
    pairs = [(around[0] + a, around[1] + b) for a, b in offsets]
    if name == "doubled":
        pairs = [(a, 2 * b + a) for a, b in pairs]
    if name == "xy":
        return Board.of_cells("square", pairs, dialect=name, diagonals=draw(st.booleans()))
    return Board.of_cells("hex", pairs, dialect=name)


boards = st.one_of(whole_boards, torn_boards())


@st.composite
def boards_with_cell(draw: st.DrawFn) -> tuple[Board, int]:
    """A board and one of its cells."""
    board = draw(boards)
    return board, draw(st.integers(0, board.size - 1))


@st.composite
def walks(draw: st.DrawFn) -> tuple[Board, list[int], list[int]]:
    """A board, a cost for each cell (some impassable, some free) and a few cells to start from."""
    board = draw(boards)
    cost = draw(st.lists(st.integers(-1, 3), min_size=board.size, max_size=board.size))
    return board, cost, draw(st.lists(st.integers(0, board.size - 1), min_size=1, max_size=3))


def plain_field(board: Board, sources: Sequence[int], cost: Sequence[int] | None = None) -> list[int]:
    """Dijkstra as in a textbook."""
    cost = cost or [1] * board.size
    field = [-1] * board.size
    queue = [(0, cell) for cell in sources]
    heapq.heapify(queue)
    while queue:
        spent, cell = heapq.heappop(queue)
        if field[cell] >= 0:
            continue
        field[cell] = spent
        for other in board.neighbours(cell):
            if cost[other] >= 0:
                heapq.heappush(queue, (spent + cost[other], other))
    return field
