"""Host orders: the lock, the clock, ledger values, teams. Compiled."""

from typing import Final

from marchland.core.events import emit
from marchland.core.orders import NO_CELL, code_of
from marchland.core.state import NO_PLAYER, OVER, PLAYERS
from marchland.games.boidvoid.rules.constants import (
    BURNABLE_TRAIT,
    BY_STAKING,
    FREE,
    GONE,
    IDLE,
    ITEM_NUMBERS,
    ITEMS,
    LEADER,
    LOCKED,
    MINUTE,
    N_COLLECTIBLE,
    NO_ITEM,
    NO_TEAM,
    NO_UNIT,
    SHIPS_AT,
    STATS,
    SUPERSTRUCTURE,
    TEAMS,
    TEMPLATE_TRAIT,
    TRAIT_ROWS,
    TROOPER,
    TURNS_TRAIT,
    UNIT_NUMBERS,
    UNITS,
    WAITING,
)
from marchland.games.boidvoid.rules.constants import BURNED as IS_BURNED
from marchland.games.boidvoid.rules.constants import SHEET_ROWS as SHEETS
from marchland.games.boidvoid.rules.damage import destroy_unit
from marchland.games.boidvoid.rules.events import HOST_ORDER
from marchland.games.boidvoid.rules.nfts import STAT_LIMIT, find_item
from marchland.games.boidvoid.rules.orders import (
    ASSIGN,
    BURNED,
    CHARGE,
    CLOCK,
    END_SEASON,
    GIVE,
    LOCK,
    RETIRE,
    STAKE,
    TRAIT,
)
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import ITEM_WIDTH, UNIT_WIDTH, N, P, U
from marchland.games.boidvoid.rules.units import FIRST_STRUCTURE, full_battery, place_of
from marchland.games.boidvoid.rules.world import (
    OK,
    board_in,
    head_in,
    items_in,
    players_in,
    sheets_in,
    traits_in,
    units_in,
)
from marchland.kernels import kernel

# Why a match ended, in the head's OVER slot.
SEASON_OVER: Final = 1
DOMINATION: Final = 2
TURN_LIMIT: Final = 3

_DAY: Final = 24 * 60
MOST_TURNS: Final = 10_000
"""A boost cannot last longer."""
_MOST_STAKE: Final = 10**12
_MOST_ITEMS: Final = 1_000_000


@kernel
def apply_host_order(world, verb, a, b, c):
    """Apply one order of the host; returns its result."""
    head = head_in(world)
    why = OK
    if verb == LOCK:
        head[LOCKED] = 1
    elif verb == CLOCK:
        why = OK if 0 <= a < _DAY else Why.BAD_VALUE.value
        if why == OK:
            head[MINUTE] = a
    elif verb == GIVE:
        why = give_nft(world, a, b, c)
    elif verb == TRAIT:
        why = set_trait(world, a, b, c)
    elif verb == STAKE:
        why = set_stake(world, a, b)
    elif verb == ASSIGN:
        why = assign_player(world, a, b, c)
    elif verb == BURNED:
        why = mark_burned(world, a)
    elif verb == END_SEASON:
        head[OVER] = SEASON_OVER
    elif verb == CHARGE:
        why = charge_battery(world, a)
    elif verb == RETIRE:
        why = retire_ship(world, a)
    if why == OK:
        emit(world.events, HOST_ORDER, verb, a, b)
    return why


@kernel
def give_nft(world, nft, player, kind):
    """Set the owner of an NFT; a new one gets a row, and a row for the superstructure that it may found."""
    head = head_in(world)
    items = items_in(world)
    traits = traits_in(world)
    if player < NO_PLAYER or player >= head[PLAYERS] or kind < 0 or kind > N_COLLECTIBLE or nft < 0:
        return Why.BAD_VALUE.value
    item = find_item(world, nft)
    if item != NO_ITEM:
        if items[item, N.use] != FREE or items[item, N.kind] != kind:
            return Why.NFT_IN_USE.value
        items[item, N.player] = player
        return OK
    item = head[ITEMS]
    if item >= len(items) or item >= _MOST_ITEMS:
        return Why.BAD_VALUE.value
    head[ITEMS] += 1
    head[TRAIT_ROWS] += STATS
    head[ITEM_NUMBERS] += ITEM_WIDTH
    items[item, N.id] = nft
    items[item, N.template] = 0
    items[item, N.player] = player
    items[item, N.target] = NO_UNIT
    items[item, N.turns] = 0
    items[item, N.left] = 0
    items[item, N.kind] = kind
    items[item, N.use] = FREE
    items[item, N.mode] = 0
    items[item, N.burnable] = 1
    for stat in range(STATS):
        traits[item * STATS + stat] = 0
    add_structure_row(world, item)
    return OK


@kernel
def add_structure_row(world, item):
    head = head_in(world)
    units = units_in(world)
    sheets = sheets_in(world)
    row = head[UNITS]
    head[UNITS] += 1
    head[SHEETS] += STATS
    head[UNIT_NUMBERS] += UNIT_WIDTH
    units[row, U.id] = FIRST_STRUCTURE + item
    units[row, U.kind] = SUPERSTRUCTURE
    units[row, U.status] = GONE
    units[row, U.task] = IDLE
    units[row, U.acted] = 0
    units[row, U.team] = NO_TEAM
    units[row, U.ratio] = 0
    units[row, U.cell] = NO_CELL
    units[row, U.swarm] = NO_UNIT
    units[row, U.next] = NO_UNIT
    units[row, U.points] = 0
    units[row, U.wait] = 0
    units[row, U.aim] = 0
    units[row, U.item] = NO_ITEM
    units[row, U.health] = 0
    units[row, U.battery] = 0
    for stat in range(STATS):
        sheets[row * STATS + stat] = 0


@kernel
def set_trait(world, nft, trait, value):
    items = items_in(world)
    traits = traits_in(world)
    item = find_item(world, nft)
    if item == NO_ITEM:
        return Why.NO_SUCH_NFT.value
    if items[item, N.use] != FREE:
        return Why.NFT_IN_USE.value
    if trait == TEMPLATE_TRAIT:
        items[item, N.template] = value
    elif trait == BURNABLE_TRAIT and (value == 0 or value == 1):
        items[item, N.burnable] = value
    elif trait == TURNS_TRAIT and 0 <= value <= MOST_TURNS:
        items[item, N.turns] = value
    elif 0 <= trait < STATS and -STAT_LIMIT <= value <= STAT_LIMIT:
        traits[item * STATS + trait] = value
    else:
        return Why.BAD_VALUE.value
    return OK


@kernel
def set_stake(world, player, amount):
    """ "During the daily maintenance, the maximum Boid battery is updated"; the current one is clamped (ruling 21)."""
    head = head_in(world)
    players = players_in(world)
    units = units_in(world)
    if player < 0 or player >= head[PLAYERS] or amount < 0 or amount > _MOST_STAKE:
        return Why.BAD_VALUE.value
    ship = head[SHIPS_AT] + player
    players[player, P.stake] = amount
    units[ship, U.battery] = min(units[ship, U.battery], full_battery(world, ship))
    return OK


@kernel
def charge_battery(world, player):
    """ "At the start all units are unspawned with full batteries" (ruling 9), also where a stake arrives later."""
    head = head_in(world)
    units = units_in(world)
    if player < 0 or player >= head[PLAYERS]:
        return Why.BAD_VALUE.value
    ship = head[SHIPS_AT] + player
    if units[ship, U.status] != WAITING:
        return Why.NOT_WAITING.value
    units[ship, U.battery] = full_battery(world, ship)
    return OK


@kernel
def retire_ship(world, player):
    """The ship of a player who has left the game is destroyed: it would be in the way of both teams (ruling 55)."""
    head = head_in(world)
    units = units_in(world)
    if player < 0 or player >= head[PLAYERS]:
        return Why.BAD_VALUE.value
    ship = head[SHIPS_AT] + player
    if units[ship, U.status] == WAITING:
        return Why.NOT_ON_THE_MAP.value
    destroy_unit(world, ship, NO_UNIT, code_of(board_in(world), place_of(world, ship)))
    return OK


@kernel
def assign_player(world, player, team, role):
    """A team has one leader and at most one vice-leader: the former holder becomes a trooper (ruling 23)."""
    head = head_in(world)
    players = players_in(world)
    units = units_in(world)
    if player < 0 or player >= head[PLAYERS] or role < TROOPER or role > LEADER:
        return Why.BAD_VALUE.value
    if team < 0 or team >= head[TEAMS]:
        return Why.NO_SUCH_TEAM.value
    ship = head[SHIPS_AT] + player
    if players[player, P.team] != team and units[ship, U.status] != WAITING:
        return Why.NOT_WAITING.value
    for other in range(head[PLAYERS]):
        if role != TROOPER and players[other, P.team] == team and players[other, P.role] == role:
            players[other, P.role] = TROOPER
    players[player, P.team] = team
    players[player, P.role] = role
    units[ship, U.team] = team
    return OK


@kernel
def mark_burned(world, nft):
    """Mark an NFT that an action used as burned by the ledger."""
    items = items_in(world)
    item = find_item(world, nft)
    if item == NO_ITEM:
        return Why.NO_SUCH_NFT.value
    if items[item, N.use] == FREE or items[item, N.mode] == BY_STAKING:
        return Why.WRONG_NFT.value
    items[item, N.mode] = IS_BURNED
    return OK
