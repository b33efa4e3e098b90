"""One turn of Colorfight, phase by phase in the order of the seed's "Update" section."""

from typing import Final

from marchland.board.cells import open_tables
from marchland.core.events import emit
from marchland.core.orders import admit, columns
from marchland.core.state import NO_PLAYER, OVER, PLAYERS, TURN, head_of
from marchland.games.colorfight.rules.captures import capture, change_owner, ruin_the_homeless
from marchland.games.colorfight.rules.commands import give_commands, refuse_the_dead
from marchland.games.colorfight.rules.events import DIED
from marchland.games.colorfight.rules.income import pay_income
from marchland.games.colorfight.rules.orders import VERBS
from marchland.games.colorfight.rules.state import FORTRESS, NEIGHBOURS, cells_of, rules_of, state_of, work_of
from marchland.kernels import kernel

VERB_COUNT: Final = len(VERBS)

_STRETCH: Final = 64
"""Cells that are looked through at once for a rare building."""

# Why a match ended, in the head's OVER slot.
MAX_TURN_REACHED: Final = 1
LAST_ALIVE: Final = 2


@kernel
def turn(state, work, at, board, orders, pool, events, rules):
    board, rules, head, commands = open_tables(board), rules_of(rules), head_of(state, at), columns(orders)
    cells, players = state_of(state, at)
    sieges, attackers, purses = work_of(work, at)

    admit(commands, head[PLAYERS], VERB_COUNT)
    refuse_the_dead(commands, players)
    count = give_commands(cells, players, sieges, attackers, purses, board, commands, events, rules)  # 1, 2.1
    capture(cells, players, sieges, attackers, purses, count, board, events, rules)  # 2.2
    if not rules.ruins_after_income:
        ruin_the_homeless(cells, players, board, events, rules)  # 2.2, a Home's fall
    pay_income(cells, players, sieges, attackers, purses, rules)  # 2.3, 2.4, 3.1
    if rules.ruins_after_income:
        ruin_the_homeless(cells, players, board, events, rules)
    force_fields(cells, board, rules)  # 2.5
    bury(players, events)  # 3.2
    head[TURN] += 1
    finish(head, players, rules)


@kernel
def plan(state, work, at, board, orders, pool, events, rules):
    """Give the commands and pay for them, without anything that follows: what a player can order besides them."""
    commands = columns(orders)
    cells, players = state_of(state, at)
    sieges, attackers, purses = work_of(work, at)
    admit(commands, head_of(state, at)[PLAYERS], VERB_COUNT)
    refuse_the_dead(commands, players)
    give_commands(cells, players, sieges, attackers, purses, open_tables(board), commands, events, rules_of(rules))


@kernel
def force_fields(cells, board, rules):
    """Friends strengthen, enemies weaken, fortresses do both more (ruling 13); unowned cells do not change."""
    for first in range(0, len(cells.owner), _STRETCH):
        last = min(first + _STRETCH, len(cells.owner))
        if holds_a_fortress(cells, first, last):  # few stretches do
            for cell in range(first, last):
                if cells.building[cell] == FORTRESS:
                    radiate(cells, board, cell, rules)
    for cell in range(len(cells.owner)):
        change = cells.friends[cell] * rules.ally_field - cells.enemies[cell] * rules.enemy_field
        cells.force_field[cell] = min(max(cells.force_field[cell] + change, 0), rules.field_most)


@kernel
def holds_a_fortress(cells, first, last):
    found = False
    for cell in range(first, last):
        found |= cells.building[cell] == FORTRESS
    return found


@kernel
def radiate(cells, board, fortress, rules):
    """What a fortress does to its cell and its neighbours, beyond what any neighbour does. Not yet clamped."""
    level = cells.level[fortress]
    cells.force_field[fortress] += rules.fortress_field * level
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[fortress * NEIGHBOURS + way]
        if neighbour < 0 or cells.owner[neighbour] == NO_PLAYER:
            continue
        if cells.owner[neighbour] == cells.owner[fortress]:
            cells.force_field[neighbour] += rules.ally_fortress_field * level
        else:
            beyond = rules.enemy_fortress_base + rules.enemy_fortress_field * level - rules.enemy_field
            cells.force_field[neighbour] -= beyond


@kernel
def bury(players, events):
    """No cells: dead (ruling 14)."""
    for player in range(len(players.cells)):
        if players.cells[player] == 0 and not players.dead[player]:
            players.dead[player] = 1
            emit(events, DIED, player)


@kernel
def finish(head, players, rules):
    """The end comes at the last turn, or when at most one of several players is alive (rulings 15, 27)."""
    alive = 0
    for player in range(len(players.dead)):
        alive += 1 - players.dead[player]
    if rules.early_end and len(players.dead) > 1 and alive <= 1:
        head[OVER] = LAST_ALIVE
    elif head[TURN] >= rules.max_turn:
        head[OVER] = MAX_TURN_REACHED


@kernel
def first_income(state, work, at, rules):
    """The income that is paid before the first orders (ruling 15)."""
    cells, players = state_of(state, at)
    sieges, attackers, purses = work_of(work, at)
    pay_income(cells, players, sieges, attackers, purses, rules_of(rules))


@kernel
def settle(state, at, board, cell, player):
    """Give a cell that may have had no owner to ``player``, before the first turn or when a player joins."""
    change_owner(cells_of(state, at), open_tables(board), cell, player)
