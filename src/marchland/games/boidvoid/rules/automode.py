"""Ships on automode: off to the nearest swarm of their team, by one field for each team (ruling 19). Compiled."""

from marchland.board.tables import SIZE
from marchland.core.events import emit
from marchland.core.orders import LEFT_OUT, NO_CELL, code_of
from marchland.core.state import PLAYERS
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    GONE,
    IDLE,
    MINUTE,
    MOST_PERIODS,
    MOST_STEP_COST,
    NEIGHBOURS,
    NO_UNIT,
    SHIPS_AT,
    STEP,
    STRUCTURES_AT,
    SWARM,
    SWARMS_AT,
    TEAMS,
)
from marchland.games.boidvoid.rules.events import AUTOMODE_SET, MOVED
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import C, P, U
from marchland.games.boidvoid.rules.swarm_names import name_by_number
from marchland.games.boidvoid.rules.swarms import begin_joining, found_swarm
from marchland.games.boidvoid.rules.units import stat_of, step_cost
from marchland.games.boidvoid.rules.world import (
    OK,
    board_in,
    buckets_in,
    cells_in,
    fields_in,
    head_in,
    periods_in,
    players_in,
    ready_in,
    search_in,
    units_in,
)
from marchland.kernels import kernel

_RING = MOST_STEP_COST + 1
_PERIOD = 11  # bytes of HH:MM-HH:MM
_COLON, _DASH, _COMMA, _ZERO = 58, 45, 44, 48
_DAY = 24 * 60


# ---------------------------------------------------------------- when a ship is on automode


@kernel
def set_automode(world, pool, player, on, text):
    """``on`` without periods means always, with periods only then; off ends both (ruling 19)."""
    head = head_in(world)
    players = players_in(world)
    periods = periods_in(world)
    units = units_in(world)
    if on != 0 and on != 1:
        return Why.BAD_VALUE.value
    count = 0
    if text != LEFT_OUT:
        count = count_periods(pool, text)
        if count < 0 or on == 0:
            return Why.BAD_PERIODS.value
    first = player * MOST_PERIODS * 2
    for place in range(MOST_PERIODS):
        begin, end = -1, -1
        if place < count:
            start = text + 1 + place * (_PERIOD + 1)
            begin, end = minute_in(pool, start), minute_in(pool, start + 6)
        periods[first + 2 * place] = begin
        periods[first + 2 * place + 1] = end
    players[player, P.automode] = 1 if on and count == 0 else 0
    emit(world.events, AUTOMODE_SET, units[head[SHIPS_AT] + player, U.id], on, count)
    return OK


@kernel
def count_periods(pool, text):
    """How many periods the text names; -1 where it is not well formed."""
    if text < 0 or text >= len(pool) or pool[text] < 1 or pool[text] > len(pool) - text - 1:
        return -1
    length = pool[text]
    count = (length + 1) // (_PERIOD + 1)
    if (length + 1) % (_PERIOD + 1) or count > MOST_PERIODS:
        return -1
    for place in range(count):
        start = text + 1 + place * (_PERIOD + 1)
        well = pool[start + 5] == _DASH and (place + 1 == count or pool[start + _PERIOD] == _COMMA)
        if not well or minute_in(pool, start) < 0 or minute_in(pool, start + 6) < 0:
            return -1
    return count


@kernel
def minute_in(pool, start):
    """The minute of the day that five bytes like 22:00 say, or -1."""
    for place in range(5):
        byte = pool[start + place]
        if (place == 2) != (byte == _COLON) or (place != 2 and (byte < _ZERO or byte > _ZERO + 9)):
            return -1
    hour = (pool[start] - _ZERO) * 10 + pool[start + 1] - _ZERO
    minute = (pool[start + 3] - _ZERO) * 10 + pool[start + 4] - _ZERO
    return hour * 60 + minute if hour < 24 and minute < 60 else -1


@kernel
def is_automatic(world, player):
    """Whether the player's ship acts by itself now; a period may pass midnight (ruling 38)."""
    head = head_in(world)
    players = players_in(world)
    periods = periods_in(world)
    if players[player, P.automode]:
        return True
    now = head[MINUTE]
    first = player * MOST_PERIODS * 2
    for place in range(MOST_PERIODS):
        begin = periods[first + 2 * place]
        end = periods[first + 2 * place + 1]
        if begin >= 0 and now >= 0 and (now - begin) % _DAY < (end - begin) % _DAY:
            return True
    return False


# ---------------------------------------------------------------- what it does then


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
                    name_by_number(world, found_swarm(world, ship), player)
                    units[ship, U.acted] = 1
                continue
            spread_field(world, team)
            ready[team] = 1
        if is_cut_off(world, units[ship, U.cell], team):
            if not units[ship, U.acted]:  # a swarm out of reach is none (ruling 49)
                name_by_number(world, found_swarm(world, ship), player)
                units[ship, U.acted] = 1
                ready[team] = 0  # the next ship may reach this one
            continue
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
def is_cut_off(world, cell, team):
    """Whether no way leads from the tile to a swarm of the team."""
    fields = fields_in(world)
    board = board_in(world)
    size = board.shape[SIZE]
    field = fields[team * size : (team + 1) * size]
    found = field[cell] >= 0
    for way in range(NEIGHBOURS):
        other = board.neighbours[cell * NEIGHBOURS + way]
        found |= other != NO_CELL and field[other] >= 0
    return not found


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
        first[place] = NO_CELL
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
        if cell == NO_CELL:
            spent += 1
            continue
        first[spent % _RING] = following[cell]
        waiting -= 1
        for way in range(NEIGHBOURS):
            other = board.neighbours[cell * NEIGHBOURS + way]
            if other == NO_CELL or search.cost[other] < 0:
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
    swarm = NO_UNIT
    while True:
        swarm = adjacent_swarm(world, cell, team)
        if swarm != NO_UNIT:
            break
        best = NO_CELL
        for way in range(NEIGHBOURS):
            other = board.neighbours[cell * NEIGHBOURS + way]
            if other == NO_CELL or cells[other, C.unit] != NO_UNIT or field[other] < 0:
                continue
            nearer = field[cell] < 0 or field[other] < field[cell]
            if nearer and (best == NO_CELL or field[other] < field[best]):
                best = other
        cost = step_cost(world, best, team, step) if best != NO_CELL else 0
        if best == NO_CELL or cost > points:
            break
        points -= cost
        cell = best
    if cell != start:
        cost = units[ship, U.points] - points
        units[ship, U.points] = points
        cells[start, C.unit] = NO_UNIT
        cells[cell, C.unit] = ship
        units[ship, U.cell] = cell
        emit(world.events, MOVED, units[ship, U.id], code_of(board, start), code_of(board, cell), cost)
    if swarm != NO_UNIT and not units[ship, U.acted]:
        begin_joining(world, ship, swarm)


@kernel
def adjacent_swarm(world, cell, team):
    """The swarm of the team next to the tile; of several that with the least id."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    found_swarm = NO_UNIT
    for way in range(NEIGHBOURS):
        other = board.neighbours[cell * NEIGHBOURS + way]
        unit = cells[other, C.unit] if other != NO_CELL else NO_UNIT
        is_ours = unit != NO_UNIT and units[unit, U.kind] == SWARM and units[unit, U.team] == team
        if is_ours and (found_swarm == NO_UNIT or units[unit, U.id] < units[found_swarm, U.id]):
            found_swarm = unit
    return found_swarm
