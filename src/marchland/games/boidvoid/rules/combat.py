"""Combat, by the numbers of the seed's twenty steps. Compiled.

Damage, shields, defense and health are in hundredths (ruling 17). Each figure is emitted as an event as it is computed.
"""

from typing import Final

from marchland.board.cells import distance
from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER
from marchland.games.boidvoid.rules.constants import (
    ATTACK,
    B_ATTACK,
    B_CHANCE,
    B_DEFENSE,
    B_VALUE,
    CANNOT,
    CHANCE,
    DEFENSE,
    HUNDREDTHS,
    MOTHERSHIP,
    NO_TEAM,
    NO_UNIT,
    NOT_ALLOWED,
    OVERWHELMED,
    RANGE,
    SHIP,
    STRIKES_BACK,
    SWARM,
    TARGET_TOO_FAR,
    VALUE,
)
from marchland.games.boidvoid.rules.damage import destroy_unit, factor, player_of, range_bonus, take_damage
from marchland.games.boidvoid.rules.events import ATTACKED, FORCE, GUARD, HIT, NO_COUNTER
from marchland.games.boidvoid.rules.events import CHANCE as CHANCE_TAKEN
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import L, P, T, U
from marchland.games.boidvoid.rules.units import attack_share, bonus_at, first_ship, next_ship, place_of, stat_in
from marchland.games.boidvoid.rules.world import (
    COUNTER_CRITICAL,
    COUNTER_DISTRIBUTION,
    CRITICAL,
    DISTRIBUTION,
    OK,
    board_in,
    dice_in,
    lineup_in,
    players_in,
    rules_in,
    sheets_in,
    teams_in,
    units_in,
)
from marchland.kernels import kernel

_PAIR: Final = 1 << 32


@kernel
def fight(world, attacker, target, player):
    """``attacker`` attacks ``target`` on the order of ``player`` or `NO_PLAYER`; returns a reason if it may not."""
    units = units_in(world)
    here = place_of(world, attacker)
    there = place_of(world, target)
    apart = distance(board_in(world), here, there)
    reach = range_of(world, attacker, here)  # 1
    if apart > reach:  # 2
        return Why.OUT_OF_RANGE.value
    from_code = code_of(board_in(world), here)
    to_code = code_of(board_in(world), there)
    emit(world.events, ATTACKED, units[attacker, U.id], units[target, U.id], from_code, to_code, reach)
    blow = 0
    answer = 0
    bearable = 0
    for side in range(2):  # 13: steps 1 to 12 for both, from what was before the combat
        striker = attacker if side == 0 else target
        struck = target if side == 0 else attacker
        damage = damage_of(world, striker, struck, apart, CRITICAL if side == 0 else COUNTER_CRITICAL)  # 3 to 7, 11
        defense, health = defense_of(world, struck)  # 8 to 10, 12
        if side == 0:
            blow = damage
            bearable = defense + health
        else:
            answer = damage
            reach = range_of(world, target, there)  # 1
    emit(world.events, HIT, units[target, U.id], units[attacker, U.id], blow)  # 14
    counter = counter_of(world, target, apart, reach, blow, bearable)
    if counter == STRIKES_BACK:
        emit(world.events, HIT, units[attacker, U.id], units[target, U.id], answer)  # 18, 19
    else:
        emit(world.events, NO_COUNTER, units[target, U.id], counter)
        answer = 0
    for side in range(2):  # "After the combat is executed, the units are ... updated."
        unit = target if side == 0 else attacker
        other = attacker if side == 0 else target
        damage = blow if side == 0 else answer
        giver = player if side == 0 else player_of(world, target)
        draw_purpose = DISTRIBUTION if side == 0 else COUNTER_DISTRIBUTION
        count = take_damage(world, unit, other, damage, side == 1 or counter == STRIKES_BACK, apart, draw_purpose)
        fallen = 0
        for place in range(count):
            ship = lineup_in(world)[place, L.member]
            if units[ship, U.health] == 0:
                destroy_unit(world, ship, other, to_code if side == 0 else from_code)
                fallen += 1
        if units[other, U.team] != NO_TEAM:
            teams_in(world)[units[other, U.team], T.destroyed] += fallen
        if giver != NO_PLAYER:
            players_in(world)[giver, P.attack] += damage  # ruling 36
            players_in(world)[giver, P.defeated] += fallen
    return OK


@kernel
def range_of(world, unit, cell):
    """Step 1: URB, or Max(URB) of a swarm."""
    units = units_in(world)
    sheets = sheets_in(world)
    ship = first_ship(units, unit)
    reach = stat_in(units, sheets, ship, RANGE)
    while ship != NO_UNIT:
        reach = max(reach, stat_in(units, sheets, ship, RANGE))
        ship = next_ship(units, unit, ship)
    return reach + range_bonus(world, unit, cell)


@kernel
def counter_of(world, target, apart, reach, blow, bearable):
    """Whether the target strikes back, or why it does not (steps 15 to 17)."""
    if blow > bearable:  # 15, ruling 14
        return OVERWHELMED
    if not rules_in(world).counterattack:  # 16
        return NOT_ALLOWED
    if apart > reach:  # 17
        return TARGET_TOO_FAR
    return CANNOT if units_in(world)[target, U.kind] == MOTHERSHIP else STRIKES_BACK  # ruling 13


@kernel
def damage_of(world, unit, other, apart, phase):
    """Steps 3 to 7 and 11."""
    units = units_in(world)
    main, additional, bonus, chance, value = force_of(world, unit, apart)
    rolled = draw(dice_in(world), phase, units[unit, U.id] * _PAIR + units[other, U.id], 100)
    critical = value if rolled < chance else 0  # 7
    damage = damage_with(world, main + additional, bonus, critical)
    emit(world.events, FORCE, units[unit, U.id], main, additional, bonus, damage)
    emit(world.events, CHANCE_TAKEN, units[unit, U.id], chance, rolled, critical)
    return damage


@kernel
def damage_with(world, force, bonus, critical):
    return max(force, 0) * factor(world, bonus) * factor(world, critical) // 10_000  # 11


@kernel
def force_of(world, unit, apart):
    """Main and additional damage, their bonus, the chance of a critical hit, and its bonus."""
    units = units_in(world)
    sheets = sheets_in(world)
    rules = rules_in(world)
    cell = place_of(world, unit)
    team = units[unit, U.team]
    further = range_bonus(world, unit, cell)
    main = 0
    additional = 0
    chance = 0
    value = 0
    members = 0
    ship = first_ship(units, unit)
    while ship != NO_UNIT:
        if units[unit, U.kind] != SWARM or stat_in(units, sheets, ship, RANGE) + further >= apart:
            if units[ship, U.kind] == SHIP:
                main += attack_share(units, ship)  # 3
            if units[ship, U.kind] != MOTHERSHIP:
                additional += stat_in(units, sheets, ship, ATTACK) * HUNDREDTHS  # 4
        chance += stat_in(units, sheets, ship, CHANCE)
        value += stat_in(units, sheets, ship, VALUE)
        members += 1
        ship = next_ship(units, unit, ship)
    bonus = bonus_at(world, cell, B_ATTACK, team, unit, False)  # 5
    chance = chance // members + bonus_at(world, cell, B_CHANCE, team, unit, False)  # 6
    chance = min(max(chance, 0), rules.critical_limit)
    value = value // members + bonus_at(world, cell, B_VALUE, team, unit, False)
    return main, additional, bonus, chance, value


@kernel
def defense_of(world, unit):
    """The total defense and the health behind it."""
    units = units_in(world)
    sheets = sheets_in(world)
    shields = 0
    defense = 0
    health = 0
    bonus = bonus_at(world, place_of(world, unit), B_DEFENSE, units[unit, U.team], unit, False)  # 10
    ship = first_ship(units, unit)
    while ship != NO_UNIT:
        if units[ship, U.kind] == SHIP:
            shields += units[ship, U.battery] - attack_share(units, ship)  # 8
        defense += max(stat_in(units, sheets, ship, DEFENSE), 0) * HUNDREDTHS  # 9
        health += units[ship, U.health]
        ship = next_ship(units, unit, ship)
    total = shields + defense * factor(world, bonus) // 100  # 12
    emit(world.events, GUARD, units[unit, U.id], shields, defense, bonus, total)
    return total, health
