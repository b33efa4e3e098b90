"""Nests shoot, then ants strike (seed: "Order" 1 to 3, "Attack"; rulings 6 to 8), compiled."""

from marchland.board.cells import disk, distance
from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.games.datspulse.rules.ants import ORDER, QUEUE, TARGET, kill
from marchland.games.datspulse.rules.events import ALLY_BONUS, ATTACKED, BY_ANT, BY_NEST, FIRED, HURT, SPOT_BONUS
from marchland.games.datspulse.rules.state import NEIGHBOURS, NEST_HEXES
from marchland.kernels import kernel


@kernel
def nest_fire(head, cells, teams, nests, ants, marks, around, board, dice, events, rules):
    """Every enemy within range of a nest's hexes is hit, once a turn however many reach it (ruling 6)."""
    hexes = 1 if rules.fire_from else NEST_HEXES
    for index in range(hexes * len(teams.ants)):
        team = index // hexes
        found = disk(board, nests.cell[team * NEST_HEXES + index % hexes], rules.nest_range, around)
        for place in range(found):
            link = cells.first[around[place]]
            while link:
                row = link - 1
                link = ants.next[row]
                if ants.team[row] != team and ants.health[row] > 0 and not marks.burnt[row]:
                    marks.burnt[row] = 1
                    ants.health[row] -= rules.nest_damage
                    health = max(ants.health[row], 0)
                    emit(events, FIRED, ants.id[row], code_of(board, ants.cell[row]), health, ants.team[row], team)
                    if health == 0:
                        kill(head, cells, teams, ants, row, BY_NEST, board, dice, events)


@kernel
def draw_queue(queue, dice):
    """A fresh random order of the teams (ruling 7)."""
    for place in range(len(queue)):
        other = draw(dice, QUEUE, place, place + 1)
        queue[place] = queue[other]
        queue[other] = place


@kernel
def ant_attacks(head, cells, teams, nests, ants, queue, fighters, board, dice, events, rules):
    """Teams by the queue, the ants of a team in random order, every blow at once (ruling 8)."""
    slots = len(ants.id) // len(teams.ants)
    for place in range(len(queue)):
        team = queue[place]
        count = 0
        for row in range(team * slots, team * slots + teams.ants[team]):
            if ants.health[row] > 0 and enemies_beside(cells, ants, ants.cell[row], team, board) > 0:
                other = draw(dice, ORDER, ants.id[row], count + 1)
                fighters[count] = fighters[other]
                fighters[other] = row
                count += 1
        for turn in range(count):
            strike(head, cells, teams, nests, ants, fighters[turn], team, board, dice, events, rules)


@kernel
def enemies_beside(cells, ants, cell, team, board):
    """How many living enemies stand on the hexes next to ``cell``."""
    count = 0
    for place in range(cell * NEIGHBOURS, cell * NEIGHBOURS + NEIGHBOURS):
        other = board.neighbours[place]
        if other >= 0:
            link = cells.first[other]
            while link:
                count += ants.health[link - 1] > 0 and ants.team[link - 1] != team
                link = ants.next[link - 1]
    return count


@kernel
def strike(head, cells, teams, nests, ants, row, team, board, dice, events, rules):
    """One blow at a random living enemy next to the ant, if any is left."""
    home = ants.cell[row]
    enemies = enemies_beside(cells, ants, home, team, board)
    if enemies == 0:
        return
    pick = draw(dice, TARGET, ants.id[row], enemies)
    target = -1
    direction = -1
    for way in range(NEIGHBOURS):
        cell = board.neighbours[home * NEIGHBOURS + way]
        link = cells.first[cell] if cell >= 0 else 0
        while link:
            if ants.health[link - 1] > 0 and ants.team[link - 1] != team:
                if pick == 0:
                    target = link - 1
                    direction = way
                pick -= 1
            link = ants.next[link - 1]
    bonus = 0
    percent = 100
    if has_support(cells, ants, home, direction, team, board):
        bonus += ALLY_BONUS
        percent += rules.support_percent
    if near_nest(nests, home, team, board, rules.nest_bonus_radius):
        bonus += SPOT_BONUS
        percent += rules.nest_percent
    damage = rules.attack[ants.kind[row]] * percent // 100
    ants.enemy[row] = ants.id[target]
    ants.enemy_cell[row] = ants.cell[target]
    ants.health[target] = max(ants.health[target] - damage, 0)
    where = code_of(board, ants.cell[target])
    emit(events, ATTACKED, ants.id[row], ants.id[target], where, damage, team, bonus)
    emit(events, HURT, ants.id[target], where, ants.health[target], ants.team[target], ants.id[row])
    if ants.health[target] == 0:
        kill(head, cells, teams, ants, target, BY_ANT, board, dice, events)


@kernel
def has_support(cells, ants, home, direction, team, board):
    """Whether a living own ant stands on one of the two hexes that touch both attacker and target."""
    found = False
    for turned in range(1, NEIGHBOURS, NEIGHBOURS - 2):  # one direction further on, and one back
        cell = board.neighbours[home * NEIGHBOURS + (direction + turned) % NEIGHBOURS]
        link = cells.first[cell] if cell >= 0 else 0
        while link:
            found = found or (ants.health[link - 1] > 0 and ants.team[link - 1] == team)
            link = ants.next[link - 1]
    return found


@kernel
def near_nest(nests, cell, team, board, radius):
    near = False
    for nest in range(team * NEST_HEXES, team * NEST_HEXES + NEST_HEXES):
        near = near or distance(board, cell, nests.cell[nest]) <= radius
    return near
