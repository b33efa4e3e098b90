"""NFTs as the rules see them: whose, free or not, and what they may change. Compiled."""

from typing import Final

from marchland.games.boidvoid.codes import (
    ATTACK,
    BUILD,
    BY_BURNING,
    CHANCE,
    DEFENSE,
    FREE,
    HEALTH,
    ITEMS,
    MOTHERSHIP,
    NOBODY,
    OWN_STATS,
    POINTS,
    RANGE,
    RECOVERY,
    RESPAWN,
    SHIP,
    STATS,
    STEP,
    SUPERSTRUCTURE,
    SWARM,
    VALUE,
)
from marchland.games.boidvoid.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.state import N, U
from marchland.games.boidvoid.world import (
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
def item_of(world, nft):
    """The row of the NFT with that id, or NOBODY."""
    head = head_in(world)
    items = items_in(world)
    for item in range(head[ITEMS]):
        if items[item, N.id] == nft:
            return item
    return NOBODY


@kernel
def item_for(world, player, nft, mode):
    """The player's NFT if it is free to be used so, else why not."""
    items = items_in(world)
    item = item_of(world, nft)
    if item == NOBODY or items[item, N.player] != player:
        return Why.NOT_YOUR_NFT.value, NOBODY
    if items[item, N.use] != FREE:
        return Why.NFT_IN_USE.value, NOBODY
    if mode == BY_BURNING and not items[item, N.burnable]:
        return Why.NOT_BURNABLE.value, NOBODY
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
