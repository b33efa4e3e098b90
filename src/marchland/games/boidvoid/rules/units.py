"""Facts about units and tiles that all rules need, and the tasks of a unit. Compiled."""

from typing import Final

from marchland.games.boidvoid.rules.constants import (
    B_MOVE,
    BATTERY,
    BONUSES,
    BUILDING,
    FIRST_ID,
    GONE,
    HEALTH,
    HUNDREDTHS,
    IDLE,
    MOST_BATTERY,
    MOST_PLAYERS,
    MOST_STEP_COST,
    MOTHERSHIP,
    NEIGHBOURS,
    NO_TEAM,
    NO_UNIT,
    NPC,
    OWN_STATS,
    SHIP,
    SHIPS_AT,
    SPENT,
    STATS,
    STRUCTURES_AT,
    SUPERSTRUCTURE,
    SWARM,
    SWARMS_AT,
    TEAMS,
    UNITS,
)
from marchland.games.boidvoid.rules.state import C, N, P, U
from marchland.games.boidvoid.rules.world import (
    cells_in,
    head_in,
    items_in,
    land_in,
    players_in,
    rules_in,
    sheets_in,
    units_in,
)
from marchland.kernels import kernel

FIRST_SWARM: Final = FIRST_ID[SWARM]
FIRST_MOTHERSHIP: Final = FIRST_ID[MOTHERSHIP]
FIRST_STRUCTURE: Final = FIRST_ID[SUPERSTRUCTURE]
FIRST_NPC: Final = FIRST_ID[NPC]


@kernel
def row_of(world, name):
    """The row of the unit with that id, or NO_UNIT if there is none."""
    head = head_in(world)
    units = units_in(world)
    if name >= FIRST_SWARM:
        row = head[SWARMS_AT] + (name - FIRST_SWARM) % MOST_PLAYERS
        end = head[STRUCTURES_AT]
    elif name >= FIRST_NPC:
        row = head[TEAMS] + name - FIRST_NPC
        end = head[SHIPS_AT]
    elif name >= FIRST_STRUCTURE:
        row = head[STRUCTURES_AT] + name - FIRST_STRUCTURE
        end = head[UNITS]
    elif name >= FIRST_MOTHERSHIP:
        row = name - FIRST_MOTHERSHIP
        end = head[TEAMS]
    else:
        row = head[SHIPS_AT] + name
        end = head[SWARMS_AT]
    if name < 0 or row >= end or units[row, U.id] != name or units[row, U.status] == GONE:
        return NO_UNIT
    return row


@kernel
def stat_in(units, sheets, unit, stat):
    """A modifier of the unit; a boost on a swarm is a boost on each of its ships (ruling 33)."""
    value = sheets[unit * STATS + stat]
    if units[unit, U.kind] == SHIP and units[unit, U.swarm] != NO_UNIT:
        value += sheets[units[unit, U.swarm] * STATS + stat]
    return value


@kernel
def stat_of(world, unit, stat):
    return stat_in(units_in(world), sheets_in(world), unit, stat)


@kernel
def first_ship(units, unit):
    """The first ship of a swarm, or the unit itself."""
    return units[unit, U.swarm] if units[unit, U.kind] == SWARM else unit


@kernel
def next_ship(units, unit, ship):
    """The ship of the swarm after ``ship``; `NO_UNIT` after a unit that is no swarm."""
    return units[ship, U.next] if units[unit, U.kind] == SWARM else NO_UNIT


@kernel
def place_of(world, unit):
    """The tile on which the unit, or the swarm that it is in, stands; NO_CELL off the map."""
    units = units_in(world)
    if units[unit, U.kind] == SHIP and units[unit, U.swarm] != NO_UNIT:
        return units[units[unit, U.swarm], U.cell]
    return units[unit, U.cell]


@kernel
def bonus_at(world, cell, bonus, team, itself, for_all):
    """What tile, point of importance and superstructure give there; a point only to its owner's team (ruling 7), so
    that an unowned point helps no team (ruling 45). ``for_all`` adds the point for every team."""
    cells = cells_in(world)
    land = land_in(world)
    units = units_in(world)
    sheets = sheets_in(world)
    total = land.tile[cell * BONUSES + bonus]
    if cells[cell, C.point] and (for_all or (team != NO_TEAM and cells[cell, C.owner] == team)):
        total += land.point[cell * BONUSES + bonus]
    structure = cells[cell, C.structure]
    if structure != NO_UNIT and structure != itself and units[structure, U.team] == team:
        total += sheets[structure * STATS + OWN_STATS + bonus]
    return total


@kernel
def is_blocked(cells, units, cell, team):
    """By an obstacle or a foreign superstructure (ruling 3)."""
    structure = cells[cell, C.structure]
    return cells[cell, C.obstacle] != 0 or (structure != NO_UNIT and units[structure, U.team] != team)


@kernel
def step_cost(world, cell, team, step):
    """ "Movement Cost" of entering the tile, at most 4000 (ruling 31); -1 where it is blocked."""
    cells = cells_in(world)
    units = units_in(world)
    rules = rules_in(world)
    if is_blocked(cells, units, cell, team):
        return -1
    cost = rules.base_move_cost + bonus_at(world, cell, B_MOVE, team, NO_UNIT, True) + step
    return min(max(cost, rules.min_move_cost), MOST_STEP_COST)


@kernel
def is_adjacent(board, cell, other):
    found = False
    for way in range(NEIGHBOURS):
        found |= board.neighbours[cell * NEIGHBOURS + way] == other
    return found


@kernel
def full_health(world, unit):
    sheets = sheets_in(world)
    return max(sheets[unit * STATS + HEALTH], 1) * HUNDREDTHS


@kernel
def full_battery(world, unit):
    """Stake times `battery_per_stake` and what the NFT adds (ruling 24)."""
    head = head_in(world)
    players = players_in(world)
    sheets = sheets_in(world)
    rules = rules_in(world)
    stake = players[unit - head[SHIPS_AT], P.stake]
    most = stake * rules.battery_per_stake + sheets[unit * STATS + BATTERY]
    return min(max(most, 0), MOST_BATTERY) * HUNDREDTHS


@kernel
def attack_share(units, ship):
    return units[ship, U.battery] * units[ship, U.ratio] // 100


@kernel
def clamp_health_and_battery(world, unit):
    """After a modifier changed: no more health or battery than there is room for (ruling 35)."""
    units = units_in(world)
    units[unit, U.health] = min(units[unit, U.health], full_health(world, unit))
    if units[unit, U.kind] == SHIP:
        units[unit, U.battery] = min(units[unit, U.battery], full_battery(world, unit))


@kernel
def begin_task(units, unit, task, turns, aim):
    units[unit, U.task] = task
    units[unit, U.wait] = turns
    units[unit, U.aim] = aim
    units[unit, U.acted] = 1


@kernel
def end_task(units, unit):
    units[unit, U.task] = IDLE
    units[unit, U.wait] = 0
    units[unit, U.aim] = 0


@kernel
def abandon_task(world, unit):
    """Abandon a task; what was to be built is burned all the same (rulings 8, 46)."""
    units = units_in(world)
    if units[unit, U.task] == BUILDING:
        items_in(world)[units[unit, U.aim], N.use] = SPENT
    end_task(units, unit)
