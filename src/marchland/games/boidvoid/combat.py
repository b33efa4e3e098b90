"""Combat, by the numbers of the seed's steps and of its three lists of what follows. Compiled.

Damage, shields, defense and health are in hundredths (ruling 17). Each figure is told in an event as it is found.
"""

from typing import Final

from marchland.board.cells import distance
from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.kernel import inlined, kernel
from marchland.core.orders import code_of
from marchland.games.boidvoid.happenings import ATTACKED, FORCE, GUARD, HIT, NO_COUNTER, SHIELDS, WOUND
from marchland.games.boidvoid.happenings import CHANCE as CHANCE_TAKEN
from marchland.games.boidvoid.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.state import (
    ATTACK,
    B_ATTACK,
    B_CHANCE,
    B_DEFENSE,
    B_RANGE,
    B_VALUE,
    CHANCE,
    DEFENSE,
    HUNDREDTHS,
    MOTHERSHIP,
    NOBODY,
    RANGE,
    SHIP,
    SHIPS_AT,
    SPREAD,
    STRONG,
    SWARM,
    VALUE,
    WEAK,
    L,
    P,
    T,
    U,
)
from marchland.games.boidvoid.swarms import wreck
from marchland.games.boidvoid.world import (
    COUNTER_CRITICAL,
    CRITICAL,
    DISTRIBUTION,
    OK,
    attack_share,
    board_in,
    bonus_at,
    dice_in,
    head_in,
    lineup_in,
    open_world,
    place_of,
    players_in,
    rules_in,
    stat_of,
    teams_in,
    units_in,
)

STRIKES_BACK, OVERWHELMED, NOT_ALLOWED, TARGET_TOO_FAR, CANNOT = range(5)
ANSWERS: Final = ("strikes back", "overwhelmed", "not allowed", "out of range", "cannot strike")

_PAIR: Final = 1 << 32
_LOTS: Final = 1 << 62


@kernel
def fight(state, work, at, board, events, rules, attacker, target, player):
    """``attacker`` attacks ``target`` on the order of ``player``, or of nobody; returns why not, where it may not."""
    world = open_world(state, work, at, board, events, rules)
    players = players_in(world)
    teams = teams_in(world)
    units = units_in(world)
    lineup = lineup_in(world)
    here = place_of(world, attacker)
    there = place_of(world, target)
    apart = distance(board_in(world), here, there)
    reach = range_of(world, attacker, here)  # 1
    if apart > reach:  # 2
        return Why.OUT_OF_RANGE.value
    emit(
        world.events,
        ATTACKED,
        units[attacker, U.id],
        units[target, U.id],
        code_of(board_in(world), here),
        code_of(board_in(world), there),
        reach,
    )
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
    counter = STRIKES_BACK
    if blow > bearable:  # 15
        counter = OVERWHELMED
    elif not rules_in(world).counterattack:  # 16
        counter = NOT_ALLOWED
    elif apart > reach:  # 17
        counter = TARGET_TOO_FAR
    elif units[target, U.kind] == MOTHERSHIP:  # ruling 13
        counter = CANNOT
    if counter == STRIKES_BACK:
        emit(world.events, HIT, units[attacker, U.id], units[target, U.id], answer)  # 18, 19
    else:
        emit(world.events, NO_COUNTER, units[target, U.id], counter)
        answer = 0
    for side in range(2):  # "After the combat is executed, the units are ... updated."
        unit = target if side == 0 else attacker
        other = attacker if side == 0 else target
        damage = blow if side == 0 else answer
        giver = player if side == 0 else owner_of(world, target)
        if giver != NOBODY:
            players[giver, P.attack] += damage
        has_struck = side == 1 or counter == STRIKES_BACK
        count = updated(world, unit, other, damage, has_struck, apart)
        for place in range(count):
            ship = lineup[place, L.member]
            if units[ship, U.health] == 0:
                if units[other, U.team] != NOBODY:
                    teams[units[other, U.team], T.destroyed] += 1
                if giver != NOBODY:
                    players[giver, P.defeated] += 1
                wreck(state, work, at, board, events, rules, ship + 0, other + 0)
    return OK


@inlined
def owner_of(world, unit):
    head = head_in(world)
    units = units_in(world)
    return unit - head[SHIPS_AT] if units[unit, U.kind] == SHIP else NOBODY


@inlined
def first_of(world, unit):
    """The first ship of a swarm, or the unit itself; the next ones follow by ``next``."""
    units = units_in(world)
    return units[unit, U.swarm] + 0 if units[unit, U.kind] == SWARM else unit + 0


@kernel
def reach_of(world, unit, cell):
    """URB of one unit; TRB, POIRB and SSRB add only with `range_bonus` (ruling 13)."""
    units = units_in(world)
    rules = rules_in(world)
    reach = stat_of(world, unit, RANGE) + 0
    if rules.range_bonus:
        reach += bonus_at(world, cell, B_RANGE, units[unit, U.team], unit, False)
    return reach


@kernel
def range_of(world, unit, cell):
    """Step 1: URB, or Max(URB) of a swarm."""
    units = units_in(world)
    ship = first_of(world, unit)
    reach = reach_of(world, ship, cell)
    while units[unit, U.kind] == SWARM and ship != NOBODY:
        reach = max(reach, reach_of(world, ship, cell))
        ship = units[ship, U.next]
    return reach


@inlined
def factor(world, percent):
    """A factor of steps 11 and 12 in percent, not below 0 (ruling 17) and not above `factor_limit`."""
    rules = rules_in(world)
    return min(max(100 + percent, 0), rules.factor_limit)


@kernel
def damage_of(world, unit, other, apart, phase):
    units = units_in(world)
    rules = rules_in(world)
    dice = dice_in(world)
    cell = place_of(world, unit)
    team = units[unit, U.team]
    main = 0
    additional = 0
    chance = 0
    value = 0
    members = 0
    ship = first_of(world, unit)
    while ship != NOBODY:
        in_range = units[unit, U.kind] != SWARM or reach_of(world, ship, cell) >= apart
        if in_range and units[ship, U.kind] == SHIP:
            main += attack_share(units, ship)  # 3
        if in_range and units[ship, U.kind] != MOTHERSHIP:
            additional += stat_of(world, ship, ATTACK) * HUNDREDTHS  # 4
        chance += stat_of(world, ship, CHANCE)
        value += stat_of(world, ship, VALUE)
        members += 1
        ship = units[ship, U.next] if units[unit, U.kind] == SWARM else NOBODY
    bonus = bonus_at(world, cell, B_ATTACK, team, unit, False)  # 5
    chance = chance // members + bonus_at(world, cell, B_CHANCE, team, unit, False)  # 6
    chance = min(max(chance, 0), rules.critical_limit)
    rolled = draw(dice, phase, units[unit, U.id] * _PAIR + units[other, U.id], 100)
    critical = 0
    if rolled < chance:  # 7
        critical = value // members + bonus_at(world, cell, B_VALUE, team, unit, False)
    damage = max(main + additional, 0) * factor(world, bonus) * factor(world, critical) // 10_000  # 11
    emit(world.events, FORCE, units[unit, U.id], main, additional, bonus, damage)
    emit(world.events, CHANCE_TAKEN, units[unit, U.id], chance, rolled, critical)
    return damage


@kernel
def boosted_defense(world, ship, bonus):
    return max(stat_of(world, ship, DEFENSE), 0) * HUNDREDTHS * factor(world, bonus) // 100


@kernel
def defense_of(world, unit):
    """The total defense and the health behind it."""
    units = units_in(world)
    shields = 0
    defense = 0
    health = 0
    bonus = bonus_at(world, place_of(world, unit), B_DEFENSE, units[unit, U.team], unit, False)  # 10
    ship = first_of(world, unit)
    while ship != NOBODY:
        if units[ship, U.kind] == SHIP:
            shields += units[ship, U.battery] - attack_share(units, ship)  # 8
        defense += max(stat_of(world, ship, DEFENSE), 0) * HUNDREDTHS  # 9
        health += units[ship, U.health]
        ship = units[ship, U.next] if units[unit, U.kind] == SWARM else NOBODY
    total = shields + defense * factor(world, bonus) // 100  # 12
    emit(world.events, GUARD, units[unit, U.id], shields, defense, bonus, total)
    return total, health


# ---------------------------------------------------------------- after the combat


@kernel
def updated(world, unit, other, damage, has_struck, apart):
    """What a unit, or each ship of a swarm, loses (rulings 15 and 16); leaves them in the line-up, returns how many."""
    units = units_in(world)
    lineup = lineup_in(world)
    rules = rules_in(world)
    cell = place_of(world, unit)
    bonus = bonus_at(world, cell, B_DEFENSE, units[unit, U.team], unit, False)
    count = 0
    ship = first_of(world, unit)
    while ship != NOBODY:
        shields = 0
        if units[ship, U.kind] == SHIP:
            share = attack_share(units, ship)
            shields = units[ship, U.battery] - share
            in_range = units[unit, U.kind] != SWARM or reach_of(world, ship, cell) >= apart
            if has_struck and in_range:
                units[ship, U.battery] -= share  # spaceship 1, swarm 2.2
        lineup[count, L.member] = ship
        lineup[count, L.shields] = shields
        count += 1
        ship = units[ship, U.next] if units[unit, U.kind] == SWARM else NOBODY
    distribution = rules.damage_distribution
    if units[unit, U.kind] == SWARM and distribution != SPREAD and damage > 0:
        order(world, count, units[other, U.id], bonus, distribution)  # swarm 1
    share_of_one = damage // count if distribution == SPREAD else damage
    left = share_of_one
    for place in range(count):
        if left == 0:  # "If the damage taken is 0 (zero), end."
            break
        left = absorbed(world, lineup[place, L.member], lineup[place, L.shields], bonus, left)
        if distribution == SPREAD:
            left = share_of_one
    return count


@kernel
def absorbed(world, unit, shields, bonus, damage):
    """Shields, then defense, then health; returns the damage that is left."""
    players = players_in(world)
    units = units_in(world)
    rules = rules_in(world)
    owner = owner_of(world, unit)
    spent = 0
    if units[unit, U.kind] == SHIP:  # spaceship 2, swarm 2.3
        spent = shields if rules.deplete_on_defense or damage > shields else damage
        units[unit, U.battery] -= spent
        emit(world.events, SHIELDS, units[unit, U.id], shields, spent, units[unit, U.battery])
    left = max(damage - shields, 0)
    blocked = min(left, boosted_defense(world, unit, bonus))  # spaceship 4, swarm 2.5, others 1
    wound = min(left - blocked, units[unit, U.health])  # spaceship 6, swarm 2.7, others 3
    units[unit, U.health] -= wound
    if left > 0:
        emit(world.events, WOUND, units[unit, U.id], blocked, wound, units[unit, U.health])
    left -= blocked + wound
    if owner != NOBODY:
        players[owner, P.defense] += damage - left
    return left


@kernel
def order(world, count, opponent, bonus, distribution):
    """Swarm 1: stronger first, weaker first or by lot; ties by id. Shell's sort, since it needs no room."""
    units = units_in(world)
    lineup = lineup_in(world)
    dice = dice_in(world)
    for place in range(count):
        ship = lineup[place, L.member]
        strength = lineup[place, L.shields] + boosted_defense(world, ship, bonus)
        if distribution == STRONG:
            strength = -strength
        elif distribution != WEAK:
            strength = draw(dice, DISTRIBUTION, opponent * _PAIR + units[ship, U.id], _LOTS)
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
