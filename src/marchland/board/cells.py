"""Kernels about single cells: which are adjacent, how far apart, and which cells a disk holds."""

from marchland.board.tables import DEGREE, HEIGHT, LEFT, SLANT, SLOPE_A, SLOPE_B, TOP, WIDTH, WRAP, Ints, Tables, cut
from marchland.kernels import kernel

_cut = kernel(cut)


@kernel
def open_tables(flat: Ints) -> Tables:
    """The tables by name, inside a kernel."""
    neighbours, axes, images, frame, lookup, shape = _cut(flat)
    return Tables(neighbours, axes, images, frame, lookup, shape)


@kernel
def neighbour(tables: Tables, cell: int, direction: int) -> int:
    """The cell next to ``cell`` in that direction, or -1."""
    other: int = tables.neighbours[cell * tables.shape[DEGREE] + direction]
    return other


@kernel
def cell_at(tables: Tables, p: int, r: int) -> int:
    """The cell at frame coordinates (p, r), or -1; a torus is endless."""
    shape = tables.shape
    width, height = shape[WIDTH], shape[HEIGHT]
    row = r - shape[TOP]
    column = p + shape[SLANT] * (r >> 1) - shape[LEFT]
    if shape[WRAP]:
        row %= height
        column %= width
    elif row < 0 or row >= height or column < 0 or column >= width:
        return -1
    cell: int = tables.lookup[row * width + column]
    return cell


@kernel
def distance(tables: Tables, a: int, b: int) -> int:
    """Steps from a to b in a straight line, over holes as well, by the shortest way round."""
    axes, images = tables.axes, tables.images
    x = axes[3 * a] - axes[3 * b]
    y = axes[3 * a + 1] - axes[3 * b + 1]
    z = axes[3 * a + 2] - axes[3 * b + 2]
    nearest: int = max(abs(x), abs(y), abs(z))
    for i in range(3, len(images), 3):
        nearest = min(nearest, max(abs(x + images[i]), abs(y + images[i + 1]), abs(z + images[i + 2])))
    return nearest


@kernel
def stretch(low: int, high: int, length: int, wrap: int) -> tuple[int, int, int, int]:
    """The places low..high of a line that exist, ascending: the first, how many, and a gap with the place after it."""
    if low > high:
        return 0, 0, -1, -1
    if not wrap:
        low, high = max(low, 0), min(high, length - 1)
        return low, high - low + 1, -1, -1
    if high - low + 1 >= length:
        return 0, length, -1, -1
    count, low, high = high - low + 1, low % length, high % length
    if low <= high:
        return low, count, -1, -1
    return 0, count, high + 1, low


@kernel
def onward(at: int, gap: int, after: int) -> int:
    """The place after ``at`` in a stretch."""
    return after if at + 1 == gap else at + 1


@kernel
def disk_rows(tables: Tables, cell: int, radius: int) -> tuple[int, int, int, int]:
    """The stretch of rows that a disk touches."""
    row = tables.frame[2 * cell + 1] - tables.shape[TOP]
    return stretch(row - radius, row + radius, tables.shape[HEIGHT], tables.shape[WRAP])


@kernel
def disk_row(tables: Tables, cell: int, radius: int, row: int) -> tuple[int, int, int, int]:
    """The stretch of places in ``lookup`` that a disk covers on one of its rows."""
    shape = tables.shape
    width, height = shape[WIDTH], shape[HEIGHT]
    p, r = tables.frame[2 * cell], tables.frame[2 * cell + 1]
    down = row + shape[TOP] - r
    if shape[WRAP] and 2 * abs(down) > height:  # the other way round is nearer
        down -= height if down > 0 else -height
    one_side, other_side = p - shape[SLOPE_A] * down, p - shape[SLOPE_B] * down
    upright = shape[SLANT] * ((r + down) >> 1) - shape[LEFT]
    low, high = max(one_side, other_side) - radius + upright, min(one_side, other_side) + radius + upright
    column, count, gap, after = stretch(low, high, width, shape[WRAP])
    return row * width + column, count, row * width + gap, row * width + after


@kernel
def around(tables: Tables, cell: int, nearest: int, radius: int, out: Ints) -> int:
    """Write the cells at distance ``nearest`` to ``radius`` to ``out``, ascending; return how many."""
    count = 0
    row, rows, row_gap, row_after = disk_rows(tables, cell, radius)
    for _ in range(rows):
        place, columns, gap, after = disk_row(tables, cell, radius, row)
        for _ in range(columns):
            found = tables.lookup[place]
            if found >= 0 and (nearest <= 0 or distance(tables, cell, found) >= nearest):
                out[count] = found
                count += 1
            place = onward(place, gap, after)
        row = onward(row, row_gap, row_after)
    return count


@kernel
def disk(tables: Tables, cell: int, radius: int, out: Ints) -> int:
    """Write the cells at distance ``radius`` or less to ``out``, ascending; return how many. Holes do not block."""
    return around(tables, cell, 0, radius, out)


@kernel
def ring(tables: Tables, cell: int, radius: int, out: Ints) -> int:
    """Write the cells at distance ``radius`` exactly to ``out``, ascending; return how many."""
    return around(tables, cell, radius, radius, out)
