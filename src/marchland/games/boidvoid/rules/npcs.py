"""Non-playable characters: attack what is in range, else approach what is in sight, else wander. Compiled."""

from marchland.board.cells import distance
from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.games.boidvoid.rules.combat import fight, range_of
from marchland.games.boidvoid.rules.constants import ALONE, NEIGHBOURS, NOBODY, SHIPS_AT, TEAMS, UNITS
from marchland.games.boidvoid.rules.events import MOVED
from marchland.games.boidvoid.rules.state import C, U
from marchland.games.boidvoid.rules.units import first_of, is_blocked, next_of
from marchland.games.boidvoid.rules.world import NPC_STEP, board_in, cells_in, dice_in, head_in, rules_in, units_in
from marchland.kernels import kernel


@kernel
def npcs_act(world):
    head = head_in(world)
    units = units_in(world)
    for npc in range(head[TEAMS], head[SHIPS_AT]):
        if units[npc, U.status] != ALONE:
            continue
        target, apart = nearest_unit(world, npc)
        if target != NOBODY and apart <= range_of(world, npc, units[npc, U.cell]):
            fight(world, npc, target, NOBODY)
        else:
            step(world, npc, target if apart <= rules_in(world).npc_sight else NOBODY)


@kernel
def nearest_unit(world, npc):
    """The nearest unit that is no NPC, and how far it is; of equals that with the least health, then the least id."""
    head = head_in(world)
    units = units_in(world)
    board = board_in(world)
    best = NOBODY
    nearest = 0
    least = 0
    for unit in range(head[UNITS]):
        if units[unit, U.status] != ALONE or units[unit, U.team] == NOBODY:
            continue
        apart = distance(board, units[npc, U.cell], units[unit, U.cell])
        if best != NOBODY and apart > nearest:
            continue
        health = health_of(units, unit)
        closer = best == NOBODY or apart < nearest
        if closer or health < least or (health == least and units[unit, U.id] < units[best, U.id]):
            best = unit
            nearest = apart
            least = health
    return best, nearest


@kernel
def health_of(units, unit):
    health = 0
    ship = first_of(units, unit)
    while ship != NOBODY:
        health += units[ship, U.health]
        ship = next_of(units, unit, ship)
    return health


@kernel
def step(world, npc, target):
    """One step onto a free tile: nearer to the target, or by lot without one."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    dice = dice_in(world)
    cell = units[npc, U.cell]
    choice = NOBODY
    free = 0
    apart = distance(board, cell, units[target, U.cell]) if target != NOBODY else 0
    for way in range(NEIGHBOURS):
        other = board.neighbours[cell * NEIGHBOURS + way]
        if other == NOBODY or cells[other, C.unit] != NOBODY or is_blocked(cells, units, other, NOBODY):
            continue
        if target == NOBODY:
            free += 1
            if draw(dice, NPC_STEP, units[npc, U.id] * NEIGHBOURS + way, free) == 0:
                choice = other
        elif distance(board, other, units[target, U.cell]) < apart and choice == NOBODY:
            choice = other
    if choice != NOBODY:
        cells[cell, C.unit] = NOBODY
        cells[choice, C.unit] = npc
        units[npc, U.cell] = choice
        emit(world.events, MOVED, units[npc, U.id], code_of(board, cell), code_of(board, choice), 0)
