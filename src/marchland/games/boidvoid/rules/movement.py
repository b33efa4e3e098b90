"""Moving: the cheapest legal way, or the one the player gives. Compiled."""

from marchland.board.search import came_from, forget, meet, sink
from marchland.board.tables import SIZE
from marchland.core.events import emit
from marchland.core.orders import LEFT_OUT, NO_CELL, cell_of, code_of
from marchland.games.boidvoid.rules.constants import NEIGHBOURS, NO_UNIT, STEP, TEAMS
from marchland.games.boidvoid.rules.events import MOVED
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import C, U
from marchland.games.boidvoid.rules.units import first_ship, is_adjacent, is_blocked, next_ship, stat_in, step_cost
from marchland.games.boidvoid.rules.world import (
    OK,
    board_in,
    cells_in,
    head_in,
    ready_in,
    search_in,
    sheets_in,
    units_in,
)
from marchland.kernels import kernel


@kernel
def move(world, pool, unit, target, path):
    """All or nothing (ruling 3)."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    if (target == LEFT_OUT) == (path == LEFT_OUT):
        return Why.NO_TARGET.value
    points, step = points_and_step_cost(world, unit)
    goal = NO_CELL
    cost = 0
    if path == LEFT_OUT:
        goal = cell_of(board, target)
        if goal == NO_CELL:
            return Why.OFF_THE_MAP.value
        if cells[goal, C.unit] != NO_UNIT or is_blocked(cells, units, goal, units[unit, U.team]):
            return Why.BLOCKED.value
        cost = cheapest_cost(world, unit, goal, points, step)
        if cost < 0:
            return Why.NO_WAY.value
    else:
        why, goal, cost = check_path(world, pool, unit, path, step)
        if why != OK:
            return why
        if cost > points:
            return Why.TOO_FAR_TO_PAY.value
    start = units[unit, U.cell]
    pay(world, unit, cost)
    cells[start, C.unit] = NO_UNIT
    cells[goal, C.unit] = unit
    units[unit, U.cell] = goal
    emit(world.events, MOVED, units[unit, U.id], code_of(board, start), code_of(board, goal), cost)
    return OK


@kernel
def points_and_step_cost(world, unit):
    """Action points and step modifier: of a swarm the least and the greatest of its ships (ruling 4)."""
    units = units_in(world)
    sheets = sheets_in(world)
    ship = first_ship(units, unit)
    points = units[ship, U.points]
    step = stat_in(units, sheets, ship, STEP)
    while ship != NO_UNIT:
        points = min(points, units[ship, U.points])
        step = max(step, stat_in(units, sheets, ship, STEP))
        ship = next_ship(units, unit, ship)
    return points, step


@kernel
def pay(world, unit, cost):
    units = units_in(world)
    ship = first_ship(units, unit)
    while ship != NO_UNIT:
        units[ship, U.points] -= cost
        ship = next_ship(units, unit, ship)


@kernel
def is_passable(world, cell, team):
    """Own units may be passed, others not; an NPC counts as another team (ruling 3)."""
    cells = cells_in(world)
    units = units_in(world)
    other = cells[cell, C.unit]
    return other == NO_UNIT or units[other, U.team] == team


@kernel
def prepare_search(world):
    """The search finds -1 in every key; scratch memory begins as 0."""
    head = head_in(world)
    search = search_in(world)
    ready = ready_in(world)
    if ready[head[TEAMS]] == 0:
        for cell in range(len(search.key)):
            search.key[cell] = -1
        ready[head[TEAMS]] = 1


@kernel
def explore(world, start, goal, limit, team, step):
    """Dijkstra's search (ruling 2); computes the cost of a tile when it meets it; returns how many are settled."""
    search = search_in(world)
    board = board_in(world)
    prepare_search(world)
    size = board.shape[SIZE]
    waiting = meet(search, 0, start, 0)
    settled = 0
    while waiting > 0:
        cell = search.heap[0]
        waiting -= 1
        search.heap[0] = search.heap[waiting]
        sink(search, waiting)
        search.settled[settled] = cell
        settled += 1
        if cell == goal:
            break
        spent = search.key[cell] // size
        for way in range(NEIGHBOURS):
            other = board.neighbours[cell * NEIGHBOURS + way]
            if other == NO_CELL or not is_passable(world, other, team):
                continue
            cost = step_cost(world, other, team, step)
            if cost >= 0 and spent + cost <= limit:
                search.cost[other] = cost
                waiting = meet(search, waiting, other, search.key[cell] + cost * size + 1)
    for place in range(waiting):
        search.key[search.heap[place]] = -1
    return settled


@kernel
def cheapest_cost(world, unit, goal, points, step):
    """What the cheapest way to ``goal`` costs; -1 if there is none within ``points``."""
    units = units_in(world)
    search = search_in(world)
    board = board_in(world)
    settled = explore(world, units[unit, U.cell], goal, points, units[unit, U.team], step)
    key = search.key[goal]
    forget(search, settled)
    return key // board.shape[SIZE] if key >= 0 else -1


@kernel
def check_path(world, pool, unit, path, step):
    """Why not, where to and at what cost, for a path of the player's own."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    team = units[unit, U.team]
    cell = units[unit, U.cell]
    cost = 0
    if path < 0 or path >= len(pool) or pool[path] < 1 or pool[path] > len(pool) - path - 1:
        return Why.NO_TARGET.value, cell, cost
    for place in range(path + 1, path + 1 + pool[path]):
        following = cell_of(board, pool[place])
        if following == NO_CELL:
            return Why.OFF_THE_MAP.value, cell, cost
        if not is_adjacent(board, cell, following):
            return Why.NOT_ADJACENT.value, cell, cost
        entry = step_cost(world, following, team, step)
        if entry < 0 or not is_passable(world, following, team):
            return Why.BLOCKED.value, cell, cost
        cost += entry
        cell = following
    if cells[cell, C.unit] != NO_UNIT:
        return Why.BLOCKED.value, cell, cost
    return OK, cell, cost


@kernel
def destinations(world, unit, cells, costs, parents):
    """Write every tile within the unit's action points, what it costs and the tile before it; return how many."""
    units = units_in(world)
    search = search_in(world)
    board = board_in(world)
    points, step = points_and_step_cost(world, unit)
    count = explore(world, units[unit, U.cell], NO_CELL, points, units[unit, U.team], step)
    for place in range(count):
        cell = search.settled[place]
        cells[place] = cell
        costs[place] = search.key[cell] // board.shape[SIZE]
        parents[place] = came_from(board, search.cost, search.key, cell)
    forget(search, count)
    return count
