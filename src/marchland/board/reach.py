"""Kernels about walking: cheapest distances, reachable cells and paths. ``search`` says what a way costs."""

from marchland.board.search import NO_LIMIT, NOWHERE, Scratch, came_from, forget, meet, spread
from marchland.board.tables import DEGREE, SIZE, Ints, Longs, Tables
from marchland.kernels import kernel


@kernel
def distance_field(tables: Tables, sources: Ints, cost: Ints, field: Longs, scratch: Scratch) -> int:
    """Write to ``field`` each cell's cost from the nearest source, -1 out of reach; return how many are reached."""
    size = tables.shape[SIZE]
    for cell in range(size):
        field[cell] = -1
    if costs_one_step(cost):
        return step_field(tables, sources, cost, field, scratch.settled)
    waiting = 0
    for i in range(len(sources)):
        waiting = meet(scratch, waiting, sources[i], 0)
    reached = spread(tables, cost, NO_LIMIT, NOWHERE, waiting, scratch)
    for i in range(reached):
        cell = scratch.settled[i]
        field[cell] = scratch.key[cell] // size
    forget(scratch, reached)
    return reached


@kernel
def costs_one_step(cost: Ints) -> bool:
    """Whether every cell costs 1 or cannot be entered."""
    others = 0
    for cell in range(len(cost)):
        others += cost[cell] == 0 or cost[cell] > 1
    return others == 0


@kernel
def step_field(tables: Tables, sources: Ints, cost: Ints, field: Longs, queue: Ints) -> int:
    """`distance_field` where each cell costs 1 or cannot be entered: breadth first, several times as fast."""
    degree = tables.shape[DEGREE]
    reached = 0
    for i in range(len(sources)):
        if field[sources[i]] < 0:
            field[sources[i]] = 0
            queue[reached] = sources[i]
            reached += 1
    done = 0
    while done < reached:
        cell = queue[done]
        done += 1
        for way in range(cell * degree, cell * degree + degree):
            neighbour = tables.neighbours[way]
            if neighbour >= 0 and field[neighbour] < 0 and cost[neighbour] >= 0:
                field[neighbour] = field[cell] + 1
                queue[reached] = neighbour
                reached += 1
    return reached


@kernel
def reachable(
    tables: Tables, start: int, cost: Ints, budget: int, scratch: Scratch, cells: Ints, costs: Longs, parents: Ints
) -> int:
    """Write the cells within ``budget`` of ``start``, what each costs and the cell before it; return how many.

    Cheapest first; the first is the start itself, whose parent is -1.
    """
    count = spread(tables, cost, budget, NOWHERE, meet(scratch, 0, start, 0), scratch)
    for i in range(count):
        cell = scratch.settled[i]
        cells[i] = cell
        costs[i] = scratch.key[cell] // tables.shape[SIZE]
        parents[i] = came_from(tables, cost, scratch.key, cell)
    forget(scratch, count)
    return count


@kernel
def cheapest_path(tables: Tables, start: int, goal: int, cost: Ints, limit: int, scratch: Scratch, path: Ints) -> int:
    """Write the cells of the cheapest path, without the start; return its steps, or -1 if none is within ``limit``."""
    settled = spread(tables, cost, limit, goal, meet(scratch, 0, start, 0), scratch)
    steps = -1
    if scratch.key[goal] >= 0:
        steps = scratch.key[goal] % tables.shape[SIZE]
        cell = goal
        for i in range(steps - 1, -1, -1):
            path[i] = cell
            cell = came_from(tables, cost, scratch.key, cell)
    forget(scratch, settled)
    return steps
