"""Kernels about what several viewers see together."""

from marchland.board.cells import disk_row, disk_rows, onward
from marchland.board.tables import Ints, Tables
from marchland.kernels import kernel


@kernel
def visible(tables: Tables, viewers: Ints, radii: Ints, count: int, seen: Ints, stamp: int, out: Ints) -> int:
    """Write each cell within ``radii[i]`` of ``viewers[i]``, i < count, once to ``out``; return how many.

    In order of discovery: viewer by viewer, ascending within each. ``seen`` (an int per cell) never needs
    clearing if every call comes with a ``stamp`` that it does not hold yet, e.g. 1, 2, 3, ... over zeros.
    """
    found = 0
    for i in range(count):
        row, rows, row_gap, row_after = disk_rows(tables, viewers[i], radii[i])
        for _ in range(rows):
            place, columns, gap, after = disk_row(tables, viewers[i], radii[i], row)
            for _ in range(columns):
                cell = tables.lookup[place]
                if cell >= 0 and seen[cell] != stamp:
                    seen[cell] = stamp
                    out[found] = cell
                    found += 1
                place = onward(place, gap, after)
            row = onward(row, row_gap, row_after)
    return found
