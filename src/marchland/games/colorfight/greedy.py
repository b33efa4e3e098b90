"""How the greedy player thinks, compiled, so that thousands of them can play."""

from marchland.board.cells import distance
from marchland.board.tables import DEGREE
from marchland.core.kernel import inlined, kernel
from marchland.games.colorfight.orders import ATTACK, BUILD, UPGRADE
from marchland.games.colorfight.state import EMPTY, FORTRESS, HOME, MINE, NOBODY, TOP_LEVEL, WELL

_GUARD_RANGE = 4  # an enemy this near the home is a danger
_WORTH_SCALE = 10_000


@kernel
def greedy_orders(
    board,
    owner,
    building,
    level,
    field,
    natural_cost,
    gold,
    energy,
    energies,
    golds,
    techs,
    own,
    me,
    turns_left,
    targets,
    worths,
    out,
):
    """Write the orders of player ``me`` as rows of verb, cell and number; returns how many.

    ``own`` lists the player's cells; ``targets`` and ``worths`` are scratch.
    """
    home = -1
    for place in range(len(own)):
        if building[own[place]] == HOME:
            home = own[place]
    count = 0
    found = 0
    danger = False
    degree = board.shape[DEGREE]
    for place in range(len(own)):
        for way in range(own[place] * degree, own[place] * degree + degree):
            cell = board.neighbours[way]
            if cell < 0 or owner[cell] == me or not is_first_seen_from(board, owner, cell, own[place], me):
                continue
            targets[found] = cell
            worths[found] = worth(board, owner, building, level, field, natural_cost, gold, energy, energies, cell)
            found += 1
            if owner[cell] != NOBODY and home >= 0 and distance(board, cell, home) <= _GUARD_RANGE:
                danger = True

    purse = golds[me]
    power = energies[me]
    if home < 0 and len(own) > 0:
        count, purse = found_a_home(building, own, purse, out, count)
    elif home >= 0:
        count, purse, power = tend_the_home(
            board, owner, building, level, home, me, len(own), danger, purse, power, turns_left, out, count
        )
        count, purse = invest(building, level, gold, energy, own, techs[me], purse, turns_left, out, count)
    power -= power // 2 if danger else 0
    return attack_the_best(
        board, owner, building, level, field, natural_cost, energies, targets, worths, found, power, me, out, count
    )


@inlined
def write(out, count, verb, cell, number):
    if 3 * count + 3 > len(out):
        return count
    out[3 * count] = verb
    out[3 * count + 1] = cell
    out[3 * count + 2] = number
    return count + 1


@inlined
def is_first_seen_from(board, owner, cell, own_cell, me):
    """Whether ``own_cell`` is the first of ``cell``'s neighbours that is mine: so each target is listed once."""
    degree = board.shape[DEGREE]
    for way in range(cell * degree, cell * degree + degree):
        neighbour = board.neighbours[way]
        if neighbour >= 0 and owner[neighbour] == me:
            return neighbour == own_cell
    return False


@inlined
def cost_of(owner, building, level, field, natural_cost, energies, cell):
    if building[cell] == HOME:
        return level[cell] * (1000 + field[cell] + max(energies[owner[cell]], 0))
    cost = natural_cost[cell] + field[cell]
    return cost * (1 + level[cell]) if building[cell] == FORTRESS else cost


@inlined
def worth(board, owner, building, level, field, natural_cost, gold, energy, energies, cell):
    """What a cell yields for what it costs; an enemy's cell counts half as much again, his home far more."""
    value = (gold[cell] + energy[cell]) * _WORTH_SCALE
    if owner[cell] != NOBODY:
        value += value // 2
        if building[cell] == HOME:
            value += 200 * _WORTH_SCALE
        elif building[cell] != EMPTY:
            value += 20 * _WORTH_SCALE
    return value // max(cost_of(owner, building, level, field, natural_cost, energies, cell), 1)


@inlined
def found_a_home(building, own, purse, out, count):
    if purse < 1000:
        return count, purse
    for place in range(len(own)):
        if building[own[place]] == EMPTY:
            return write(out, count, BUILD, own[place], HOME), purse - 1000
    return count, purse


@inlined
def tend_the_home(board, owner, building, level, home, me, land, danger, purse, power, turns_left, out, count):
    """Upgrade the home once there is land to use it on; under threat put fortresses beside it."""
    step = level[home]
    price = 1000 * step
    if step < TOP_LEVEL and land >= 20 * step and turns_left > 60 and purse >= price and power >= price:
        count = write(out, count, UPGRADE, home, 0)
        purse -= price
        power -= price
    if danger:
        degree = board.shape[DEGREE]
        for way in range(home * degree, home * degree + degree):
            cell = board.neighbours[way]
            if cell >= 0 and owner[cell] == me and building[cell] == EMPTY and purse >= 200:
                count = write(out, count, BUILD, cell, FORTRESS)
                purse -= 200
    return count, purse, power


@inlined
def invest(building, level, gold, energy, own, tech, purse, turns_left, out, count):
    """Mines where they pay back before the end, wells while there is time to use their energy."""
    saving = 0 if tech >= TOP_LEVEL or turns_left < 60 or len(own) < 20 * tech else 1000 * tech
    for place in range(len(own)):
        cell = own[place]
        if building[cell] == EMPTY:
            price = 200
            as_mine = gold[cell] * turns_left
            as_well = energy[cell] * (turns_left - 80)
            if purse - price >= saving // 2 and max(as_mine, as_well) > 2 * price:
                count = write(out, count, BUILD, cell, MINE if as_mine >= as_well else WELL)
                purse -= price
        elif building[cell] == MINE or building[cell] == WELL:
            price = 200 + 200 * level[cell]
            gain = gold[cell] * turns_left if building[cell] == MINE else energy[cell] * (turns_left - 80)
            if level[cell] < tech and purse - price >= saving and gain > 2 * price:
                count = write(out, count, UPGRADE, cell, 0)
                purse -= price
    return count, purse


@inlined
def attack_the_best(
    board, owner, building, level, field, natural_cost, energies, targets, worths, found, power, me, out, count
):
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
        price = cost_of(owner, building, level, field, natural_cost, energies, cell)
        if owner[cell] != NOBODY or is_contested(board, owner, cell, me):
            price += price // 8 + 1
        if price <= power:
            count = write(out, count, ATTACK, cell, max(price, 1))
            power -= price


@inlined
def is_contested(board, owner, cell, me):
    degree = board.shape[DEGREE]
    for way in range(cell * degree, cell * degree + degree):
        neighbour = board.neighbours[way]
        if neighbour >= 0 and owner[neighbour] != NOBODY and owner[neighbour] != me:
            return True
    return False
