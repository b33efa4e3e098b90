"""Ants, compiled: where they stand, how they die, what they drop, and their ways in three bits a step."""

from typing import Final

from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER
from marchland.games.datspulse.rules.events import DROPPED, KILLED, LOST
from marchland.games.datspulse.rules.state import DESTROYED, NECTAR, NEIGHBOURS, NOTHING, PILES, ROCK
from marchland.kernels import kernel

# What a draw is for.
FIRST_TURN, QUEUE, ORDER, TARGET, DROP, NEST, NEST_HEX, SPAWN, GROWTH, GROWN_AT, GROWN, ID = range(12)

NO_WAY: Final = 1  # a way without steps


# ---------------------------------------------------------------- ways


@kernel
def step_back(board, cell, way):
    """The hex before ``cell`` on a way walked, and the way up to there."""
    return board.neighbours[cell * NEIGHBOURS + ((way & 7) + NEIGHBOURS // 2) % NEIGHBOURS], way >> 3


@kernel
def step_on(board, cell, way):
    """The hex after ``cell`` on a way planned, and the way from there on."""
    return board.neighbours[cell * NEIGHBOURS + (way & 7)], way >> 3


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
    """Hang all ants into the chains of their hexes, in ascending order, so that equal states have equal chains."""
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
