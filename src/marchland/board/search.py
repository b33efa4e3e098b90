"""The one search behind distance fields, reachable cells and paths: Dijkstra's, with scratch memory of its callers.

Entering a cell costs ``cost[cell]``: 0 is allowed, below 0 the cell is impassable. The start is free and may lie
anywhere. Of several cheapest ways into a cell the one of fewest steps counts, and of those the one whose last step
comes first in the direction order; nothing depends on the order in which the search happens to look.

The search orders cells by ``key`` = cost of the way * size + its steps, so the cost of a way times the number of
cells must stay below 2**63.
"""

from typing import NamedTuple

import numpy as np

from marchland.board.tables import DEGREE, SIZE, Ints, Longs, Tables
from marchland.kernels import kernel

NO_LIMIT = 2**62
NOWHERE = -1


class Scratch(NamedTuple):
    """Room for one search at a time; each search leaves it ready for the next."""

    key: Longs
    """Per cell, -1 where the search has not been; all -1 between searches."""
    heap: Ints
    """The cells met but not settled, a binary heap."""
    place: Ints
    """Per cell, its position in the heap."""
    settled: Ints
    """The cells whose cheapest way is known: cheapest first, then fewest steps, then ascending."""


def scratch_for(size: int) -> Scratch:
    """New scratch for boards of up to ``size`` cells."""
    heap, place, settled = (np.zeros(size, np.int32) for _ in range(3))
    return Scratch(np.full(size, -1, np.int64), heap, place, settled)


@kernel
def before(key: Longs, a: int, b: int) -> bool:
    """Whether cell a is settled before cell b."""
    return key[a] < key[b] or (key[a] == key[b] and a < b)


@kernel
def rise(scratch: Scratch, at: int) -> None:
    """Restore the heap after the cell at ``at`` became cheaper."""
    key, heap, place = scratch.key, scratch.heap, scratch.place
    cell = heap[at]
    while at > 0 and before(key, cell, heap[(at - 1) >> 1]):
        above = (at - 1) >> 1
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    heap[at] = cell
    place[cell] = at


@kernel
def sink(scratch: Scratch, waiting: int) -> None:
    """Restore the heap of ``waiting`` cells after another cell was put on top."""
    key, heap, place = scratch.key, scratch.heap, scratch.place
    cell = heap[0]
    at, below = 0, 1
    while below < waiting:
        if below + 1 < waiting and before(key, heap[below + 1], heap[below]):
            below += 1
        if before(key, cell, heap[below]):
            break
        heap[at] = heap[below]
        place[heap[at]] = at
        at, below = below, 2 * below + 1
    heap[at] = cell
    place[cell] = at


@kernel
def meet(scratch: Scratch, waiting: int, cell: int, key: int) -> int:
    """Note a way to ``cell`` if it is the best so far; return how many cells now wait."""
    known = scratch.key[cell]
    if 0 <= known <= key:
        return waiting
    at = scratch.place[cell]
    if known < 0:
        at = waiting
        waiting += 1
        scratch.heap[at] = cell
    scratch.key[cell] = key
    rise(scratch, at)
    return waiting


@kernel
def spread(tables: Tables, cost: Ints, limit: int, goal: int, waiting: int, scratch: Scratch) -> int:
    """Settle cells from those waiting until ``goal`` is, or all within ``limit`` are; return how many."""
    key, heap = scratch.key, scratch.heap
    size, degree = tables.shape[SIZE], tables.shape[DEGREE]
    settled = 0
    while waiting > 0:
        cell = heap[0]
        waiting -= 1
        heap[0] = heap[waiting]
        sink(scratch, waiting)
        scratch.settled[settled] = cell
        settled += 1
        if cell == goal:
            break
        spent = key[cell] // size
        for direction in range(degree):
            other = tables.neighbours[cell * degree + direction]
            if other >= 0 and cost[other] >= 0 and spent + cost[other] <= limit:
                waiting = meet(scratch, waiting, other, key[cell] + cost[other] * size + 1)
    for i in range(waiting):
        key[heap[i]] = -1
    return settled


@kernel
def came_from(tables: Tables, cost: Ints, key: Longs, cell: int) -> int:
    """The cell before ``cell`` on its cheapest way; -1 at a start."""
    size, degree = tables.shape[SIZE], tables.shape[DEGREE]
    if key[cell] > 0:
        earlier = key[cell] - cost[cell] * size - 1
        for direction in range(degree):
            back: int = tables.neighbours[cell * degree + (direction + degree // 2) % degree]
            if back >= 0 and key[back] == earlier:
                return back
    return -1


@kernel
def forget(scratch: Scratch, settled: int) -> None:
    """Leave the scratch as it was found."""
    for i in range(settled):
        scratch.key[scratch.settled[i]] = -1
