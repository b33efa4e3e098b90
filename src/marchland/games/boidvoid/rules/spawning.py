"""Where and how units come onto the map (ruling 9). Compiled."""

from marchland.board.cells import distance
from marchland.core.events import emit
from marchland.core.orders import NO_CELL, cell_of, code_of
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    NO_TEAM,
    NO_UNIT,
    WAITING,
)
from marchland.games.boidvoid.rules.events import (
    SPAWNED,
)
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import C, T, U
from marchland.games.boidvoid.rules.units import full_health, is_blocked
from marchland.games.boidvoid.rules.world import (
    OK,
    board_in,
    cells_in,
    teams_in,
    units_in,
)
from marchland.kernels import kernel


@kernel
def spawn(world, unit, at):
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    why = check_spawn(world, unit)
    if why != OK:
        return why
    cell = cell_of(board, at)
    if cell == NO_CELL:
        return Why.OFF_THE_MAP.value
    why = check_spawn_cell(world, unit, cell, find_refuge(world, units[unit, U.team]))
    if why != OK:
        return why
    cells[cell, C.unit] = unit
    units[unit, U.cell] = cell
    units[unit, U.status] = ALONE
    units[unit, U.health] = full_health(world, unit)
    units[unit, U.points] = 0
    units[unit, U.acted] = 1
    emit(world.events, SPAWNED, units[unit, U.id], code_of(board, cell))
    return OK


@kernel
def check_spawn(world, unit):
    units = units_in(world)
    if units[unit, U.status] != WAITING:
        return Why.ALREADY_SPAWNED.value
    if units[unit, U.wait] > 0:
        return Why.RESPAWNING.value
    return Why.ACTED.value if units[unit, U.acted] else OK


@kernel
def check_spawn_cell(world, unit, cell, shelter):
    """On a free own tile; for a team without any, on its refuge."""
    cells = cells_in(world)
    units = units_in(world)
    team = units[unit, U.team]
    if cells[cell, C.owner] != team and cell != shelter:
        return Why.NOT_OWN_TILE.value
    if cells[cell, C.unit] != NO_UNIT or is_blocked(cells, units, cell, team):
        return Why.BLOCKED.value
    return OK


@kernel
def find_refuge(world, team):
    """Where a team without a tile may spawn: the nearest free unowned tile to its first home, or the nearest free tile
    where all are owned (ruling 50); the first of equals."""
    cells = cells_in(world)
    teams = teams_in(world)
    units = units_in(world)
    board = board_in(world)
    best = NO_CELL
    nearest = 0
    is_unowned = False
    if teams[team, T.tiles] > 0:
        return best
    for cell in range(len(cells)):
        if cells[cell, C.unit] != NO_UNIT or is_blocked(cells, units, cell, team):
            continue
        apart = distance(board, teams[team, T.home], cell)
        unowned = cells[cell, C.owner] == NO_TEAM
        if best == NO_CELL or (unowned and not is_unowned) or (unowned == is_unowned and apart < nearest):
            best = cell
            nearest = apart
            is_unowned = unowned
    return best


@kernel
def spawn_cells(world, unit, found):
    """Write every tile on which the unit may spawn now; return how many."""
    shelter = find_refuge(world, units_in(world)[unit, U.team])
    count = 0
    if check_spawn(world, unit) == OK:
        for cell in range(len(cells_in(world))):
            if check_spawn_cell(world, unit, cell, shelter) == OK:
                found[count] = cell
                count += 1
    return count
