"""The greedy player's plan, compiled, so that thousands of them can play.

A turn has named phases: take an enemy's Home, tend the own one, invest the gold, and expand with the energy. Land and
buildings are compared by what they yield beyond their tax for what they cost. All worth is in thousandths of gold.
Chance decides between equals: a fixed order of cells or directions would favour a corner of the board.
"""

from typing import Any, Final, NamedTuple

from marchland.board.cells import distance
from marchland.board.tables import Ints, Longs, Tables
from marchland.core.state import NO_PLAYER
from marchland.games.colorfight.rules.orders import ATTACK, BUILD, UPGRADE
from marchland.games.colorfight.rules.state import EMPTY, FORTRESS, HOME, MINE, NEIGHBOURS, TOP_LEVEL, WELL, rules_of
from marchland.kernels import kernel

_GOLD: Final = 1000  # the worth of one gold
_ENERGY: Final = 1500  # and of one energy, while it buys land
_IDLE_ENERGY: Final = 100  # of one that finds little use, because the end is near or more is there than can be spent
_LAST_CONQUESTS: Final = 40  # turns before the end from which on land does not pay back
_SPARE_TURNS: Final = 3  # of income: more energy is idle
_GUARD_RANGE: Final = 4  # an enemy this near the home is a danger
_PAYBACK: Final = 1500  # gold that an investment of 1000 must return before the end
_LAST_UPGRADE: Final = 40  # turns before the end after which a higher home does not pay
_CELLS_A_LEVEL: Final = 40  # land that makes a higher home worth its price
_NOISE_BITS: Final = 8  # below the worth of a target, to decide between equals


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
    incomes: Any
    resource_buildings: Any


class Prices(NamedTuple):
    """What a unit of gold and of energy is worth, and what another cell and another building cost in tax."""

    gold: Any
    energy: Any
    cell_tax: Any
    building_tax: Any


@kernel
def greedy_orders(
    board: Tables,
    seen: Seen,
    own: Ints,
    homes: Ints,
    me: int,
    turns_left: int,
    targets: Ints,
    worths: Longs,
    noise: Any,
    out: Longs,
    rules: Any,
) -> Any:
    """Write the orders of player ``me`` as rows of verb, cell and number; returns how many.

    ``own`` lists the player's cells and ``homes`` every Home, each in random order; ``targets`` and ``worths`` are
    scratch, ``noise`` has as many random bytes.
    """
    rules = rules_of(rules)
    home = own_home(seen, homes, me)
    prices = prices_of(seen, me, len(own), turns_left, rules)
    found, danger = look_around(board, seen, own, me, home, prices, targets, worths, noise, rules)
    gold = seen.golds[me]
    energy = seen.energies[me]
    count = 0
    count, energy = besiege(board, seen, homes, me, energy, out, count, rules)
    if home < 0:
        count, gold = found_a_home(seen, own, gold, out, count, rules)
    else:
        count, gold, energy = raise_home(seen, home, len(own), gold, energy, turns_left, out, count, rules)
        if danger:
            count, gold = fortify(board, seen, home, noise[0], gold, out, count, rules)
        count = invest(seen, own, me, gold, turns_left, prices, out, count, rules)
    return expand(board, seen, me, targets, worths, found, energy, out, count, rules)


@kernel
def write(out: Longs, count: int, verb: int, cell: int, number: int) -> Any:
    if 3 * count + 3 > len(out):
        return count
    out[3 * count] = verb
    out[3 * count + 1] = cell
    out[3 * count + 2] = number
    return count + 1


# ---------------------------------------------------------------- looking


@kernel
def own_home(seen: Seen, homes: Ints, me: int) -> Any:
    for place in range(len(homes)):
        if seen.owner[homes[place]] == me:
            return homes[place]
    return -1


@kernel
def prices_of(seen: Seen, me: int, cells: int, turns_left: int, rules: Any) -> Any:
    spare = rules.start_energy + _SPARE_TURNS * max(seen.incomes[me], 1)
    is_idle = turns_left <= _LAST_CONQUESTS or seen.energies[me] > spare
    return Prices(
        _GOLD,
        _IDLE_ENERGY if is_idle else _ENERGY,
        cells // rules.tax_bracket,
        seen.resource_buildings[me] // rules.tax_bracket,
    )


@kernel
def look_around(
    board: Tables,
    seen: Seen,
    own: Ints,
    me: int,
    home: int,
    prices: Prices,
    targets: Ints,
    worths: Longs,
    noise: Any,
    rules: Any,
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
            worths[found] = (worth_of_land(seen, cell, prices, rules) << _NOISE_BITS) + noise[found]
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
def worth_of_land(seen: Seen, cell: int, prices: Prices, rules: Any) -> Any:
    """What a cell and a building on it yield beyond the cell's tax for what it costs; an enemy loses as much."""
    as_mine = yield_of(seen, cell, MINE, prices)
    as_well = yield_of(seen, cell, WELL, prices)
    value = as_mine + as_well + max(as_mine, as_well) - prices.cell_tax * (prices.gold + prices.energy)
    if seen.owner[cell] != NO_PLAYER:
        value += as_mine + as_well
        if seen.building[cell] in (MINE, WELL):
            value += yield_of(seen, cell, seen.building[cell], prices) * seen.level[cell]
        value = max(value, 1)  # a player without cells is out of the game
    return value * 1000 // max(cost_of(seen, cell, rules), 1)


# ---------------------------------------------------------------- homes


@kernel
def besiege(board: Tables, seen: Seen, homes: Ints, me: int, energy: int, out: Longs, count: int, rules: Any) -> Any:
    """Take the cheapest Home of an enemy beside my land if it can be paid."""
    prey = -1
    for place in range(len(homes)):
        cell = homes[place]
        is_cheaper = prey < 0 or cost_of(seen, cell, rules) < cost_of(seen, prey, rules)
        if seen.owner[cell] != me and is_cheaper and is_beside(board, seen, cell, me):
            prey = cell
    if prey < 0 or cost_of(seen, prey, rules) >= energy:
        return count, energy
    price = cost_of(seen, prey, rules) + 1
    return write(out, count, ATTACK, prey, price), energy - price


@kernel
def is_beside(board: Tables, seen: Seen, cell: int, me: int) -> Any:
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        if neighbour >= 0 and seen.owner[neighbour] == me:
            return True
    return False


@kernel
def found_a_home(seen: Seen, own: Ints, gold: int, out: Longs, count: int, rules: Any) -> Any:
    """Build a new Home on the cell with the strongest force field."""
    best = -1
    for place in range(len(own)):
        cell = own[place]
        if seen.building[cell] == EMPTY and (best < 0 or seen.field[cell] > seen.field[best]):
            best = cell
    if gold < rules.home_gold or best < 0:
        return count, gold
    return write(out, count, BUILD, best, HOME), gold - rules.home_gold


@kernel
def raise_home(
    seen: Seen, home: int, cells: int, gold: int, energy: int, turns_left: int, out: Longs, count: int, rules: Any
) -> Any:
    level = seen.level[home]
    if level < TOP_LEVEL and cells >= _CELLS_A_LEVEL * level and turns_left > _LAST_UPGRADE:
        price = rules.home_upgrade_gold[level - 1]
        power = rules.home_upgrade_energy[level - 1]
        if gold >= price and energy >= power:
            return write(out, count, UPGRADE, home, 0), gold - price, energy - power
    return count, gold, energy


@kernel
def fortify(board: Tables, seen: Seen, home: int, first: int, gold: int, out: Longs, count: int, rules: Any) -> Any:
    """Fortresses beside a Home that an enemy has come near to, from the direction ``first`` on."""
    for turn in range(NEIGHBOURS):
        cell = board.neighbours[home * NEIGHBOURS + (first + turn) % NEIGHBOURS]
        mine = cell >= 0 and seen.owner[cell] == seen.owner[home]
        if mine and seen.building[cell] == EMPTY and gold >= rules.fortress_gold:
            count = write(out, count, BUILD, cell, FORTRESS)
            gold -= rules.fortress_gold
    return count, gold


# ---------------------------------------------------------------- gold


@kernel
def invest(
    seen: Seen, own: Ints, me: int, gold: int, turns_left: int, prices: Prices, out: Longs, count: int, rules: Any
) -> Any:
    """Buy the building or level with the best return, again and again, as long as it pays back before the end."""
    tech = seen.techs[me]
    reserve = home_savings(tech, len(own), turns_left, rules)
    returned = 1 << 60
    bought = -1
    while gold > 0:
        best, rate = best_offer(seen, own, tech, prices, returned, bought, rules)
        if best < 0 or rate * turns_left < _PAYBACK * _GOLD:
            return count
        cell = own[best]
        price = offer(seen, cell, tech, prices, rules)[1]
        if gold - price < reserve:
            return count
        gold -= price
        if seen.building[cell] == EMPTY:
            count = write(out, count, BUILD, cell, better_building(seen, cell, prices))
        else:
            count = write(out, count, UPGRADE, cell, 0)
        returned = rate
        bought = best
    return count


@kernel
def home_savings(tech: int, cells: int, turns_left: int, rules: Any) -> Any:
    """The gold that is reserved for the next level of the Home: half its price, so that investing goes on."""
    if 0 < tech < TOP_LEVEL and turns_left > _LAST_UPGRADE and cells >= _CELLS_A_LEVEL * tech:
        return rules.home_upgrade_gold[tech - 1] // 2
    return 0


@kernel
def best_offer(seen: Seen, own: Ints, tech: int, prices: Prices, returned: int, bought: int, rules: Any) -> Any:
    """The own cell with the best return after the last one bought, and that return: a turn's gain for 1000 gold."""
    best = -1
    best_rate = 0
    for place in range(len(own)):
        gain, price = offer(seen, own[place], tech, prices, rules)
        rate = gain * 1000 // max(price, 1)
        is_left = rate < returned or (rate == returned and place > bought)
        if is_left and rate > best_rate:
            best = place
            best_rate = rate
    return best, best_rate


@kernel
def offer(seen: Seen, cell: int, tech: int, prices: Prices, rules: Any) -> Any:
    """What the next building or level on a cell yields a turn, and its price; nothing if there is none to buy."""
    level = seen.level[cell]
    building = seen.building[cell]
    if building == EMPTY:
        building = better_building(seen, cell, prices)
        tax = prices.building_tax * (prices.gold + prices.energy)
        return yield_of(seen, cell, building, prices) - tax, rules.mine_gold if building == MINE else rules.well_gold
    if building in (MINE, WELL) and level < min(tech, TOP_LEVEL):
        return yield_of(seen, cell, building, prices), rules.upgrade_gold[level - 1]
    return 0, 0


@kernel
def better_building(seen: Seen, cell: int, prices: Prices) -> Any:
    return MINE if yield_of(seen, cell, MINE, prices) >= yield_of(seen, cell, WELL, prices) else WELL


@kernel
def yield_of(seen: Seen, cell: int, building: int, prices: Prices) -> Any:
    """What a level of a mine or well adds a turn."""
    return seen.gold[cell] * prices.gold if building == MINE else seen.energy[cell] * prices.energy


# ---------------------------------------------------------------- energy


@kernel
def expand(
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
    while energy > 0:
        best = -1
        for place in range(found):
            if worths[place] >> _NOISE_BITS > 0 and (best < 0 or worths[place] > worths[best]):
                best = place
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
    return count


@kernel
def is_contested(board: Tables, seen: Seen, cell: int, me: int) -> int:
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        if neighbour >= 0 and seen.owner[neighbour] != NO_PLAYER and seen.owner[neighbour] != me:
            return True
    return False
