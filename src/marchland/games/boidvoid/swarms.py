"""Swarms: lists of ships in the order of their rows, and how a unit is lost. Compiled."""

from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import PLAYERS
from marchland.games.boidvoid.codes import (
    ALONE,
    BOOSTING,
    BUILDING,
    BUILT,
    BY_BURNING,
    BY_STAKING,
    FREE,
    GONE,
    IDLE,
    IN_SWARM,
    ITEMS,
    MOST_LETTERS,
    MOST_PLAYERS,
    MOTHERSHIP,
    NOBODY,
    RESPAWN,
    SHIP,
    SHIPS_AT,
    SPENT,
    STACKED,
    STATS,
    SUPERSTRUCTURE,
    SWARM,
    SWARMS_AT,
    WAITING,
)
from marchland.games.boidvoid.facts import FIRST_SWARM
from marchland.games.boidvoid.happenings import DESTROYED, RETURNED, SWARM_CREATED, SWARM_GONE, SWARM_JOINED
from marchland.games.boidvoid.state import C, N, T, U
from marchland.games.boidvoid.world import (
    board_in,
    cells_in,
    head_in,
    items_in,
    letters_in,
    rules_in,
    sheets_in,
    teams_in,
    units_in,
)
from marchland.kernels import kernel

FRESH = 2
"""`acted` of a unit that was destroyed this turn: its counter starts with the next turn end (ruling 10)."""


@kernel
def end_task(units, unit):
    units[unit, U.task] = IDLE
    units[unit, U.wait] = 0
    units[unit, U.aim] = 0


@kernel
def abandon(world, unit):
    """A task comes to nothing; what was to be built is burned all the same (ruling 8)."""
    units = units_in(world)
    if units[unit, U.task] == BUILDING:
        items_in(world)[units[unit, U.aim], N.use] = SPENT
    end_task(units, unit)


@kernel
def found(world, ship):
    """A new swarm where the ship stands, with that ship in it; returns its row. The name is still empty."""
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
    units[row, U.swarm] = NOBODY
    units[row, U.cell] = cell
    for place in range((row - first) * MOST_LETTERS, (row - first + 1) * MOST_LETTERS):
        letters[place] = 0
    emit(world.events, SWARM_CREATED, units[row, U.id], units[ship, U.id], code_of(board, cell))
    enlist(world, row, ship)
    cells[cell, C.unit] = row
    return row


@kernel
def enlist(world, swarm, ship):
    """The ship leaves its tile for the swarm's and takes its place in the list."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    cells[units[ship, U.cell], C.unit] = NOBODY
    units[ship, U.cell] = NOBODY
    units[ship, U.status] = IN_SWARM
    units[ship, U.task] = IDLE
    before = NOBODY
    after = units[swarm, U.swarm]
    while after != NOBODY and after < ship:
        before = after
        after = units[after, U.next]
    units[ship, U.next] = after
    if before == NOBODY:
        units[swarm, U.swarm] = ship
    else:
        units[before, U.next] = ship
    units[ship, U.swarm] = swarm
    emit(world.events, SWARM_JOINED, units[ship, U.id], units[swarm, U.id], code_of(board, units[swarm, U.cell]))


@kernel
def discharge(world, ship):
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
    units[ship, U.next] = NOBODY
    units[ship, U.swarm] = NOBODY
    if units[swarm, U.swarm] == NOBODY:
        emit(world.events, SWARM_GONE, units[swarm, U.id], code_of(board_in(world), units[swarm, U.cell]))
        cells_in(world)[units[swarm, U.cell], C.unit] = NOBODY
        units[swarm, U.cell] = NOBODY
        units[swarm, U.status] = GONE
        units[swarm, U.acted] = 0
        release(world, swarm)


@kernel
def put_down(world, item):
    """An NFT has done its work: a staked one returns to its player, a burned one is spent (ruling 25)."""
    items = items_in(world)
    is_staked = items[item, N.mode] == BY_STAKING
    items[item, N.use] = FREE if is_staked else SPENT
    items[item, N.target] = NOBODY
    items[item, N.left] = 0
    if is_staked:
        items[item, N.mode] = BY_BURNING
        emit(world.events, RETURNED, items[item, N.player], items[item, N.id])


@kernel
def release(world, unit):
    """The NFTs that were used on a unit that is no more: the staked ones return, the others are spent."""
    head = head_in(world)
    sheets = sheets_in(world)
    items = items_in(world)
    for item in range(head[ITEMS]):
        use = items[item, N.use]
        if items[item, N.target] == unit and use in (BOOSTING, STACKED, BUILT):
            put_down(world, item)
    for stat in range(unit * STATS, (unit + 1) * STATS):
        sheets[stat] = 0


@kernel
def wreck(world, unit, by, where):
    """A unit other than a swarm is destroyed on the tile of code ``where``, or detonated if ``by`` is nobody."""
    units = units_in(world)
    emit(world.events, DESTROYED, units[unit, U.id], units[by, U.id] if by != NOBODY else NOBODY, where)
    if units[unit, U.swarm] != NOBODY:
        discharge(world, unit)
    elif units[unit, U.kind] == SUPERSTRUCTURE:
        cells_in(world)[units[unit, U.cell], C.structure] = NOBODY
        teams_in(world)[units[unit, U.team], T.structures] -= 1
    else:
        cells_in(world)[units[unit, U.cell], C.unit] = NOBODY
    units[unit, U.cell] = NOBODY
    units[unit, U.health] = 0
    units[unit, U.points] = 0
    if units[unit, U.kind] == SHIP or units[unit, U.kind] == MOTHERSHIP:  # ruling 10
        game = rules_in(world).respawn_ship if units[unit, U.kind] == SHIP else rules_in(world).respawn_mothership
        abandon(world, unit)
        units[unit, U.status] = WAITING
        units[unit, U.wait] = max(1, game + sheets_in(world)[unit * STATS + RESPAWN])
        units[unit, U.acted] = FRESH
    else:  # neither superstructures nor NPCs come back
        units[unit, U.status] = GONE
        units[unit, U.acted] = 0
        units[unit, U.aim] = 0
        release(world, unit)
