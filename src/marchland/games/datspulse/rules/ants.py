"""Ants, compiled: where they stand, how they die, what they drop, and their ways in three bits a step."""

from typing import Final

from marchland.core.dice import draw, roll
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER
from marchland.games.datspulse.rules.events import DROPPED, KILLED, LOST
from marchland.games.datspulse.rules.state import (
    DESTROYED,
    ID_KEY0,
    ID_KEY1,
    NECTAR,
    NEIGHBOURS,
    NOTHING,
    PILES,
    ROCK,
)
from marchland.kernels import kernel

# What a draw is for.
FIRST_TURN, QUEUE, ORDER, TARGET, DROP, NEST, NEST_HEX, SPAWN, GROWTH, GROWN_AT, GROWN, ID, ACTION = range(13)

NO_WAY: Final = 1  # a way without steps
_KEYS: Final = 1 << 62


# ---------------------------------------------------------------- ways


@kernel
def step_back(board, cell, way):
    """The hex before ``cell`` on a way walked, and the way up to there."""
    return board.neighbours[cell * NEIGHBOURS + ((way & 7) + NEIGHBOURS // 2) % NEIGHBOURS], way >> 3


@kernel
def step_on(board, cell, way):
    """The hex after ``cell`` on a way planned, and the way from there on."""
    return board.neighbours[cell * NEIGHBOURS + (way & 7)], way >> 3


# ---------------------------------------------------------------- the order of a team's ants


@kernel
def action_key(head, ant):
    """Ruling 9: ants of a team act and are listed by a hash of their ids that is unrelated to their age."""
    return roll(head[ID_KEY0], head[ID_KEY1], 0, 0, ACTION, ant, _KEYS)


@kernel
def row_of(head, teams, ants, team, ant):
    """The row of the team's ant of that id, or -1."""
    key = action_key(head, ant)
    low = team * (len(ants.id) // len(teams.ants))
    end = low + teams.ants[team]
    high = end
    while low < high:
        middle = (low + high) // 2
        if ants.key[middle] < key:
            low = middle + 1
        else:
            high = middle
    while low < end and ants.key[low] == key:
        if ants.id[low] == ant:
            return low
        low += 1
    return -1


@kernel
def order_ants(teams, ants):
    """Move new ants to their places among the team's rows. The chains of the hexes must be made again after it."""
    slots = len(ants.id) // len(teams.ants)
    for team in range(len(teams.ants)):
        first = team * slots
        for new in range(first + 1, first + teams.ants[team]):
            row = new
            while row > first and acts_before(ants, row, row - 1):
                swap(ants, row, row - 1)
                row -= 1


@kernel
def acts_before(ants, row, other):
    return ants.key[row] < ants.key[other] or (ants.key[row] == ants.key[other] and ants.id[row] < ants.id[other])


@kernel
def swap(ants, row, other):
    """Exchange two rows of one team; its chains do not count here."""
    ants.key[row], ants.key[other] = ants.key[other], ants.key[row]
    ants.id[row], ants.id[other] = ants.id[other], ants.id[row]
    ants.cell[row], ants.cell[other] = ants.cell[other], ants.cell[row]
    ants.kind[row], ants.kind[other] = ants.kind[other], ants.kind[row]
    ants.health[row], ants.health[other] = ants.health[other], ants.health[row]
    ants.food[row], ants.food[other] = ants.food[other], ants.food[row]
    ants.amount[row], ants.amount[other] = ants.amount[other], ants.amount[row]
    ants.walked[row], ants.walked[other] = ants.walked[other], ants.walked[row]
    ants.planned[row], ants.planned[other] = ants.planned[other], ants.planned[row]
    ants.enemy[row], ants.enemy[other] = ants.enemy[other], ants.enemy[row]
    ants.enemy_cell[row], ants.enemy_cell[other] = ants.enemy_cell[other], ants.enemy_cell[row]


# ---------------------------------------------------------------- who stands where


@kernel
def enter(cells, ants, row, cell):
    ants.cell[row] = cell
    ants.next[row] = cells.first[cell]
    cells.first[cell] = row + 1


@kernel
def leave(cells, ants, row):
    cell = ants.cell[row]
    if cells.first[cell] == row + 1:
        cells.first[cell] = ants.next[row]
        return
    before = cells.first[cell] - 1
    while ants.next[before] != row + 1:
        before = ants.next[before] - 1
    ants.next[before] = ants.next[row]


@kernel
def is_occupied(cells, ants, cell):
    """Whether a living ant stands there."""
    found = False
    link = cells.first[cell]
    while link:
        found = found or ants.health[link - 1] > 0
        link = ants.next[link - 1]
    return found


@kernel
def in_the_way(cells, ants, cell, team, kind):
    """The row of a living ant that keeps an ant of that team and kind from entering, or -1."""
    link = cells.first[cell]
    while link:
        row = link - 1
        if ants.health[row] > 0 and (ants.team[row] != team or ants.kind[row] == kind):
            return row
        link = ants.next[row]
    return -1


@kernel
def muster(cells, teams, ants):
    """Hang all ants into the chains of their hexes, in the order of rows, so that equal states have equal chains."""
    slots = len(ants.id) // len(teams.ants)
    for team in range(len(teams.ants)):
        for row in range(team * slots, team * slots + teams.ants[team]):
            cells.first[ants.cell[row]] = 0
    for team in range(len(teams.ants) - 1, -1, -1):
        for row in range(team * slots + teams.ants[team] - 1, team * slots - 1, -1):
            enter(cells, ants, row, ants.cell[row])


# ---------------------------------------------------------------- death


@kernel
def kill(head, cells, teams, ants, row, by, board, dice, events):
    """Ruling 14: the ant stays for one more state with health 0, and what it carried falls to the ground."""
    team = ants.team[row]
    ants.health[row] = 0
    teams.living[team] -= 1
    teams.lost[team] += 1
    emit(events, KILLED, ants.id[row], code_of(board, ants.cell[row]), team, by)
    if ants.amount[row] > 0:
        drop(head, cells, ants, row, team, board, dice, events)
        ants.food[row] = NOTHING
        ants.amount[row] = 0


@kernel
def drop(head, cells, ants, row, team, board, dice, events):
    food = ants.food[row]
    amount = ants.amount[row]
    cell = ants.cell[row]
    if not can_lie(cells, cell, food):
        cell = free_neighbour(cells, ants, row, board, dice)
    if cell < 0:
        if food == NECTAR:
            head[DESTROYED] += amount
        emit(events, LOST, ants.id[row], code_of(board, ants.cell[row]), food, amount, team)
        return
    if cells.food[cell] == NOTHING:
        head[PILES] += 1
        cells.food[cell] = food
    cells.amount[cell] += amount
    emit(events, DROPPED, ants.id[row], code_of(board, cell), food, amount, team)


@kernel
def can_lie(cells, cell, food):
    """Whether that food may lie there: on no nest, and with no other kind of food."""
    return cells.nest[cell] == NO_PLAYER and (cells.food[cell] == NOTHING or cells.food[cell] == food)


@kernel
def free_neighbour(cells, ants, row, board, dice):
    """A random hex next to the ant that is free for what it carries, or -1."""
    free = 0
    for chosen in range(2):  # count them, then find the one that was drawn
        pick = draw(dice, DROP, ants.id[row], free) if chosen and free > 0 else -1
        for way in range(NEIGHBOURS):
            cell = board.neighbours[ants.cell[row] * NEIGHBOURS + way]
            if cell < 0 or cells.terrain[cell] == ROCK or not can_lie(cells, cell, ants.food[row]):
                continue
            if is_occupied(cells, ants, cell):
                continue
            if not chosen:
                free += 1
            elif pick == 0:
                return cell
            pick -= 1
    return -1
