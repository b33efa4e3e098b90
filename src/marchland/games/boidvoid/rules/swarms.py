"""Swarms: lists of ships in the order of their rows; founding, joining and leaving them (ruling 11). Compiled."""

from marchland.core.events import emit
from marchland.core.orders import NO_CELL, cell_of, code_of
from marchland.core.state import PLAYERS
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    GONE,
    IDLE,
    IN_SWARM,
    JOINING,
    MOST_LETTERS,
    MOST_PLAYERS,
    NO_UNIT,
    SHIPS_AT,
    SWARM,
    SWARMS_AT,
)
from marchland.games.boidvoid.rules.constants import JOIN as JOIN_TURNS
from marchland.games.boidvoid.rules.events import (
    JOIN_FAILED,
    SWARM_CREATED,
    SWARM_GONE,
    SWARM_JOINED,
    SWARM_LEFT,
)
from marchland.games.boidvoid.rules.nfts import release_nfts
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import C, U
from marchland.games.boidvoid.rules.swarm_names import is_name_taken, is_valid_name, write_name
from marchland.games.boidvoid.rules.units import (
    FIRST_SWARM,
    begin_task,
    end_task,
    is_adjacent,
    is_blocked,
    row_of,
    stat_of,
)
from marchland.games.boidvoid.rules.world import (
    OK,
    board_in,
    cells_in,
    head_in,
    letters_in,
    units_in,
)
from marchland.kernels import kernel


@kernel
def found_swarm(world, ship):
    """Found a swarm where the ship stands, with that ship in it and an empty name; returns its row."""
    head = head_in(world)
    cells = cells_in(world)
    letters = letters_in(world)
    units = units_in(world)
    board = board_in(world)
    first = head[SWARMS_AT]
    row = first + ship - head[SHIPS_AT]  # every player has a place of its own, and takes another's if that is in use
    while units[row, U.status] != GONE:
        row = first + (row - first + 1) % head[PLAYERS]
    cell = units[ship, U.cell]
    generation = (units[row, U.id] - FIRST_SWARM) // MOST_PLAYERS + 1
    units[row, U.id] = FIRST_SWARM + generation * MOST_PLAYERS + row - first
    units[row, U.kind] = SWARM
    units[row, U.status] = ALONE
    units[row, U.team] = units[ship, U.team]
    units[row, U.acted] = 0
    units[row, U.swarm] = NO_UNIT
    units[row, U.cell] = cell
    for place in range((row - first) * MOST_LETTERS, (row - first + 1) * MOST_LETTERS):
        letters[place] = 0
    emit(world.events, SWARM_CREATED, units[row, U.id], units[ship, U.id], code_of(board, cell))
    add_ship(world, row, ship)
    cells[cell, C.unit] = row
    return row


@kernel
def add_ship(world, swarm, ship):
    """The ship leaves its tile for the swarm's and takes its place in the list."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    cells[units[ship, U.cell], C.unit] = NO_UNIT
    units[ship, U.cell] = NO_CELL
    units[ship, U.status] = IN_SWARM
    units[ship, U.task] = IDLE
    before = NO_UNIT
    after = units[swarm, U.swarm]
    while after != NO_UNIT and after < ship:
        before = after
        after = units[after, U.next]
    units[ship, U.next] = after
    if before == NO_UNIT:
        units[swarm, U.swarm] = ship
    else:
        units[before, U.next] = ship
    units[ship, U.swarm] = swarm
    emit(world.events, SWARM_JOINED, units[ship, U.id], units[swarm, U.id], code_of(board, units[swarm, U.cell]))


@kernel
def remove_ship(world, ship):
    """The ship leaves its swarm's list; a swarm without ships is no more (rulings 11 and 16)."""
    units = units_in(world)
    swarm = units[ship, U.swarm]
    if units[swarm, U.swarm] == ship:
        units[swarm, U.swarm] = units[ship, U.next]
    else:
        before = units[swarm, U.swarm]
        while units[before, U.next] != ship:
            before = units[before, U.next]
        units[before, U.next] = units[ship, U.next]
    units[ship, U.next] = NO_UNIT
    units[ship, U.swarm] = NO_UNIT
    if units[swarm, U.swarm] == NO_UNIT:
        emit(world.events, SWARM_GONE, units[swarm, U.id], code_of(board_in(world), units[swarm, U.cell]))
        cells_in(world)[units[swarm, U.cell], C.unit] = NO_UNIT
        units[swarm, U.cell] = NO_CELL
        units[swarm, U.status] = GONE
        units[swarm, U.acted] = 0
        release_nfts(world, swarm)


@kernel
def create_swarm(world, pool, unit, name):
    """Ruling 11: any free ship, a name unique in the team."""
    units = units_in(world)
    if not is_valid_name(world, pool, name):
        return Why.BAD_NAME.value
    if is_name_taken(world, pool, name, units[unit, U.team]):
        return Why.NAME_TAKEN.value
    swarm = found_swarm(world, unit)
    write_name(world, pool, name, swarm)
    units[unit, U.acted] = 1
    return OK


@kernel
def join_swarm(world, unit, name):
    units = units_in(world)
    board = board_in(world)
    swarm = row_of(world, name)
    if swarm == NO_UNIT:
        return Why.NO_SUCH_UNIT.value
    if units[swarm, U.kind] != SWARM:
        return Why.WRONG_KIND.value
    if units[swarm, U.team] != units[unit, U.team]:
        return Why.OTHER_TEAM.value
    if not is_adjacent(board, units[unit, U.cell], units[swarm, U.cell]):
        return Why.NOT_ADJACENT.value
    begin_joining(world, unit, swarm)
    return OK


@kernel
def begin_joining(world, unit, swarm):
    """At once, or after the ship's Swarm Join Turns."""
    units = units_in(world)
    turns = stat_of(world, unit, JOIN_TURNS)
    units[unit, U.acted] = 1
    if turns > 0:
        begin_task(units, unit, JOINING, turns, units[swarm, U.id])
    else:
        add_ship(world, swarm, unit)


@kernel
def leave_swarm(world, unit, to):
    """ "This will deduct all the player's action points and move the ship to an adjacent tile to the swarm.\""""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    if units[unit, U.status] != IN_SWARM:
        return Why.NOT_IN_A_SWARM.value
    if units[unit, U.acted]:
        return Why.ACTED.value
    cell = cell_of(board, to)
    if cell == NO_CELL:
        return Why.OFF_THE_MAP.value
    swarm = units[unit, U.swarm]
    if not is_adjacent(board, units[swarm, U.cell], cell):
        return Why.NOT_ADJACENT.value
    if cells[cell, C.unit] != NO_UNIT or is_blocked(cells, units, cell, units[unit, U.team]):
        return Why.BLOCKED.value
    emit(world.events, SWARM_LEFT, units[unit, U.id], units[swarm, U.id], code_of(board, cell))
    remove_ship(world, unit)
    cells[cell, C.unit] = unit
    units[unit, U.cell] = cell
    units[unit, U.status] = ALONE
    units[unit, U.points] = 0
    units[unit, U.acted] = 1
    return OK


@kernel
def finish_joins(world):
    """Ships that waited their Swarm Join Turns; one that is no longer next to the swarm fails (ruling 11)."""
    head = head_in(world)
    units = units_in(world)
    board = board_in(world)
    for ship in range(head[SHIPS_AT], head[SWARMS_AT]):
        if units[ship, U.task] != JOINING:
            continue
        units[ship, U.wait] -= 1
        if units[ship, U.wait] > 0:
            continue
        name = units[ship, U.aim]
        swarm = row_of(world, name)
        end_task(units, ship)
        if swarm != NO_UNIT and is_adjacent(board, units[ship, U.cell], units[swarm, U.cell]):
            add_ship(world, swarm, ship)
        else:
            emit(world.events, JOIN_FAILED, units[ship, U.id], name)
