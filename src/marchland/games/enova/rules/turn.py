"""One turn of Enova Conquest. Every phase is simultaneous: it reads what the phase before left, nothing of its own."""

from typing import Final

from marchland.board.cells import open_tables
from marchland.board.tables import DEGREE
from marchland.core.dice import dice_of
from marchland.core.events import emit
from marchland.core.orders import LEFT_OUT, admit, cell_of, columns
from marchland.core.reasons import CommonReason
from marchland.core.state import NO_PLAYER, OVER, PLAYERS, TURN, head_of
from marchland.games.enova.rules.battles import edge_battles, tile_battles
from marchland.games.enova.rules.captures import capture
from marchland.games.enova.rules.events import ELIMINATED, PRODUCED
from marchland.games.enova.rules.orders import DEFEND, SUPPORT, VERBS
from marchland.games.enova.rules.orders_by_tile import sort_by_tile
from marchland.games.enova.rules.reasons import EnovaReason as Why
from marchland.games.enova.rules.retreats import retreat
from marchland.games.enova.rules.state import (
    ALIVE,
    BY_TURN,
    CASTLES,
    DEFENDING,
    DEPARTED,
    IDLE,
    MOVING,
    STARTERS,
    SUPPORTING,
    rules_of,
    state_of,
    work_of,
)
from marchland.games.enova.rules.terrain import IMPASSABLE
from marchland.kernels import kernel

OK: Final = int(CommonReason.OK)
DEAD: Final = int(CommonReason.DEAD)
VERB_COUNT: Final = len(VERBS)

# Why a match ended, in the head's OVER slot.
TURN_LIMIT_REACHED: Final = 1
LAST_ALIVE: Final = 2


@kernel
def turn(state, work, at, board, orders, pool, events, rules):
    board, rules, head, commands = open_tables(board), rules_of(rules), head_of(state, at), columns(orders)
    cells, players, castles, departures = state_of(state, at)
    plans, sheets, shelves, ordered, entered, groups, claimed, parties = work_of(work, at)
    dice = dice_of(head)

    admit(commands, head[PLAYERS], VERB_COUNT)
    planned = take_orders(cells, players, plans, sheets, shelves, ordered, board, commands)  # ruling 4
    marches = depart(cells, plans, ordered, planned, entered, board)
    # Rulings 5 to 9
    battles, lost = edge_battles(cells, players, plans, ordered, planned, groups, parties, board, dice, events, rules)
    lost = tile_battles(
        cells, players, plans, ordered, entered, marches, groups, lost, battles, parties, board, dice, events, rules
    )
    occupy(cells, players, entered, marches, board, events)  # ruling 3
    retreat(cells, players, plans, groups, lost, claimed, board, dice, events)  # ruling 10
    eliminate(head, cells, players, departures, events, rules)  # ruling 11
    head[TURN] += 1
    finish(head, rules)
    if head[OVER] == 0:
        produce(head, cells, players, castles, events, rules)  # ruling 2
    forget(plans, ordered, planned, entered, marches)


@kernel
def plan_turn(state, work, at, board, orders, pool, events, rules):
    """Only take the orders, and count the units that march as spent: for menus and forecasts.

    What the units of each tile would do stays in the workspace.
    """
    board, commands = open_tables(board), columns(orders)
    cells, players, _, _ = state_of(state, at)
    plans, sheets, shelves, ordered, _, _, _, _ = work_of(work, at)
    admit(commands, head_of(state, at)[PLAYERS], VERB_COUNT)
    planned = take_orders(cells, players, plans, sheets, shelves, ordered, board, commands)
    for place in range(planned):
        cell = ordered.cell[place]
        if plans.doing[cell] >= MOVING:
            players.units[cells.owner[cell]] -= ordered.going[place]


# ---------------------------------------------------------------- orders


@kernel
def take_orders(cells, players, plans, sheets, shelves, ordered, board, commands):
    """One action per owned tile; the last received counts (rulings 4, 17). Returns how many tiles have one."""
    planned = 0
    room = len(sheets.row)
    for first in range(0, len(commands.player), room):
        count = sort_by_tile(commands, first, min(first + room, len(commands.player)), sheets, shelves, board)
        for sheet in range(count):
            cell = cell_of(board, sheets.a[sheet])  # on a torus beyond the edge, too (ruling 22)
            why = objection(cells, players, sheets.player[sheet], cell)
            if why == OK:
                place = plans.order[cell] - 1
                if place < 0:
                    place = planned
                    planned += 1
                    plans.order[cell] = planned
                    ordered.cell[place] = cell
                elif commands.reason[ordered.row[place]] == OK:
                    commands.reason[ordered.row[place]] = Why.REPLACED.value
                ordered.row[place] = sheets.row[sheet]
                why = plan(cells, plans, ordered, board, sheets, sheet, place)
            if why != OK:
                commands.reason[sheets.row[sheet]] = why
    return planned


@kernel
def objection(cells, players, player, cell):
    """Why ``player`` may give no orders for ``cell``."""
    if cell >= 0 and cells.owner[cell] == player:  # the dead own nothing
        return OK
    if players.dead[player]:
        return DEAD
    return Why.OFF_THE_BOARD.value if cell < 0 else Why.NOT_YOURS.value


@kernel
def plan(cells, plans, ordered, board, sheets, sheet, place):
    """Note what the units on a tile shall do; a refused order leaves them idle."""
    cell = ordered.cell[place]
    here = cells.units[cell]
    plans.doing[cell] = IDLE
    if here == 0:
        return Why.NO_UNITS.value
    if sheets.verb[sheet] == DEFEND:
        plans.doing[cell] = DEFENDING
        return OK
    if sheets.verb[sheet] == SUPPORT:
        plans.doing[cell] = SUPPORTING
        return OK
    to = cell_of(board, sheets.b[sheet])
    if to < 0:
        return Why.NO_TARGET.value
    direction = way_to(board, cell, to)
    if direction < 0:
        return Why.NOT_ADJACENT.value
    if cells.terrain[to] == IMPASSABLE:
        return Why.IMPASSABLE.value
    units = here if sheets.c[sheet] == LEFT_OUT else sheets.c[sheet]
    if units <= 0:
        return Why.BAD_UNITS.value
    if units > here:
        return Why.NOT_ENOUGH_UNITS.value
    plans.doing[cell] = MOVING + direction
    ordered.going[place] = units
    return OK


@kernel
def way_to(board, cell, to):
    """The direction in which ``to`` lies next to ``cell``, or -1."""
    degree = board.shape[DEGREE]
    for direction in range(degree):
        if board.neighbours[cell * degree + direction] == to:
            return direction
    return -1


# ---------------------------------------------------------------- departures and arrivals


@kernel
def depart(cells, plans, ordered, planned, entered, board):
    """Units that move leave their tiles, and so do not defend them (ruling 7). Returns how many tiles are entered."""
    degree = board.shape[DEGREE]
    marches = 0
    for place in range(planned):
        cell = ordered.cell[place]
        direction = plans.doing[cell] - MOVING
        if direction < 0:
            continue
        cells.units[cell] -= ordered.going[place]
        to = board.neighbours[cell * degree + direction]
        if not plans.entered[to]:
            plans.entered[to] = 1
            entered.cell[marches] = to
            marches += 1
    return marches


@kernel
def occupy(cells, players, entered, marches, board, events):
    """A tile belongs to the party that won it or entered it (ruling 3)."""
    for place in range(marches):
        cell = entered.cell[place]
        cells.units[cell] = entered.units[place]
        if entered.owner[place] != cells.owner[cell]:
            capture(cells, players, board, cell, entered.owner[place], events)


# ---------------------------------------------------------------- the end of the turn


@kernel
def eliminate(head, cells, players, departures, events, rules):
    """No units and no castle: eliminated, and its land becomes unowned (ruling 11)."""
    orphaned = 0
    for player in range(len(players.dead)):
        if players.units[player] == 0 and players.castles[player] == 0 and not players.dead[player]:
            players.dead[player] = 1
            if rules.rank_eliminated == BY_TURN:  # ruling 26
                departures.player[head[DEPARTED]] = player
                departures.turn[head[DEPARTED]] = head[TURN]
                head[DEPARTED] += 1
            head[ALIVE] -= 1
            orphaned += players.tiles[player]
            players.tiles[player] = 0
            emit(events, ELIMINATED, player)
    if orphaned == 0:
        return
    for cell in range(len(cells.owner)):
        owner = cells.owner[cell]
        if owner != NO_PLAYER and players.dead[owner]:
            cells.owner[cell] = NO_PLAYER


@kernel
def finish(head, rules):
    """The end comes when one is left of a match that several started, or at the turn limit (ruling 11)."""
    if head[STARTERS] > 1 and head[ALIVE] <= 1:
        head[OVER] = LAST_ALIVE
    elif head[TURN] > rules.turn_limit:
        head[OVER] = TURN_LIMIT_REACHED


@kernel
def produce(head, cells, players, castles, events, rules):
    """The next turn begins: every castle that has an owner produces, even if it is empty (ruling 2)."""
    produced = 0
    for place in range(head[CASTLES]):
        cell = castles.cell[place]
        owner = cells.owner[cell]
        if owner != NO_PLAYER:
            cells.units[cell] += rules.production
            players.units[owner] += rules.production
            produced += rules.production
    emit(events, PRODUCED, produced)


@kernel
def forget(plans, ordered, planned, entered, marches):
    """Leave the scratch as it was found."""
    for place in range(planned):
        plans.doing[ordered.cell[place]] = IDLE
        plans.order[ordered.cell[place]] = 0
    for place in range(marches):
        plans.entered[entered.cell[place]] = 0
