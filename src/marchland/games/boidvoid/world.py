"""Everything that an action may read or change, and the small questions that all rules ask about it. Compiled."""

from typing import Any, Final, NamedTuple

from marchland.board.cells import open_tables
from marchland.core.dice import dice_of
from marchland.core.kernel import borrowed, inlined, kernel
from marchland.core.reasons import Common
from marchland.core.state import head_of
from marchland.games.boidvoid.state import (
    ALONE,
    B_MOVE,
    BATTERY,
    BONUSES,
    DEAREST,
    FIRST_ID,
    GONE,
    HEALTH,
    HUNDREDTHS,
    MOST_BATTERY,
    MOST_PLAYERS,
    MOTHERSHIP,
    NEIGHBOURS,
    NOBODY,
    NPC,
    OWN_STATS,
    SHIP,
    SHIPS_AT,
    STATS,
    STRUCTURES_AT,
    SUPERSTRUCTURE,
    SWARM,
    SWARMS_AT,
    TEAMS,
    UNITS,
    C,
    P,
    U,
    buckets_of,
    cells_of,
    fields_of,
    items_of,
    land_of,
    letters_of,
    lineup_of,
    periods_of,
    players_of,
    ready_of,
    rules_of,
    search_of,
    sheets_of,
    teams_of,
    traits_of,
    units_of,
)

OK: Final = int(Common.OK)

# What a draw is for.
SHUFFLE, CRITICAL, COUNTER_CRITICAL, DISTRIBUTION, NPC_STEP = range(5)

FIRST_SWARM: Final = FIRST_ID[SWARM]
FIRST_MOTHERSHIP: Final = FIRST_ID[MOTHERSHIP]
FIRST_STRUCTURE: Final = FIRST_ID[SUPERSTRUCTURE]
FIRST_NPC: Final = FIRST_ID[NPC]


class World(NamedTuple):
    """The arrays that a kernel is given. Each function opens what it needs of them: a tuple of all views would be
    unpacked and packed again at every call, which took minutes to compile."""

    state: Any
    work: Any
    at: Any
    tables: Any
    events: Any
    settings: Any


@inlined
def open_world(state, work, at, board, events, rules):
    return World(borrowed(state), borrowed(work), borrowed(at), borrowed(board), borrowed(events), borrowed(rules))


@inlined
def head_in(world):
    return head_of(world.state, world.at)


@inlined
def cells_in(world):
    return cells_of(world.state, world.at)


@inlined
def land_in(world):
    return land_of(world.state, world.at)


@inlined
def players_in(world):
    return players_of(world.state, world.at)


@inlined
def periods_in(world):
    return periods_of(world.state, world.at).minute


@inlined
def teams_in(world):
    return teams_of(world.state, world.at)


@inlined
def letters_in(world):
    return letters_of(world.state, world.at).byte


@inlined
def units_in(world):
    return units_of(world.state, world.at)


@inlined
def sheets_in(world):
    return sheets_of(world.state, world.at).stat


@inlined
def items_in(world):
    return items_of(world.state, world.at)


@inlined
def traits_in(world):
    return traits_of(world.state, world.at).value


@inlined
def search_in(world):
    return search_of(world.work, world.at)


@inlined
def fields_in(world):
    return fields_of(world.work, world.at).cost


@inlined
def ready_in(world):
    return ready_of(world.work, world.at).flag


@inlined
def buckets_in(world):
    return buckets_of(world.work, world.at).first


@inlined
def lineup_in(world):
    return lineup_of(world.work, world.at)


@inlined
def board_in(world):
    return open_tables(world.tables)


@inlined
def rules_in(world):
    return rules_of(world.settings)


@inlined
def dice_in(world):
    return dice_of(head_of(world.state, world.at))


@kernel
def row_of(world, name):
    """The row of the unit with that id, or NOBODY if there is none."""
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
        return NOBODY
    return row


@kernel
def stat_of(world, unit, stat):
    """A modifier of the unit; a boost on a swarm is a boost on each of its ships."""
    units = units_in(world)
    sheets = sheets_in(world)
    value = sheets[unit * STATS + stat]
    if units[unit, U.kind] == SHIP and units[unit, U.swarm] != NOBODY:
        value += sheets[units[unit, U.swarm] * STATS + stat]
    return value


@inlined
def place_of(world, unit):
    """The tile on which the unit, or the swarm that it is in, stands; NOBODY off the map."""
    units = units_in(world)
    if units[unit, U.kind] == SHIP and units[unit, U.swarm] != NOBODY:
        return units[units[unit, U.swarm], U.cell]
    return units[unit, U.cell]


@kernel
def bonus_at(world, cell, bonus, team, itself, everybody):
    """What tile, point of importance and superstructure give there; a point only to its owner's team (ruling 7)."""
    cells = cells_in(world)
    land = land_in(world)
    units = units_in(world)
    sheets = sheets_in(world)
    total = land.tile[cell * BONUSES + bonus] + 0
    if cells[cell, C.point] and (everybody or cells[cell, C.owner] == team):
        total += land.point[cell * BONUSES + bonus]
    structure = cells[cell, C.structure]
    if structure != NOBODY and structure != itself and units[structure, U.team] == team:
        total += sheets[structure * STATS + OWN_STATS + bonus]
    return total


@kernel
def step_cost(world, cell, team, step):
    """ "Movement Cost" of entering the tile; -1 where obstacles or foreign superstructures block (ruling 3)."""
    cells = cells_in(world)
    units = units_in(world)
    rules = rules_in(world)
    structure = cells[cell, C.structure]
    if cells[cell, C.obstacle] or (structure != NOBODY and units[structure, U.team] != team):
        return -1
    cost = rules.base_move_cost + bonus_at(world, cell, B_MOVE, team, NOBODY, True) + step
    return min(max(cost, rules.min_move_cost), DEAREST)


@inlined
def is_beside(board, cell, other):
    found = False
    for way in range(NEIGHBOURS):
        found |= board.neighbours[cell * NEIGHBOURS + way] == other
    return found


@inlined
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


@inlined
def attack_share(units, ship):
    return units[ship, U.battery] * units[ship, U.ratio] // 100


@inlined
def is_on_map(world, unit):
    units = units_in(world)
    return units[unit, U.status] == ALONE


@inlined
def keep_in_bounds(world, unit):
    """After a modifier changed: no more health or battery than there is room for."""
    units = units_in(world)
    units[unit, U.health] = min(units[unit, U.health], full_health(world, unit))
    if units[unit, U.kind] == SHIP:
        units[unit, U.battery] = min(units[unit, U.battery], full_battery(world, unit))
