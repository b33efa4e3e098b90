"""NPCs: attack what is in range, else approach what is in sight, else wander (ruling 20). Compiled."""

from marchland.board.cells import distance
from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import NO_CELL, code_of
from marchland.core.state import NO_PLAYER
from marchland.games.boidvoid.rules.combat import fight, range_of
from marchland.games.boidvoid.rules.constants import ALONE, NEIGHBOURS, NO_TEAM, NO_UNIT, SHIPS_AT, TEAMS, UNITS
from marchland.games.boidvoid.rules.events import MOVED
from marchland.games.boidvoid.rules.state import C, U
from marchland.games.boidvoid.rules.units import first_ship, is_blocked, next_ship
from marchland.games.boidvoid.rules.world import NPC_STEP, board_in, cells_in, dice_in, head_in, rules_in, units_in
from marchland.kernels import kernel


@kernel
def act_npcs(world):
    head = head_in(world)
    units = units_in(world)
    for npc in range(head[TEAMS], head[SHIPS_AT]):
        if units[npc, U.status] != ALONE:
            continue
        target, apart = nearest_unit(world, npc)
        if target != NO_UNIT and apart <= range_of(world, npc, units[npc, U.cell]):
            fight(world, npc, target, NO_PLAYER)
        else:
            step_npc(world, npc, target if apart <= rules_in(world).npc_sight else NO_UNIT)


@kernel
def nearest_unit(world, npc):
    """The nearest unit that is no NPC, and how far it is; of equals that with the least health, then the least id."""
    head = head_in(world)
    units = units_in(world)
    board = board_in(world)
    best = NO_UNIT
    nearest = 0
    least = 0
    for unit in range(head[UNITS]):
        if units[unit, U.status] != ALONE or units[unit, U.team] == NO_TEAM:
            continue
        apart = distance(board, units[npc, U.cell], units[unit, U.cell])
        if best != NO_UNIT and apart > nearest:
            continue
        health = health_of(units, unit)
        closer = best == NO_UNIT or apart < nearest
        if closer or health < least or (health == least and units[unit, U.id] < units[best, U.id]):
            best = unit
            nearest = apart
            least = health
    return best, nearest


@kernel
def health_of(units, unit):
    health = 0
    ship = first_ship(units, unit)
    while ship != NO_UNIT:
        health += units[ship, U.health]
        ship = next_ship(units, unit, ship)
    return health


@kernel
def step_npc(world, npc, target):
    """One step onto a free tile: nearer to the target, or a random one without a target."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    dice = dice_in(world)
    cell = units[npc, U.cell]
    choice = NO_CELL
    free = 0
    apart = distance(board, cell, units[target, U.cell]) if target != NO_UNIT else 0
    for way in range(NEIGHBOURS):
        other = board.neighbours[cell * NEIGHBOURS + way]
        if other == NO_CELL or cells[other, C.unit] != NO_UNIT or is_blocked(cells, units, other, NO_TEAM):
            continue
        if target == NO_UNIT:
            free += 1
            if draw(dice, NPC_STEP, units[npc, U.id] * NEIGHBOURS + way, free) == 0:
                choice = other
        elif distance(board, other, units[target, U.cell]) < apart and choice == NO_CELL:
            choice = other
    if choice != NO_CELL:
        cells[cell, C.unit] = NO_UNIT
        cells[choice, C.unit] = npc
        units[npc, U.cell] = choice
        emit(world.events, MOVED, units[npc, U.id], code_of(board, cell), code_of(board, choice), 0)
