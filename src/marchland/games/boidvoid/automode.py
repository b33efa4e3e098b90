"""Ships on automode: off to the nearest swarm of their team, by one field for each team (ruling 19). Compiled."""

from marchland.board.tables import SIZE
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import PLAYERS
from marchland.games.boidvoid.codes import (
    ALONE,
    DEAREST,
    GONE,
    IDLE,
    NEIGHBOURS,
    NOBODY,
    SHIPS_AT,
    STEP,
    STRUCTURES_AT,
    SWARM,
    SWARMS_AT,
    TEAMS,
)
from marchland.games.boidvoid.daytime import is_automatic
from marchland.games.boidvoid.facts import stat_of, step_cost
from marchland.games.boidvoid.happenings import MOVED
from marchland.games.boidvoid.membership import begin_joining
from marchland.games.boidvoid.naming import name_by_number
from marchland.games.boidvoid.state import C, U
from marchland.games.boidvoid.swarms import found
from marchland.games.boidvoid.world import (
    board_in,
    buckets_in,
    cells_in,
    fields_in,
    head_in,
    ready_in,
    search_in,
    units_in,
)
from marchland.kernels import kernel

_RING = DEAREST + 1


@kernel
def move_ships_on_automode(world):
    """ "Ships on automode move to the closest swarm. If no swarm is available, the ship creates a new swarm.\""""
    head = head_in(world)
    units = units_in(world)
    ready = ready_in(world)
    for team in range(head[TEAMS]):
        ready[team] = 0
    for player in range(head[PLAYERS]):
        ship = head[SHIPS_AT] + player
        if units[ship, U.status] != ALONE or units[ship, U.task] != IDLE or not is_automatic(world, player):
            continue
        team = units[ship, U.team]
        if ready[team] == 0:
            if not has_swarm(world, team):
                if not units[ship, U.acted]:
                    name_by_number(world, found(world, ship), player)
                    units[ship, U.acted] = 1
                continue
            spread_field(world, team)
            ready[team] = 1
        head_for_swarm(world, ship, team)
    for team in range(head[TEAMS]):
        ready[team] = 0


@kernel
def has_swarm(world, team):
    head = head_in(world)
    units = units_in(world)
    for swarm in range(head[SWARMS_AT], head[STRUCTURES_AT]):
        if units[swarm, U.status] != GONE and units[swarm, U.team] == team:
            return True
    return False


@kernel
def spread_field(world, team):
    """For every tile the cost of the way to the nearest swarm, by Dial's buckets: a ring of costs, a list of tiles in
    each. The search's arrays hold the lists; a tile that got cheaper is skipped where it waits at its former cost."""
    head = head_in(world)
    units = units_in(world)
    search = search_in(world)
    fields = fields_in(world)
    buckets = buckets_in(world)
    board = board_in(world)
    first = buckets
    size = board.shape[SIZE]
    field = fields[team * size : (team + 1) * size]
    following = search.heap
    for cell in range(size):
        field[cell] = -1
        search.cost[cell] = step_cost(world, cell, team, 0)
    for place in range(_RING):
        first[place] = NOBODY
    waiting = 0
    for swarm in range(head[SWARMS_AT], head[STRUCTURES_AT]):
        if units[swarm, U.status] != GONE and units[swarm, U.team] == team:
            cell = units[swarm, U.cell]
            field[cell] = 0
            following[cell] = first[0]
            first[0] = cell
            waiting += 1
    spent = 0
    while waiting > 0:
        cell = first[spent % _RING]
        if cell == NOBODY:
            spent += 1
            continue
        first[spent % _RING] = following[cell]
        waiting -= 1
        for way in range(NEIGHBOURS):
            other = board.neighbours[cell * NEIGHBOURS + way]
            if other == NOBODY or search.cost[other] < 0:
                continue
            cost = spent + search.cost[cell]
            if field[other] < 0 or cost < field[other]:
                if field[other] >= 0:
                    waiting -= unlink(first, following, field[other] % _RING, other)
                field[other] = cost
                following[other] = first[cost % _RING]
                first[cost % _RING] = other
                waiting += 1


@kernel
def unlink(first, following, place, cell):
    """Take a tile out of the bucket where it waits."""
    if first[place] == cell:
        first[place] = following[cell]
        return 1
    before = first[place]
    while following[before] != cell:
        before = following[before]
    following[before] = following[cell]
    return 1


@kernel
def head_for_swarm(world, ship, team):
    """Down the field as far as action points allow, over free tiles only; join when adjacent."""
    cells = cells_in(world)
    units = units_in(world)
    fields = fields_in(world)
    board = board_in(world)
    size = board.shape[SIZE]
    field = fields[team * size : (team + 1) * size]
    start = units[ship, U.cell]
    cell = start
    step = stat_of(world, ship, STEP)
    points = units[ship, U.points]
    swarm = NOBODY
    while True:
        swarm = adjacent_swarm(world, cell, team)
        if swarm != NOBODY:
            break
        best = NOBODY
        for way in range(NEIGHBOURS):
            other = board.neighbours[cell * NEIGHBOURS + way]
            if other == NOBODY or cells[other, C.unit] != NOBODY or field[other] < 0:
                continue
            nearer = field[cell] < 0 or field[other] < field[cell]
            if nearer and (best == NOBODY or field[other] < field[best]):
                best = other
        cost = step_cost(world, best, team, step) if best != NOBODY else 0
        if best == NOBODY or cost > points:
            break
        points -= cost
        cell = best
    if cell != start:
        cost = units[ship, U.points] - points
        units[ship, U.points] = points
        cells[start, C.unit] = NOBODY
        cells[cell, C.unit] = ship
        units[ship, U.cell] = cell
        emit(world.events, MOVED, units[ship, U.id], code_of(board, start), code_of(board, cell), cost)
    if swarm != NOBODY and not units[ship, U.acted]:
        begin_joining(world, ship, swarm)


@kernel
def adjacent_swarm(world, cell, team):
    """The swarm of the team next to the tile; of several that with the least id."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    found_swarm = NOBODY
    for way in range(NEIGHBOURS):
        other = board.neighbours[cell * NEIGHBOURS + way]
        unit = cells[other, C.unit] if other != NOBODY else NOBODY
        is_ours = unit != NOBODY and units[unit, U.kind] == SWARM and units[unit, U.team] == team
        if is_ours and (found_swarm == NOBODY or units[unit, U.id] < units[found_swarm, U.id]):
            found_swarm = unit
    return found_swarm
