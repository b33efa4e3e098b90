"""Ants walk, then raid or collect or deliver (seed: "Order" 4; rulings 9 to 13), compiled."""

from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER
from marchland.games.datspulse.rules.ants import NEST, NEST_HEX, NO_WAY, enter, in_the_way, kill, leave, step_on
from marchland.games.datspulse.rules.events import (
    BLOCKED,
    BURNT,
    BY_ACID,
    BY_ENEMY,
    BY_EXHAUSTION,
    BY_FOREIGN_NEST,
    BY_OWN,
    BY_ROCK,
    COLLECTED,
    DELIVERED,
    MOVED,
    RAIDED,
)
from marchland.games.datspulse.rules.state import ACID, DIRT, NECTAR, NEIGHBOURS, NEST_HEXES, NOTHING, PILES, ROCK
from marchland.kernels import kernel

FREE = -1
NO_ANT = -1


@kernel
def ant_actions(head, cells, teams, nests, ants, queue, board, dice, events, rules):
    """Teams by the queue, ants by their keys; each is done before the next begins (ruling 9)."""
    slots = len(ants.id) // len(teams.ants)
    for place in range(len(queue)):
        team = queue[place]
        for row in range(team * slots, team * slots + teams.ants[team]):
            if ants.health[row] > 0:
                walk(head, cells, teams, ants, row, team, board, dice, events, rules)
                ants.planned[row] = 0
                if ants.health[row] > 0 and not raid(cells, nests, ants, row, team, board, dice, events, rules):
                    collect(head, cells, ants, row, team, board, events, rules)
                    deliver(cells, teams, nests, ants, row, team, board, events, rules)


# ---------------------------------------------------------------- moving


@kernel
def walk(head, cells, teams, ants, row, team, board, dice, events, rules):
    """Hex by hex until the way ends, the points run out or something blocks it (ruling 10)."""
    start = ants.cell[row]
    way = ants.planned[row]
    walked = 0
    steps = 0
    dirty = 0
    points = rules.speed[ants.kind[row]]
    standing = way <= NO_WAY
    while ants.health[row] > 0 and (way > NO_WAY or standing):
        if not standing:
            cell, following = step_on(board, ants.cell[row], way)
            cost = rules.dirt_cost if cells.terrain[cell] == DIRT else 1
            obstacle = in_the_way(cells, ants, cell, team, ants.kind[row])
            why = objection(cells, ants, cell, team, obstacle, cost, points)
            if why != FREE:
                met = why in (BY_ENEMY, BY_OWN)
                other = ants.id[obstacle] if met else NO_ANT
                kind = ants.kind[obstacle] if met else NO_ANT
                emit(events, BLOCKED, ants.id[row], code_of(board, cell), why, other, team, kind)
                standing = steps == 0
                if not standing:
                    break
            else:
                leave(cells, ants, row)
                enter(cells, ants, row, cell)
                points -= cost
                walked = walked * 8 + (way & 7) if steps > 0 else NO_WAY
                way = following
                steps += 1
                dirty += cells.terrain[cell] == DIRT
        if cells.terrain[ants.cell[row]] == ACID:  # on entering it, and on standing still in it
            burn(head, cells, teams, ants, row, team, board, dice, events, rules)
        if standing:
            break
    if steps > 0:
        ants.walked[row] = walked
        teams.walked[team] += steps
        emit(events, MOVED, ants.id[row], code_of(board, start), code_of(board, ants.cell[row]), dirty, team)


@kernel
def objection(cells, ants, cell, team, obstacle, cost, points):
    """Why an ant may not go on to ``cell``, or FREE."""
    if cells.terrain[cell] == ROCK:
        return BY_ROCK
    if cells.nest[cell] != NO_PLAYER and cells.nest[cell] != team:
        return BY_FOREIGN_NEST
    if obstacle >= 0:
        return BY_OWN if ants.team[obstacle] == team else BY_ENEMY
    return BY_EXHAUSTION if cost > points else FREE


@kernel
def burn(head, cells, teams, ants, row, team, board, dice, events, rules):
    ants.health[row] = max(ants.health[row] - rules.acid_damage, 0)
    if ants.health[row] > 0:
        emit(events, BURNT, ants.id[row], code_of(board, ants.cell[row]), ants.health[row], team)
    else:
        kill(head, cells, teams, ants, row, BY_ACID, board, dice, events)


# ---------------------------------------------------------------- raiding, collecting, delivering


@kernel
def raid(cells, nests, ants, row, team, board, dice, events, rules):
    """Take nectar from one hex of a foreign nest next to the ant (ruling 13); returns whether it did."""
    free = rules.capacity[ants.kind[row]] - ants.amount[row]
    if free <= 0 or (ants.food[row] != NOTHING and ants.food[row] != NECTAR):
        return False
    victim = victim_beside(cells, nests, ants, row, team, board, dice)
    if victim == NO_PLAYER:
        return False
    stores = 0
    for nest in range(victim * NEST_HEXES, victim * NEST_HEXES + NEST_HEXES):
        stores += nests.nectar[nest] > 0
    pick = draw(dice, NEST_HEX, ants.id[row], stores)
    store = -1
    for nest in range(victim * NEST_HEXES, victim * NEST_HEXES + NEST_HEXES):
        if nests.nectar[nest] > 0:
            if pick == 0:
                store = nest
            pick -= 1
    taken = min(free, nests.nectar[store])
    nests.nectar[store] -= taken
    ants.food[row] = NECTAR
    ants.amount[row] += taken
    emit(events, RAIDED, ants.id[row], code_of(board, nests.cell[store]), taken, team, victim)
    return True


@kernel
def victim_beside(cells, nests, ants, row, team, board, dice):
    """The owner of a foreign nest with nectar next to the ant, a random one of several; NO_PLAYER if there is none."""
    home = ants.cell[row]
    victims = 0
    found = NO_PLAYER
    for chosen in range(2):  # count them, then find the one that was drawn
        pick = draw(dice, NEST, ants.id[row], victims) if chosen and victims > 1 else 0
        for way in range(NEIGHBOURS):
            owner = nest_at(cells, board.neighbours[home * NEIGHBOURS + way])
            if owner < 0 or owner == team or not has_nectar(nests, owner):
                continue
            again = False  # each owner counts once, however many of its hexes lie beside the ant
            for earlier in range(way):
                again = again or nest_at(cells, board.neighbours[home * NEIGHBOURS + earlier]) == owner
            if not again:
                if not chosen:
                    victims += 1
                elif pick == 0:
                    found = owner
                pick -= 1
    return found


@kernel
def nest_at(cells, cell):
    return cells.nest[cell] if cell >= 0 else NO_PLAYER


@kernel
def has_nectar(nests, team):
    first = team * NEST_HEXES
    return nests.nectar[first] + nests.nectar[first + 1] + nests.nectar[first + 2] > 0


@kernel
def collect(head, cells, ants, row, team, board, events, rules):
    """As much as fits of what lies there, of the kind that it carries already if it does (ruling 11)."""
    cell = ants.cell[row]
    taken = min(rules.capacity[ants.kind[row]] - ants.amount[row], cells.amount[cell])
    if taken <= 0 or (ants.food[row] != NOTHING and ants.food[row] != cells.food[cell]):
        return
    ants.food[row] = cells.food[cell]
    ants.amount[row] += taken
    cells.amount[cell] -= taken
    emit(events, COLLECTED, ants.id[row], code_of(board, cell), ants.food[row], taken, team)
    if cells.amount[cell] == 0:
        cells.food[cell] = NOTHING
        head[PILES] -= 1


@kernel
def deliver(cells, teams, nests, ants, row, team, board, events, rules):
    """Everything at once; each full nectar's worth of calories becomes one on that hex (ruling 12)."""
    cell = ants.cell[row]
    if ants.amount[row] == 0 or cells.nest[cell] != team:
        return
    store = team * NEST_HEXES
    while nests.cell[store] != cell:
        store += 1
    worth = ants.amount[row] * rules.calories[ants.food[row] - 1]
    emit(events, DELIVERED, ants.id[row], ants.food[row], ants.amount[row], worth, team)
    if ants.food[row] == NECTAR:
        nests.nectar[store] += ants.amount[row]
    else:
        teams.delivered[team] += worth
        teams.remainder[team] += worth
        nests.nectar[store] += teams.remainder[team] // rules.calories[NECTAR - 1]
        teams.remainder[team] %= rules.calories[NECTAR - 1]
    ants.food[row] = NOTHING
    ants.amount[row] = 0
