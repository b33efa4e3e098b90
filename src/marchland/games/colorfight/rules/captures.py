"""The effects of Colorfight's attacks, cell by cell: seed, "Order" 2.2."""

from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER
from marchland.games.colorfight.rules.events import CAPTURED, HOME_LOST, REPELLED, RUINED, SHIELDED
from marchland.games.colorfight.rules.state import EMPTY, FORTRESS, HOME, MINE, NEIGHBOURS, WELL
from marchland.kernels import kernel


@kernel
def capture(cells, players, sieges, attackers, purses, count, board, events, rules):
    """The effects of the attacks, cell by cell, all against the same costs and owners (ruling 11)."""
    for player in range(len(players.gold)):
        purses.gold[player] = players.gold[player]
        if purses.home_built[player]:
            players.tech_level[player] = 1
    if rules.running_money:
        sort_by_column(sieges.cell, count, board)
    for place in range(count):
        cell = sieges.cell[place]
        siege = sieges.rank[cell] - 1
        strongest = NO_PLAYER
        energy = 0
        for attacker in range(siege * NEIGHBOURS, (siege + 1) * NEIGHBOURS):
            if attackers.energy[attacker] > energy:
                strongest = attackers.player[attacker]
                energy = attackers.energy[attacker]
        net = 2 * energy - sieges.total[siege]
        cost = attack_cost(cells, players, cell, rules)
        excess = net - cost
        if net <= 0 or excess < 0:  # rulings 1, 21
            emit(events, REPELLED, code_of(board, cell), strongest, cells.owner[cell], max(net, 0), cost)
        else:
            field = min(rules.field_per_excess * excess, rules.field_most)
            if cells.owner[cell] == strongest:  # ruling 7
                if rules.own_attack_replaces or field > cells.force_field[cell]:
                    cells.force_field[cell] = field
                emit(events, SHIELDED, code_of(board, cell), strongest, cells.force_field[cell])
            else:
                take(cells, players, purses, cell, strongest, field, board, events, rules)
    for place in range(count):
        sieges.rank[sieges.cell[place]] = 0


@kernel
def attack_cost(cells, players, cell, rules):
    """What it takes to capture ``cell``."""
    if cells.building[cell] == HOME:
        return home_cost(cells, cell, players.energy[cells.owner[cell]], rules)
    cost = cells.natural_cost[cell] + cells.force_field[cell]
    return cost * (1 + cells.level[cell]) if cells.building[cell] == FORTRESS else cost


@kernel
def home_cost(cells, cell, energy, rules):
    """What it takes to capture a Home whose owner has so much energy (ruling 8)."""
    if energy < 0 and not rules.debts_count:
        energy = 0
    return cells.level[cell] * (rules.home_defence + cells.force_field[cell] + energy)


@kernel
def take(cells, players, purses, cell, captor, field, board, events, rules):
    """``captor`` takes ``cell``; what stood there is gone (ruling 9)."""
    former = cells.owner[cell]
    building = cells.building[cell]
    level = cells.level[cell]
    if building == HOME:
        stolen = third_of_gold(players, purses, former, rules)
        players.gold[former] -= stolen
        players.gold[captor] += stolen
        players.tech_level[former] = 0
        emit(events, HOME_LOST, code_of(board, cell), former, captor, stolen)
    elif building != EMPTY:
        players.gold[former] += rules.refund[level - 1]
        if building == WELL:
            field = min(field + rules.well_capture_field[level - 1], rules.field_most)
        elif building == MINE:
            players.gold[captor] += rules.mine_capture_gold[level - 1]
    change_owner(cells, board, cell, captor)
    cells.building[cell] = EMPTY
    cells.level[cell] = 0
    cells.force_field[cell] = field
    emit(events, CAPTURED, code_of(board, cell), captor, former, building)


@kernel
def change_owner(cells, board, cell, owner):
    """``cell`` goes to ``owner``; recount the friends and enemies of it and of its neighbours."""
    former = cells.owner[cell]
    cells.owner[cell] = owner
    cells.friends[cell] = 0
    cells.enemies[cell] = 0
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        if neighbour < 0 or cells.owner[neighbour] == NO_PLAYER:
            continue
        other = cells.owner[neighbour]
        if former != NO_PLAYER:
            cells.friends[neighbour] -= other == former
            cells.enemies[neighbour] -= other != former
        cells.friends[neighbour] += other == owner
        cells.enemies[neighbour] += other != owner
        cells.friends[cell] += other == owner
        cells.enemies[cell] += other != owner


@kernel
def third_of_gold(players, purses, victim, rules):
    """What the captor of a Home gets of the victim's gold (rulings 8 and 10)."""
    gold = players.gold[victim] if rules.running_money else purses.gold[victim]
    if gold >= 0:
        return gold // rules.steal_divisor
    return -(-gold // rules.steal_divisor) if rules.debts_count else 0


@kernel
def sort_by_column(listed, count, board):
    """The public server's scan order: x outer, y inner. Shell's sort, since the list is short."""
    gap = count // 2
    while gap > 0:
        for start in range(gap, count):
            cell = listed[start]
            code = code_of(board, cell)
            place = start
            while place >= gap and code_of(board, listed[place - gap]) > code:
                listed[place] = listed[place - gap]
                place -= gap
            listed[place] = cell
        gap //= 2


@kernel
def ruin_the_homeless(cells, players, board, events, rules):
    """Every building of a player without a Home is destroyed (rulings 10 and 19)."""
    homeless = False
    for player in range(len(players.tech_level)):
        homeless = homeless or (players.tech_level[player] == 0 and not players.dead[player])
    if not homeless:
        return
    for cell in range(len(cells.owner)):
        building = cells.building[cell]
        if building != EMPTY and players.tech_level[cells.owner[cell]] == 0:
            owner = cells.owner[cell]
            if rules.ruins_refunded:
                players.gold[owner] += rules.refund[cells.level[cell] - 1]
            cells.building[cell] = EMPTY
            cells.level[cell] = 0
            emit(events, RUINED, code_of(board, cell), owner, building)
