"""Founding, joining and leaving swarms (ruling 11). Compiled."""

from marchland.core.events import emit
from marchland.core.orders import cell_of, code_of
from marchland.games.boidvoid.codes import ALONE, IN_SWARM, JOINING, NOBODY, SHIPS_AT, SWARM, SWARMS_AT
from marchland.games.boidvoid.codes import JOIN as JOIN_TURNS
from marchland.games.boidvoid.facts import is_beside, is_blocked, row_of, stat_of
from marchland.games.boidvoid.happenings import JOIN_FAILED, SWARM_LEFT
from marchland.games.boidvoid.naming import is_taken, is_valid_name, write_name
from marchland.games.boidvoid.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.state import C, U
from marchland.games.boidvoid.swarms import discharge, end_task, enlist, found
from marchland.games.boidvoid.tasks import begin_task
from marchland.games.boidvoid.world import OK, board_in, cells_in, head_in, units_in
from marchland.kernels import kernel


@kernel
def create(world, pool, unit, name):
    """Ruling 11: any free ship, a name unique in the team."""
    units = units_in(world)
    if not is_valid_name(world, pool, name):
        return Why.BAD_NAME.value
    if is_taken(world, pool, name, units[unit, U.team]):
        return Why.NAME_TAKEN.value
    swarm = found(world, unit)
    write_name(world, pool, name, swarm)
    units[unit, U.acted] = 1
    return OK


@kernel
def join(world, unit, name):
    units = units_in(world)
    board = board_in(world)
    swarm = row_of(world, name)
    if swarm == NOBODY:
        return Why.NO_SUCH_UNIT.value
    if units[swarm, U.kind] != SWARM:
        return Why.WRONG_KIND.value
    if units[swarm, U.team] != units[unit, U.team]:
        return Why.OTHER_TEAM.value
    if not is_beside(board, units[unit, U.cell], units[swarm, U.cell]):
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
        enlist(world, swarm, unit)


@kernel
def leave(world, unit, to):
    """ "This will deduct all the player's action points and move the ship to an adjacent tile to the swarm.\""""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    if units[unit, U.status] != IN_SWARM:
        return Why.NOT_IN_A_SWARM.value
    if units[unit, U.acted]:
        return Why.ACTED.value
    cell = cell_of(board, to)
    if cell == NOBODY:
        return Why.OFF_THE_MAP.value
    swarm = units[unit, U.swarm]
    if not is_beside(board, units[swarm, U.cell], cell):
        return Why.NOT_ADJACENT.value
    if cells[cell, C.unit] != NOBODY or is_blocked(cells, units, cell, units[unit, U.team]):
        return Why.BLOCKED.value
    emit(world.events, SWARM_LEFT, units[unit, U.id], units[swarm, U.id], code_of(board, cell))
    discharge(world, unit)
    cells[cell, C.unit] = unit
    units[unit, U.cell] = cell
    units[unit, U.status] = ALONE
    units[unit, U.points] = 0
    units[unit, U.acted] = 1
    return OK


@kernel
def joins(world):
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
        if swarm != NOBODY and is_beside(board, units[ship, U.cell], units[swarm, U.cell]):
            enlist(world, swarm, ship)
        else:
            emit(world.events, JOIN_FAILED, units[ship, U.id], name)
