"""One transition of DatsPulse, phase by phase in the order of the seed's "Transition" section.

Turn 0 is the start, before the first orders: each team's scout and the first roll.
"""

from typing import Final

from marchland.board.cells import open_tables
from marchland.core.dice import dice_of
from marchland.core.orders import admit, cell_of, columns
from marchland.core.reasons import CommonReason
from marchland.core.state import OVER, PLAYERS, TURN, head_of
from marchland.games.datspulse.rules.ant_actions import ant_actions
from marchland.games.datspulse.rules.ants import muster, order_ants, row_of
from marchland.games.datspulse.rules.combat import ant_attacks, draw_queue, nest_fire
from marchland.games.datspulse.rules.growth import first_scouts, grow_food, spawn
from marchland.games.datspulse.rules.orders import VERBS
from marchland.games.datspulse.rules.reasons import DatspulseReason as Why
from marchland.games.datspulse.rules.state import (
    NEIGHBOURS,
    rules_of,
    state_of,
    work_of,
)
from marchland.kernels import kernel

OK: Final = int(CommonReason.OK)
MALFORMED: Final = int(CommonReason.MALFORMED)
VERB_COUNT: Final = len(VERBS)

# Why a round ended, in the head's OVER slot.
MAX_TURN_REACHED: Final = 1


@kernel
def turn(state, work, at, board, orders, pool, events, rules):
    board, rules, head, commands = open_tables(board), rules_of(rules), head_of(state, at), columns(orders)
    cells, teams, nests, ants = state_of(state, at)
    queue, fighters, marks, around = work_of(work, at)
    dice = dice_of(head)

    admit(commands, head[PLAYERS], VERB_COUNT)
    take_orders(head, teams, ants, marks, board, commands, pool, rules)
    bury(cells, teams, ants, marks)
    if head[TURN] == 0:
        first_scouts(head, cells, teams, nests, ants, rules)
    else:
        nest_fire(head, cells, teams, nests, ants, marks, around.cell, board, dice, events, rules)  # 1.
        draw_queue(queue.team, dice)  # 2.
        ant_attacks(head, cells, teams, nests, ants, queue.team, fighters.row, board, dice, events, rules)  # 3.
        ant_actions(head, cells, teams, nests, ants, queue.team, board, dice, events, rules)  # 4.
    spawn(head, cells, teams, nests, ants, board, dice, events, rules)  # 5.
    if head[TURN] > 0:
        grow_food(head, cells, teams, ants, board, dice, events, rules)  # 6.
    rest(teams, ants, marks)
    order_ants(teams, ants)
    muster(cells, teams, ants)
    head[TURN] += 1
    if head[TURN] > rules.max_turn:
        head[OVER] = MAX_TURN_REACHED


# ---------------------------------------------------------------- orders


@kernel
def take_orders(head, teams, ants, marks, board, commands, pool, rules):
    """Ruling 5: a bad order changes nothing, the last valid one for an ant counts, an empty path takes it back."""
    for line in range(len(commands.player)):
        if commands.reason[line] != OK:
            continue
        row = row_of(head, teams, ants, commands.player[line], commands.a[line])
        why, way = judge_order(ants, row, commands.b[line], pool, board, rules)
        commands.reason[line] = why
        if why == OK:
            if marks.order[row]:
                commands.reason[marks.order[row] - 1] = Why.REPLACED.value
            marks.order[row] = line + 1
            ants.planned[row] = way


@kernel
def judge_order(ants, row, start, pool, board, rules):
    """What is wrong with an order for the ant in ``row``, and else its way."""
    if row < 0:
        return Why.NOT_FOUND.value, 0
    if ants.health[row] == 0:
        return Why.DEAD_ANT.value, 0
    if start < 0 or start >= len(pool):
        return MALFORMED, 0
    length = pool[start]
    if length < 0 or length > len(pool) - start - 1:
        return MALFORMED, 0
    if length > rules.speed[ants.kind[row]]:
        return Why.TOO_FAR.value, 0
    way = 0
    here = ants.cell[row]
    for step in range(length):
        there = cell_of(board, pool[start + 1 + step])
        if there < 0:
            return Why.NO_TILE.value, 0
        direction = direction_to(board, here, there)
        if direction < 0:
            return Why.NOT_ADJACENT.value, 0
        way += direction << 3 * step
        here = there
    return OK, way + (1 << 3 * length) if length > 0 else 0


@kernel
def direction_to(board, here, there):
    for way in range(NEIGHBOURS):
        if board.neighbours[here * NEIGHBOURS + way] == there:
            return way
    return -1


# ---------------------------------------------------------------- between transitions


@kernel
def bury(cells, teams, ants, marks):
    """Remove the dead of the last transition; clear each ant's last way and last blow."""
    slots = len(ants.id) // len(teams.ants)
    for team in range(len(teams.ants)):
        first = team * slots
        filled = first
        for row in range(first, first + teams.ants[team]):
            cells.first[ants.cell[row]] = 0
            marks.order[row] = 0
            ants.walked[row] = 0
            ants.enemy[row] = 0
            ants.enemy_cell[row] = 0
            if ants.health[row] > 0:
                if filled < row:
                    shift(ants, row, filled)
                filled += 1
        for row in range(filled, first + teams.ants[team]):
            clear(ants, row)
        teams.ants[team] = filled - first
    muster(cells, teams, ants)


@kernel
def shift(ants, row, to):
    ants.id[to] = ants.id[row]
    ants.key[to] = ants.key[row]
    ants.cell[to] = ants.cell[row]
    ants.kind[to] = ants.kind[row]
    ants.health[to] = ants.health[row]
    ants.food[to] = ants.food[row]
    ants.amount[to] = ants.amount[row]
    ants.planned[to] = ants.planned[row]


@kernel
def clear(ants, row):
    ants.id[row] = 0
    ants.key[row] = 0
    ants.cell[row] = 0
    ants.kind[row] = 0
    ants.health[row] = 0
    ants.food[row] = 0
    ants.amount[row] = 0
    ants.planned[row] = 0
    ants.team[row] = 0
    ants.next[row] = 0


@kernel
def rest(teams, ants, marks):
    """Leave the marks as they were found."""
    slots = len(ants.id) // len(teams.ants)
    for team in range(len(teams.ants)):
        for row in range(team * slots, team * slots + teams.ants[team]):
            marks.burnt[row] = 0
