"""NFTs as the rules see them: whose, free or not, and what they may change. Compiled."""

from typing import Final

from marchland.core.events import emit
from marchland.games.boidvoid.rules.constants import (
    ATTACK,
    BOOSTING,
    BUILD,
    BUILT,
    BY_BURNING,
    BY_STAKING,
    CHANCE,
    DEFENSE,
    FREE,
    HEALTH,
    ITEMS,
    MOTHERSHIP,
    NO_ITEM,
    NO_UNIT,
    OWN_STATS,
    POINTS,
    RANGE,
    RECOVERY,
    RESPAWN,
    SHIP,
    SPENT,
    STACKED,
    STATS,
    STEP,
    SUPERSTRUCTURE,
    SWARM,
    VALUE,
)
from marchland.games.boidvoid.rules.events import RETURNED
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import N, U
from marchland.games.boidvoid.rules.world import (
    OK,
    head_in,
    items_in,
    sheets_in,
    traits_in,
    units_in,
)
from marchland.kernels import kernel

STAT_LIMIT: Final = 1_000_000
"""Beyond this a modifier of a unit cannot go, however many NFTs add up."""


def _bits(*stats: int) -> int:
    return sum(1 << stat for stat in stats)


# Which modifiers each kind of unit has (ruling 24); a swarm those that its ships share while they are in it.
SHIP_STATS: Final = _bits(*(stat for stat in range(OWN_STATS) if stat != BUILD))
SWARM_STATS: Final = _bits(ATTACK, DEFENSE, STEP, RANGE, CHANCE, VALUE, RECOVERY, POINTS)
MOTHERSHIP_STATS: Final = _bits(ATTACK, DEFENSE, HEALTH, STEP, RANGE, RESPAWN, POINTS)
STRUCTURE_STATS: Final = _bits(ATTACK, DEFENSE, HEALTH, RANGE, BUILD, CHANCE, VALUE, *range(OWN_STATS, STATS))


@kernel
def find_item(world, nft):
    """The row of the NFT with that id, or NO_ITEM. Backwards: the host sends an NFT's traits right after the NFT."""
    head = head_in(world)
    items = items_in(world)
    for item in range(head[ITEMS] - 1, -1, -1):
        if items[item, N.id] == nft:
            return item
    return NO_ITEM


@kernel
def find_free_item(world, player, nft, mode):
    """The player's NFT if it is free to be used so, else why not."""
    items = items_in(world)
    item = find_item(world, nft)
    if item == NO_ITEM or items[item, N.player] != player:
        return Why.NOT_YOUR_NFT.value, NO_ITEM
    if items[item, N.use] != FREE:
        return Why.NFT_IN_USE.value, NO_ITEM
    if mode == BY_BURNING and not items[item, N.burnable]:
        return Why.NOT_BURNABLE.value, NO_ITEM
    return OK, item


@kernel
def allowed_stats(kind):
    if kind == SHIP:
        return SHIP_STATS
    if kind == SWARM:
        return SWARM_STATS
    if kind == MOTHERSHIP:
        return MOTHERSHIP_STATS
    return STRUCTURE_STATS if kind == SUPERSTRUCTURE else 0


@kernel
def fits(world, item, unit):
    """Whether the NFT has only modifiers that the unit's kind has, and none too many."""
    units = units_in(world)
    sheets = sheets_in(world)
    traits = traits_in(world)
    allowed = allowed_stats(units[unit, U.kind])
    for stat in range(STATS):
        value = traits[item * STATS + stat]
        total = sheets[unit * STATS + stat] + value
        if value != 0 and (not (allowed >> stat) & 1 or total > STAT_LIMIT or total < -STAT_LIMIT):
            return False
    return True


@kernel
def add_traits(world, item, unit, times):
    """Add the NFT's modifiers to the unit's sheet; ``times`` is -1 to take them away."""
    sheets = sheets_in(world)
    traits = traits_in(world)
    for stat in range(STATS):
        sheets[unit * STATS + stat] += times * traits[item * STATS + stat]


@kernel
def end_use(world, item):
    """End the use of an NFT: a staked one returns to its player, a burned one is spent (ruling 25)."""
    items = items_in(world)
    is_staked = items[item, N.mode] == BY_STAKING
    items[item, N.use] = FREE if is_staked else SPENT
    items[item, N.target] = NO_UNIT
    items[item, N.left] = 0
    if is_staked:
        items[item, N.mode] = BY_BURNING
        emit(world.events, RETURNED, items[item, N.player], items[item, N.id])


@kernel
def release_nfts(world, unit):
    """End the use of all NFTs on a unit that is gone."""
    head = head_in(world)
    sheets = sheets_in(world)
    items = items_in(world)
    for item in range(head[ITEMS]):
        use = items[item, N.use]
        if items[item, N.target] == unit and use in (BOOSTING, STACKED, BUILT):
            end_use(world, item)
    for stat in range(unit * STATS, (unit + 1) * STATS):
        sheets[stat] = 0
