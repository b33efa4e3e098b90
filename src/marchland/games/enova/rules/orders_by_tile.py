"""Orders in the order of the tiles they are for.

Orders come by player, from all over the board. A turn takes them tile by tile instead, each tile's as they were
received: to walk through memory is several times faster than to jump about in it.
"""

from marchland.board.tables import HEIGHT, WIDTH
from marchland.core.orders import frame_of
from marchland.core.reasons import CommonReason
from marchland.kernels import kernel

OK = int(CommonReason.OK)


@kernel
def sort_by_tile(commands, first, last, sheets, shelves, board):
    """Sort the rows from ``first`` to before ``last`` that are not refused; returns how many those are.

    They are put on shelves by column, then by line. What is for tiles off the board lies anywhere.
    """
    width = board.shape[WIDTH]
    height = board.shape[HEIGHT]
    clear(shelves, width)
    for row in range(first, last):
        shelves.start[1 + frame_of(commands.a[row])[0] % width] += 1
    add_up(shelves, width)
    for row in range(first, last):
        column = frame_of(commands.a[row])[0] % width
        sheets.by_column[shelves.start[column]] = row
        shelves.start[column] += 1
    clear(shelves, height)
    for row in range(first, last):
        shelves.start[1 + frame_of(commands.a[row])[1] % height] += 1
    add_up(shelves, height)
    for place in range(last - first):
        row = sheets.by_column[place]
        line = frame_of(commands.a[row])[1] % height
        sheets.row[shelves.start[line]] = row
        shelves.start[line] += 1
    count = 0
    for place in range(last - first):
        row = sheets.row[place]
        sheets.row[count] = row
        sheets.player[count] = commands.player[row]
        sheets.verb[count] = commands.verb[row]
        sheets.a[count] = commands.a[row]
        sheets.b[count] = commands.b[row]
        sheets.c[count] = commands.c[row]
        count += 1 if commands.reason[row] == OK else 0
    return count


@kernel
def clear(shelves, count):
    for shelf in range(count + 1):
        shelves.start[shelf] = 0


@kernel
def add_up(shelves, count):
    for shelf in range(count):
        shelves.start[shelf + 1] += shelves.start[shelf]
