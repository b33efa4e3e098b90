"""What NFTs do inside a game: equipment, stacks and boosts. Compiled."""

from marchland.core.events import emit
from marchland.core.orders import NO_CELL, cell_of, code_of
from marchland.games.boidvoid.rules.constants import (
    BOOSTING,
    BY_BURNING,
    BY_STAKING,
    FREE,
    HEALTH,
    HUNDREDTHS,
    ITEMS,
    MOTHERSHIP,
    N_AVATAR,
    N_BOOST,
    N_MOTHERSHIP,
    N_SHIP,
    N_STRUCTURE,
    NO_ITEM,
    NO_UNIT,
    SHIP,
    STATS,
    SWARM,
)
from marchland.games.boidvoid.rules.constants import EQUIPPED as IS_EQUIPPED
from marchland.games.boidvoid.rules.constants import STACKED as IS_STACKED
from marchland.games.boidvoid.rules.events import BOOST_OVER, BOOSTED, EQUIPPED, STACKED
from marchland.games.boidvoid.rules.nfts import add_traits, end_use, find_free_item, fits
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import C, N, P, U
from marchland.games.boidvoid.rules.units import clamp_health_and_battery, row_of
from marchland.games.boidvoid.rules.world import (
    OK,
    board_in,
    cells_in,
    head_in,
    items_in,
    players_in,
    rules_in,
    traits_in,
    units_in,
)
from marchland.kernels import kernel


@kernel
def equip(world, player, unit, nft):
    """Free of charge (ruling 6); what the unit had before returns to its owner."""
    players = players_in(world)
    units = units_in(world)
    items = items_in(world)
    why, item = find_free_item(world, player, nft, BY_STAKING)
    if why != OK:
        return why
    kind = items[item, N.kind]
    if kind == N_AVATAR and units[unit, U.kind] == SHIP:
        former = players[player, P.avatar]
        players[player, P.avatar] = item
    elif (kind == N_SHIP and units[unit, U.kind] == SHIP) or (
        kind == N_MOTHERSHIP and units[unit, U.kind] == MOTHERSHIP
    ):
        if not fits(world, item, unit):
            return Why.WRONG_NFT.value
        former = units[unit, U.item]
        if former != NO_ITEM:
            add_traits(world, former, unit, -1)
        add_traits(world, item, unit, 1)
        units[unit, U.item] = item
        clamp_health_and_battery(world, unit)
    else:
        return Why.WRONG_NFT.value
    if former != NO_ITEM:
        items[former, N.use] = FREE
        items[former, N.target] = NO_UNIT
    items[item, N.use] = IS_EQUIPPED
    items[item, N.target] = unit
    emit(world.events, EQUIPPED, units[unit, U.id], nft, kind)
    return OK


@kernel
def stack_nft(world, player, at, nft, mode):
    """Another NFT of the same template raises a superstructure's level: modifiers times level (ruling 25)."""
    cells = cells_in(world)
    players = players_in(world)
    units = units_in(world)
    items = items_in(world)
    traits = traits_in(world)
    board = board_in(world)
    rules = rules_in(world)
    if mode != BY_BURNING and mode != BY_STAKING:
        return Why.BAD_VALUE.value
    cell = cell_of(board, at)
    if cell == NO_CELL:
        return Why.OFF_THE_MAP.value
    structure = cells[cell, C.structure]
    if structure == NO_UNIT or units[structure, U.team] != players[player, P.team]:
        return Why.NO_STRUCTURE.value
    why, item = find_free_item(world, player, nft, mode)
    if why != OK:
        return why
    founder = units[structure, U.item]
    same = items[item, N.kind] == N_STRUCTURE and items[item, N.template] == items[founder, N.template]
    if not same or not fits(world, founder, structure):
        return Why.WRONG_NFT.value
    if units[structure, U.aim] >= rules.level_limit:
        return Why.LEVEL_LIMIT.value
    units[structure, U.aim] += 1
    add_traits(world, founder, structure, 1)
    units[structure, U.health] += max(traits[founder * STATS + HEALTH], 0) * HUNDREDTHS
    clamp_health_and_battery(world, structure)
    items[item, N.use] = IS_STACKED
    items[item, N.mode] = mode
    items[item, N.target] = structure
    emit(world.events, STACKED, units[structure, U.id], code_of(board, cell), units[structure, U.aim])
    return OK


@kernel
def begin_boost(world, player, name, nft, mode):
    """A modifier for some turns on a unit of the own team, by burning or by staking (ruling 25)."""
    players = players_in(world)
    units = units_in(world)
    items = items_in(world)
    if mode != BY_BURNING and mode != BY_STAKING:
        return Why.BAD_VALUE.value
    unit = row_of(world, name)
    if unit == NO_UNIT:
        return Why.NO_SUCH_UNIT.value
    if units[unit, U.team] != players[player, P.team]:
        return Why.OTHER_TEAM.value
    why, item = find_free_item(world, player, nft, mode)
    if why != OK:
        return why
    if items[item, N.kind] != N_BOOST or items[item, N.turns] < 1 or not fits(world, item, unit):
        return Why.WRONG_NFT.value
    if count_boosts(world, unit) >= rules_in(world).boost_limit:
        return Why.BOOST_LIMIT.value
    add_traits(world, item, unit, 1)
    clamp_after_boost(world, unit)
    items[item, N.use] = BOOSTING
    items[item, N.mode] = mode
    items[item, N.target] = unit
    items[item, N.left] = items[item, N.turns]
    emit(world.events, BOOSTED, units[unit, U.id], nft, items[item, N.turns])
    return OK


@kernel
def count_boosts(world, unit):
    head = head_in(world)
    items = items_in(world)
    count = 0
    for item in range(head[ITEMS]):
        count += 1 if items[item, N.use] == BOOSTING and items[item, N.target] == unit else 0
    return count


@kernel
def clamp_after_boost(world, unit):
    units = units_in(world)
    if units[unit, U.kind] != SWARM:  # a swarm has neither health nor battery of its own
        clamp_health_and_battery(world, unit)


@kernel
def expire_boosts(world):
    """Boosts of which this was the last turn end; staked NFTs return, burned ones are spent."""
    head = head_in(world)
    units = units_in(world)
    items = items_in(world)
    for item in range(head[ITEMS]):
        if items[item, N.use] != BOOSTING:
            continue
        items[item, N.left] -= 1
        if items[item, N.left] == 0:
            unit = items[item, N.target]
            add_traits(world, item, unit, -1)
            clamp_after_boost(world, unit)
            emit(world.events, BOOST_OVER, units[unit, U.id], items[item, N.id])
            end_use(world, item)
