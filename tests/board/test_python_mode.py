"""The same kernels run as plain Python and find the same."""

import os
import subprocess
import sys

import numpy as np

from marchland.board import Board
from marchland.board.cells import cell_at
from marchland.board.sight import visible


def tour() -> str:
    """A bit of everything, as text."""
    findings: list[object] = []
    holed = [(q, r) for q in range(-3, 4) for r in range(-3, 4) if (q * r) % 3 != 2]
    for board in (
        Board.square(6, 5),
        Board.square(5, 4, wrap=True, diagonals=True),
        Board.hex_rectangle(5, 6, wrap=True),
        Board.of_cells("hex", holed, dialect="axial"),
    ):
        cost = [cell % 4 - (cell % 7 == 3) for cell in range(board.size)]
        seen, out = np.zeros(board.size, np.int32), np.empty(board.size, np.int32)
        eyes = np.array([1, 9, 2], np.int32)
        sight = visible(board.tables, eyes, eyes, 3, seen, 1, out)
        findings += [board.digest, [board.distance(7, cell) for cell in range(board.size)]]
        findings += [board.disk(8, 2).tolist(), board.ring(8, 3).tolist(), out[:sight].tolist()]
        findings += [int(cell_at(board.tables, p, r)) for p in (-9, 2) for r in (-5, 3)]
        findings += [board.field([0, 11], cost).tolist(), board.path(2, board.size - 1, cost)]
    return repr(findings)


def test_kernels_find_the_same_in_python_mode() -> None:
    environment = {**os.environ, "MARCHLAND_KERNELS": "python"}
    plain = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True, check=True)
    assert plain.stdout.strip() == tour()


if __name__ == "__main__":
    print(tour())
