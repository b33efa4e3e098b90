"""What many eyes see together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from marchland.board import Board
from marchland.board.sight import visible
from tests.support.board_strategies import boards, modest


@modest
@given(boards, st.data())
def test_sight_is_the_union_of_the_disks_each_cell_once(board: Board, data: st.DataObject) -> None:
    seen, out = np.zeros(board.size, np.int32), np.empty(board.size, np.int32)
    for stamp in (1, 2):  # the second look needs no clearing
        eyes = data.draw(st.lists(st.tuples(st.integers(0, board.size - 1), st.integers(-1, 4)), max_size=4))
        viewers, radii = np.array([*eyes, (0, 9)], np.int32).T.copy()  # the last one is past the count
        arrays = viewers, radii
        count = visible(board.tables, *arrays, len(eyes), seen, stamp, out)
        discovered = dict.fromkeys(cell for eye, radius in eyes for cell in board.disk(eye, radius).tolist())
        assert out[:count].tolist() == list(discovered)
