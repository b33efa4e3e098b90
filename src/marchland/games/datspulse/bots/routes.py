"""The way of an ant: the cheapest to its goal, and as much of it as the ant can go this turn."""

from typing import Any, Final

from marchland.board.cells import distance
from marchland.board.tables import Tables
from marchland.games.datspulse.bots.memory import MOST_EXPANDED, Memory, Rules, Scratch, is_foe_in_sight
from marchland.games.datspulse.rules.state import ACID, DIRT, NEIGHBOURS, SOLDIER
from marchland.kernels import kernel

# An entry of the heap: the estimated cost of the whole way, how little of it is left to guess, chance, and the hex.
_CELL_BITS: Final = 22
_NOISE_BITS: Final = 8
_DEPTH_BITS: Final = 12
_DEEPEST: Final = (1 << _DEPTH_BITS) - 1


@kernel
def is_blocked(memory: Memory, scratch: Scratch, rules: Rules, cell: int, kind: int) -> Any:
    """Whether an ant of that kind cannot enter the hex this turn, as far as is known."""
    return scratch.taken[kind * len(memory.terrain) + cell] > 0 or is_foe_in_sight(memory, rules, cell)


@kernel
def find_way(
    board: Tables,
    memory: Memory,
    scratch: Scratch,
    rules: Rules,
    noise: Any,
    start: int,
    goal: int,
    kind: int,
    fear_of_acid: int,
) -> Any:
    """Write the hexes from ``start`` to ``goal`` (A*), or to the nearest hex found, to ``scratch.way``; how many.

    Ants block only hexes that can be reached this turn. Chance decides between equal ways.
    """
    size = len(memory.terrain)
    base = size if kind == SOLDIER else 0
    scratch.mark[size] += 1
    mark = scratch.mark[size]
    scratch.mark[start] = mark
    scratch.spent[start] = 0
    scratch.came_from[start] = -1
    waiting = push(scratch.heap, 0, entry(0, distance(board, start, goal), noise, start))
    best = start
    nearest = distance(board, start, goal)
    expanded = 0
    while waiting > 0 and expanded < MOST_EXPANDED:
        top = scratch.heap[0]
        waiting = pop(scratch.heap, waiting)
        cell = top & ((1 << _CELL_BITS) - 1)
        left = distance(board, cell, goal)
        if top >> (_CELL_BITS + _NOISE_BITS + _DEPTH_BITS) > scratch.spent[cell] + left:
            continue  # a cheaper way was found since
        expanded += 1
        if left < nearest:
            nearest = left
            best = cell
        if cell == goal:
            break
        for way in range(NEIGHBOURS):
            other = board.neighbours[NEIGHBOURS * cell + way]
            if other < 0 or (scratch.cost[base + other] < 0 and other != goal):
                continue
            spent = scratch.spent[cell] + max(scratch.cost[base + other], 1)
            if memory.terrain[other] == ACID:
                spent += fear_of_acid
            if scratch.mark[other] == mark and scratch.spent[other] <= spent:
                continue
            is_near = distance(board, start, other) <= rules.speed[kind]
            if is_near and other != goal and is_blocked(memory, scratch, rules, other, kind):
                continue
            scratch.mark[other] = mark
            scratch.spent[other] = spent
            scratch.came_from[other] = cell
            waiting = push(scratch.heap, waiting, entry(spent, distance(board, other, goal), noise, other))
    return trace_back(scratch, best)


@kernel
def trace_back(scratch: Scratch, end: int) -> Any:
    """Write the way to ``end``, its first hex first; how many hexes it has."""
    count = 0
    cell = end
    while scratch.came_from[cell] >= 0:
        count += 1
        cell = scratch.came_from[cell]
    cell = end
    for place in range(count - 1, -1, -1):
        scratch.way[place] = cell
        cell = scratch.came_from[cell]
    return count


@kernel
def steps_this_turn(memory: Memory, scratch: Scratch, rules: Rules, length: int, kind: int) -> Any:
    """How many hexes of the way the ant can go now."""
    points = rules.speed[kind]
    for place in range(length):
        cell = scratch.way[place]
        points -= rules.dirt_cost if memory.terrain[cell] == DIRT else 1
        is_closed = scratch.cost[cell] < 0 or is_blocked(memory, scratch, rules, cell, kind)
        if points < 0 or is_closed:
            return place
    return length


# ---------------------------------------------------------------- the heap


@kernel
def entry(spent: int, left: int, noise: Any, cell: int) -> Any:
    """Cheapest first; of equals the one that is farthest on its way, then by chance."""
    depth = _DEEPEST - min(spent, _DEEPEST)
    return ((((spent + left) << _DEPTH_BITS) + depth << _NOISE_BITS) + noise[cell] << _CELL_BITS) + cell


@kernel
def push(heap: Any, waiting: int, value: int) -> Any:
    if waiting >= len(heap):
        return waiting
    at = waiting
    while at > 0 and value < heap[(at - 1) >> 1]:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = value
    return waiting + 1


@kernel
def pop(heap: Any, waiting: int) -> Any:
    """Remove the first entry; how many are left."""
    waiting -= 1
    value = heap[waiting]
    at = 0
    below = 1
    while below < waiting:
        if below + 1 < waiting and heap[below + 1] < heap[below]:
            below += 1
        if value <= heap[below]:
            break
        heap[at] = heap[below]
        at = below
        below = 2 * below + 1
    heap[at] = value
    return waiting
