"""The kernels of `colorfight_greedy`: a module of their own, so that they are compiled once and not with every bot."""

from typing import Any, Final, NamedTuple

from marchland.board.cells import distance
from marchland.board.tables import Ints, Longs, Tables
from marchland.core.state import NO_PLAYER
from marchland.games.colorfight.rules.orders import ATTACK, BUILD, UPGRADE
from marchland.games.colorfight.rules.state import EMPTY, FORTRESS, HOME, MINE, NEIGHBOURS, TOP_LEVEL, WELL, rules_of
from marchland.kernels import kernel

_GUARD_RANGE: Final = 4  # an enemy this near the home is a danger
_WORTH_SCALE: Final = 10_000
_HOME_WORTH: Final = 200  # what an enemy's home counts beyond its yield, and any other enemy building
_BUILDING_WORTH: Final = 20
_CELLS_A_LEVEL: Final = 20  # land that makes a higher home worth its price
_LAST_UPGRADE: Final = 60  # turns before the end after which a higher home does not pay
_IDLE_ENERGY: Final = 80  # turns before the end after which more energy finds no use


class Seen(NamedTuple):
    """What the greedy player looks at: values of every cell, then of every player."""

    owner: Any
    building: Any
    level: Any
    field: Any
    cost: Any
    gold: Any
    energy: Any
    energies: Any
    golds: Any
    techs: Any


@kernel
def greedy_orders(
    board: Tables, seen: Seen, own: Ints, me: int, turns_left: int, targets: Ints, worths: Longs, out: Longs, rules: Any
) -> Any:
    """Write the orders of player ``me`` as rows of verb, cell and number; returns how many.

    ``own`` lists the player's cells; ``targets`` and ``worths`` are scratch.
    """
    rules = rules_of(rules)
    home = -1
    for place in range(len(own)):
        if seen.building[own[place]] == HOME:
            home = own[place]
    found, danger = look_around(board, seen, own, me, home, targets, worths, rules)
    count = 0
    gold = seen.golds[me]
    energy = seen.energies[me]
    if home < 0:
        count, gold = found_a_home(seen, own, gold, out, count, rules)
    else:
        count, gold, energy = tend_the_home(board, seen, own, home, danger, gold, energy, turns_left, out, count, rules)
        count = invest(seen, own, seen.techs[me], gold, turns_left, out, count, rules)
    if danger:
        energy -= energy // 2
    return attack_the_best(board, seen, me, targets, worths, found, energy, out, count, rules)


@kernel
def write(out: Longs, count: int, verb: int, cell: int, number: int) -> Any:
    if 3 * count + 3 > len(out):
        return count
    out[3 * count] = verb
    out[3 * count + 1] = cell
    out[3 * count + 2] = number
    return count + 1


@kernel
def look_around(
    board: Tables, seen: Seen, own: Ints, me: int, home: int, targets: Ints, worths: Longs, rules: Any
) -> Any:
    """List the cells beside mine with what each is worth; returns how many, and whether the home is in danger."""
    found = 0
    danger = False
    for place in range(len(own)):
        for way in range(NEIGHBOURS):
            cell = board.neighbours[own[place] * NEIGHBOURS + way]
            if cell < 0 or seen.owner[cell] == me or not is_first_seen_from(board, seen, cell, own[place], me):
                continue
            targets[found] = cell
            worths[found] = worth(seen, cell, rules)
            found += 1
            if seen.owner[cell] != NO_PLAYER and home >= 0 and distance(board, cell, home) <= _GUARD_RANGE:
                danger = True
    return found, danger


@kernel
def is_first_seen_from(board: Tables, seen: Seen, cell: int, own_cell: int, me: int) -> Any:
    """Whether ``own_cell`` is the first of ``cell``'s neighbours that is mine: so each target is listed once."""
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        if neighbour >= 0 and seen.owner[neighbour] == me:
            return neighbour == own_cell
    return False


@kernel
def cost_of(seen: Seen, cell: int, rules: Any) -> Any:
    if seen.building[cell] == HOME:
        return seen.level[cell] * (rules.home_defence + seen.field[cell] + max(seen.energies[seen.owner[cell]], 0))
    cost = seen.cost[cell] + seen.field[cell]
    return cost * (1 + seen.level[cell]) if seen.building[cell] == FORTRESS else cost


@kernel
def worth(seen: Seen, cell: int, rules: Any) -> Any:
    """What a cell yields for what it costs; an enemy's cell counts half as much again, a home far more."""
    value = (seen.gold[cell] + seen.energy[cell]) * _WORTH_SCALE
    if seen.owner[cell] != NO_PLAYER:
        value += value // 2
        if seen.building[cell] == HOME:
            value += _HOME_WORTH * _WORTH_SCALE
        elif seen.building[cell] != EMPTY:
            value += _BUILDING_WORTH * _WORTH_SCALE
    return value // max(cost_of(seen, cell, rules), 1)


@kernel
def found_a_home(seen: Seen, own: Ints, gold: int, out: Longs, count: int, rules: Any) -> Any:
    if gold < rules.home_gold:
        return count, gold
    for place in range(len(own)):
        if seen.building[own[place]] == EMPTY:
            return write(out, count, BUILD, own[place], HOME), gold - rules.home_gold
    return count, gold


@kernel
def tend_the_home(
    board: Tables,
    seen: Seen,
    own: Ints,
    home: int,
    danger: int,
    gold: int,
    energy: int,
    turns_left: int,
    out: Longs,
    count: int,
    rules: Any,
) -> Any:
    """Upgrade the home once there is land to use it on; under threat put fortresses beside it."""
    level = seen.level[home]
    if level < TOP_LEVEL and len(own) >= _CELLS_A_LEVEL * level and turns_left > _LAST_UPGRADE:
        price = rules.home_upgrade_gold[level - 1]
        power = rules.home_upgrade_energy[level - 1]
        if gold >= price and energy >= power:
            count = write(out, count, UPGRADE, home, 0)
            gold -= price
            energy -= power
    if danger:
        for way in range(NEIGHBOURS):
            cell = board.neighbours[home * NEIGHBOURS + way]
            mine = cell >= 0 and seen.owner[cell] == seen.owner[home]
            if mine and seen.building[cell] == EMPTY and gold >= rules.fortress_gold:
                count = write(out, count, BUILD, cell, FORTRESS)
                gold -= rules.fortress_gold
    return count, gold, energy


@kernel
def invest(seen: Seen, own: Ints, tech: int, gold: int, turns_left: int, out: Longs, count: int, rules: Any) -> int:
    """Mines where they pay back before the end, wells while there is time to use their energy."""
    saving = 0
    if 0 < tech < TOP_LEVEL and turns_left >= _LAST_UPGRADE and len(own) >= _CELLS_A_LEVEL * tech:
        saving = rules.home_upgrade_gold[tech - 1]
    for place in range(len(own)):
        cell = own[place]
        level = seen.level[cell]
        as_mine = seen.gold[cell] * turns_left
        as_well = seen.energy[cell] * (turns_left - _IDLE_ENERGY)
        if seen.building[cell] == EMPTY:
            building = MINE if as_mine >= as_well else WELL
            price = rules.mine_gold if building == MINE else rules.well_gold
            if gold - price >= saving // 2 and max(as_mine, as_well) > 2 * price:
                count = write(out, count, BUILD, cell, building)
                gold -= price
        elif (seen.building[cell] == MINE or seen.building[cell] == WELL) and level < min(tech, TOP_LEVEL):
            price = rules.upgrade_gold[level - 1]
            gain = as_mine if seen.building[cell] == MINE else as_well
            if gold - price >= saving and gain > 2 * price:
                count = write(out, count, UPGRADE, cell, 0)
                gold -= price
    return count


@kernel
def attack_the_best(
    board: Tables,
    seen: Seen,
    me: int,
    targets: Ints,
    worths: Longs,
    found: int,
    energy: int,
    out: Longs,
    count: int,
    rules: Any,
) -> int:
    """The most worthwhile targets first, while the energy lasts; over the price where others may bid."""
    while True:
        best = -1
        for one in range(found):
            if worths[one] > 0 and (best < 0 or worths[one] > worths[best]):
                best = one
        if best < 0:
            return count
        cell = targets[best]
        worths[best] = 0
        price = cost_of(seen, cell, rules)
        if seen.owner[cell] != NO_PLAYER or is_contested(board, seen, cell, me):
            price += price // 8 + 1
        if price <= energy:
            count = write(out, count, ATTACK, cell, max(price, 1))
            energy -= price


@kernel
def is_contested(board: Tables, seen: Seen, cell: int, me: int) -> int:
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        if neighbour >= 0 and seen.owner[neighbour] != NO_PLAYER and seen.owner[neighbour] != me:
            return True
    return False
