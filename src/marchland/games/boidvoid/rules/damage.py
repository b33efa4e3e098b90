"""After the combat: what each unit loses, by the seed's three lists (rulings 15 and 16). Compiled."""

from typing import Final

from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import NO_CELL
from marchland.core.state import NO_PLAYER
from marchland.games.boidvoid.rules.constants import (
    B_DEFENSE,
    B_RANGE,
    DEFENSE,
    FRESH,
    GONE,
    HUNDREDTHS,
    MOTHERSHIP,
    NO_UNIT,
    RANGE,
    RESPAWN,
    SHIP,
    SHIPS_AT,
    SPREAD,
    STATS,
    STRONG,
    SUPERSTRUCTURE,
    SWARM,
    WAITING,
    WEAK,
)
from marchland.games.boidvoid.rules.events import DESTROYED, SHIELDS, WOUND
from marchland.games.boidvoid.rules.nfts import release_nfts
from marchland.games.boidvoid.rules.state import C, L, P, T, U
from marchland.games.boidvoid.rules.swarms import remove_ship
from marchland.games.boidvoid.rules.units import (
    abandon_task,
    attack_share,
    bonus_at,
    first_ship,
    next_ship,
    place_of,
    stat_in,
)
from marchland.games.boidvoid.rules.world import (
    cells_in,
    dice_in,
    head_in,
    lineup_in,
    players_in,
    rules_in,
    sheets_in,
    teams_in,
    units_in,
)
from marchland.kernels import kernel

_PAIR: Final = 1 << 32
_DRAWS: Final = 1 << 62


@kernel
def player_of(world, unit):
    return unit - head_in(world)[SHIPS_AT] if units_in(world)[unit, U.kind] == SHIP else NO_PLAYER


@kernel
def range_bonus(world, unit, cell):
    """TRB, POIRB and SSRB add only with `range_bonus` (ruling 13)."""
    if not rules_in(world).range_bonus:
        return 0
    return bonus_at(world, cell, B_RANGE, units_in(world)[unit, U.team], unit, False)


@kernel
def factor(world, percent):
    """A factor of steps 11 and 12 in percent, not below 0 (ruling 17) and not above `factor_limit` (ruling 30)."""
    return min(max(100 + percent, 0), rules_in(world).factor_limit)


@kernel
def boosted_defense(defense, guard):
    """Defense in hundredths, times a factor in percent."""
    return max(defense, 0) * HUNDREDTHS * guard // 100


@kernel
def take_damage(world, unit, other, damage, has_struck, apart, draw_purpose):
    """Take damage from a unit, or each ship of a swarm; leaves them in the line-up and returns how many they are."""
    units = units_in(world)
    sheets = sheets_in(world)
    lineup = lineup_in(world)
    rules = rules_in(world)
    cell = place_of(world, unit)
    further = range_bonus(world, unit, cell)
    guard = factor(world, bonus_at(world, cell, B_DEFENSE, units[unit, U.team], unit, False))
    is_swarm = units[unit, U.kind] == SWARM
    count = 0
    ship = first_ship(units, unit)
    while ship != NO_UNIT:
        shields = 0
        if units[ship, U.kind] == SHIP:
            share = attack_share(units, ship)
            shields = units[ship, U.battery] - share
            if has_struck and (not is_swarm or stat_in(units, sheets, ship, RANGE) + further >= apart):
                units[ship, U.battery] -= share  # spaceship 1, swarm 2.2
        lineup[count, L.member] = ship
        lineup[count, L.shields] = shields
        count += 1
        ship = next_ship(units, unit, ship)
    distribution = rules.damage_distribution
    if is_swarm and distribution != SPREAD and damage > 0:
        order_ships(world, count, units[other, U.id], guard, distribution, draw_purpose)  # swarm 1
    share_of_one = damage // count if distribution == SPREAD else damage
    left = share_of_one
    for place in range(count):
        if left == 0:  # "If the damage taken is 0 (zero), end."
            break
        ship = lineup[place, L.member]
        armour = boosted_defense(stat_in(units, sheets, ship, DEFENSE), guard)
        left = absorb_damage(world, units, ship, lineup[place, L.shields], armour, rules.deplete_on_defense, left)
        if distribution == SPREAD:
            left = share_of_one
    return count


@kernel
def absorb_damage(world, units, unit, shields, armour, depletes, damage):
    """Shields, then defense, then health; returns the damage that is left."""
    if units[unit, U.kind] == SHIP:  # spaceship 2, swarm 2.3
        spent = shields if depletes or damage > shields else damage
        units[unit, U.battery] -= spent
        emit(world.events, SHIELDS, units[unit, U.id], shields, spent, units[unit, U.battery])
    left = max(damage - shields, 0)
    if left > 0:
        blocked = min(left, armour)  # spaceship 4, swarm 2.5, others 1
        wound = min(left - blocked, units[unit, U.health])  # spaceship 6, swarm 2.7, others 3
        units[unit, U.health] -= wound
        emit(world.events, WOUND, units[unit, U.id], blocked, wound, units[unit, U.health])
        left -= blocked + wound
    owner = player_of(world, unit)
    if owner != NO_PLAYER:
        players_in(world)[owner, P.defense] += damage - left
    return left


@kernel
def order_ships(world, count, opponent, guard, distribution, draw_purpose):
    """Swarm 1: stronger first, weaker first or random; ties by id. Shell sort, since it needs no memory."""
    units = units_in(world)
    sheets = sheets_in(world)
    lineup = lineup_in(world)
    dice = dice_in(world)
    for place in range(count):
        ship = lineup[place, L.member]
        strength = lineup[place, L.shields] + boosted_defense(stat_in(units, sheets, ship, DEFENSE), guard)
        if distribution == STRONG:
            strength = -strength
        elif distribution != WEAK:
            strength = draw(dice, draw_purpose, opponent * _PAIR + units[ship, U.id], _DRAWS)
        lineup[place, L.rank] = strength
    gap = count // 2
    while gap > 0:
        for start in range(gap, count):
            ship = lineup[start, L.member]
            shields = lineup[start, L.shields]
            rank = lineup[start, L.rank]
            place = start
            while place >= gap and (
                lineup[place - gap, L.rank] > rank
                or (lineup[place - gap, L.rank] == rank and lineup[place - gap, L.member] > ship)
            ):
                lineup[place, L.member] = lineup[place - gap, L.member]
                lineup[place, L.shields] = lineup[place - gap, L.shields]
                lineup[place, L.rank] = lineup[place - gap, L.rank]
                place -= gap
            lineup[place, L.member] = ship
            lineup[place, L.shields] = shields
            lineup[place, L.rank] = rank
        gap //= 2


@kernel
def destroy_unit(world, unit, by, where):
    """Destroy a unit other than a swarm on the tile of code ``where``; ``by`` is `NO_UNIT` if it was detonated."""
    units = units_in(world)
    emit(world.events, DESTROYED, units[unit, U.id], units[by, U.id] if by != NO_UNIT else NO_UNIT, where)
    if units[unit, U.swarm] != NO_UNIT:
        remove_ship(world, unit)
    elif units[unit, U.kind] == SUPERSTRUCTURE:
        cells_in(world)[units[unit, U.cell], C.structure] = NO_UNIT
        teams_in(world)[units[unit, U.team], T.structures] -= 1
    else:
        cells_in(world)[units[unit, U.cell], C.unit] = NO_UNIT
    units[unit, U.cell] = NO_CELL
    units[unit, U.health] = 0
    units[unit, U.points] = 0
    if units[unit, U.kind] == SHIP or units[unit, U.kind] == MOTHERSHIP:  # ruling 10
        game = rules_in(world).respawn_ship if units[unit, U.kind] == SHIP else rules_in(world).respawn_mothership
        abandon_task(world, unit)
        units[unit, U.status] = WAITING
        units[unit, U.wait] = max(1, game + sheets_in(world)[unit * STATS + RESPAWN])
        units[unit, U.acted] = FRESH
    else:  # neither superstructures nor NPCs come back
        units[unit, U.status] = GONE
        units[unit, U.acted] = 0
        units[unit, U.aim] = 0
        release_nfts(world, unit)
