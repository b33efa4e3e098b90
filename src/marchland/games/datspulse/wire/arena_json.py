"""Writes the arena's lists as JSON straight from the state, compiled (ruling 23)."""

from typing import Any, Final, NamedTuple

from marchland.board.cells import open_tables
from marchland.board.tables import Ints, Longs, Tables
from marchland.core.dice import draw, make_dice
from marchland.core.json_text import put_number
from marchland.core.state import NO_PLAYER, head_of
from marchland.games.datspulse.rules.ants import NO_WAY, step_back, step_on
from marchland.games.datspulse.rules.state import (
    DIRT,
    ID_KEY0,
    ID_KEY1,
    NECTAR,
    NEST_HEXES,
    NOTHING,
    ROCK,
    ants_of,
    cells_of,
    nests_of,
    rules_of,
    teams_of,
)
from marchland.kernels import kernel

# Forms by their place in `wire.FORMS`: text with gaps for numbers and ants' ids.
ANTS, ENEMIES, MAP, FOOD, END, ANT, LAST_MOVE, MOVE, STEP, END_OF_WAY, CARGO, BLOW, END_OF_ANT, ENEMY, TILE, PILE = (
    range(16)
)
NUMBER_GAP: Final = 0
ID_GAP: Final = 1
MOST_GAPS: Final = 8

UUID_LENGTH: Final = 36
_COMMA, _MINUS, _ZERO, _A, _LIST = 44, 45, 48, 97, 91
_DIGITS60: Final = 1 << 60
_DIGITS62: Final = 1 << 62


class Page(NamedTuple):
    """What is written on and with: the text so far, the forms and where each starts, and what fills the gaps."""

    out: Any
    forms: Any
    starts: Any
    values: Any
    key0: int
    key1: int


@kernel
def put(page: Page, end: int, form: int) -> int:
    """Write a form with its gaps filled by ``page.values``; returns where the text ends."""
    out = page.out
    gap = 0
    for place in range(page.starts[form], page.starts[form + 1]):
        letter = page.forms[place]
        if letter == NUMBER_GAP:
            end = put_number(out, end, page.values[gap])
            gap += 1
        elif letter == ID_GAP:
            end = put_uuid(out, end, page.key0, page.key1, page.values[gap])
            gap += 1
        else:
            out[end] = letter
            end += 1
    return end


@kernel
def put_uuid(out: Any, end: int, key0: int, key1: int, ant: int) -> int:
    """Ruling 17: an ant's stable id, a random UUID (version 4, variant 1) under the match's id key."""
    dice = make_dice(key0, key1, 0, 0)
    high = draw(dice, 0, ant, _DIGITS60)
    low = draw(dice, 1, ant, _DIGITS62)
    for digit in range(32):
        if digit == 8 or digit == 12 or digit == 16 or digit == 20:
            out[end] = _MINUS
            end += 1
        if digit < 12:
            value = high >> 4 * (14 - digit) & 15
        elif digit == 12:
            value = 4
        elif digit < 16:
            value = high >> 4 * (15 - digit) & 15
        elif digit == 16:
            value = 8 + (low >> 60)
        else:
            value = low >> 4 * (31 - digit) & 15
        out[end] = _ZERO + value if value < 10 else _A + value - 10
        end += 1
    return end


@kernel
def put_uuids(out: Any, key0: int, key1: int, ants: Any) -> None:
    """The ids of many ants, one after the other."""
    end = 0
    for place in range(len(ants)):
        end = put_uuid(out, end, key0, key1, ants[place])


@kernel
def locate(page: Page, board: Tables, cell: int) -> None:
    """Column and row of a hex go into the first two gaps."""
    row = board.frame[2 * cell + 1]
    page.values[0] = board.frame[2 * cell] + (row >> 1)
    page.values[1] = row


@kernel
def put_separator(page: Page, end: int) -> int:
    """The end of the text after a comma, unless the list has just begun."""
    if page.out[end - 1] != _LIST:
        page.out[end] = _COMMA
        end += 1
    return end


@kernel
def write_arena(
    state: Any,
    at: Any,
    board: Any,
    rules: Any,
    team: int,
    planned: Any,
    seen: Ints,
    forms: Any,
    starts: Longs,
    values: Longs,
    out: Any,
) -> int:
    """The ants, enemies, map and food that ``team`` sees; returns the length."""
    board = open_tables(board)
    rules = rules_of(rules)
    head = head_of(state, at)
    cells = cells_of(state, at)
    nests = nests_of(state, at)
    ants = ants_of(state, at)
    teams = teams_of(state, at)
    page = Page(out, forms, starts, values, head[ID_KEY0], head[ID_KEY1])
    first = team * (len(ants.id) // len(teams.ants))
    end = put(page, 0, ANTS)
    for place in range(teams.ants[team]):
        end = put_ant(page, end, ants, first + place, planned[place], board)
    end = put(page, end, ENEMIES)
    for place in range(len(seen)):
        row = next_enemy(cells, ants, seen[place], team, 0)
        while row >= 0:
            end = put_enemy(page, end, ants, row, board, rules)
            row = next_enemy(cells, ants, seen[place], team, ants.id[row])
    end = put(page, end, MAP)
    for place in range(len(seen)):
        terrain = cells.terrain[seen[place]]
        locate(page, board, seen[place])
        page.values[2] = rules.dirt_cost if terrain == DIRT else rules.rock_cost if terrain == ROCK else 1
        page.values[3] = terrain
        end = put(page, put_separator(page, end), TILE)
    end = put(page, end, FOOD)
    for place in range(len(seen)):
        cell = seen[place]
        amount = food_on(cells, nests, cell)
        if amount > 0:
            locate(page, board, cell)
            page.values[2] = cells.food[cell] if cells.food[cell] != NOTHING else NECTAR
            page.values[3] = amount
            end = put(page, put_separator(page, end), PILE)
    return put(page, end, END)


@kernel
def food_on(cells: Any, nests: Any, cell: int) -> int:
    """How much food lies on a hex, or how much nectar is stored on it."""
    amount: int = cells.amount[cell]
    if cells.nest[cell] != NO_PLAYER:
        for nest in range(cells.nest[cell] * NEST_HEXES, cells.nest[cell] * NEST_HEXES + NEST_HEXES):
            if nests.cell[nest] == cell:
                amount = nests.nectar[nest]
    return amount


@kernel
def put_ant(page: Page, end: int, ants: Any, row: int, planned: int, board: Tables) -> int:
    locate(page, board, ants.cell[row])
    page.values[2] = ants.kind[row]
    page.values[3] = ants.health[row]
    page.values[4] = ants.id[row]
    end = put(page, put_separator(page, end), ANT)
    way = ants.walked[row]
    if way > 0:
        end = put(page, end, LAST_MOVE)
        steps = 1
        while way >> 3 * (steps - 1) > NO_WAY:
            steps += 1
        for step in range(steps):
            locate(page, board, walked_to(board, ants.cell[row], way, steps - 1 - step))
            end = put(page, put_separator(page, end), STEP)
        end = put(page, end, END_OF_WAY)
    if planned > NO_WAY:
        end = put(page, end, MOVE)
        cell = ants.cell[row]
        while planned > NO_WAY:
            cell, planned = step_on(board, cell, planned)
            locate(page, board, cell)
            end = put(page, put_separator(page, end), STEP)
        end = put(page, end, END_OF_WAY)
    page.values[0] = ants.food[row]
    page.values[1] = ants.amount[row]
    end = put(page, end, CARGO)
    if ants.enemy[row] > 0:
        locate(page, board, ants.enemy_cell[row])
        page.values[2] = ants.enemy[row]
        end = put(page, end, BLOW)
    return put(page, end, END_OF_ANT)


@kernel
def walked_to(board: Tables, cell: int, way: int, back: int) -> int:
    """The hex so many steps before the last of a way walked."""
    for _ in range(back):
        cell, way = step_back(board, cell, way)
    return cell


@kernel
def next_enemy(cells: Any, ants: Any, cell: int, team: int, after: int) -> int:
    """The row of the enemy there with the lowest id above ``after``, or -1: rows would reveal the owner, ids do not."""
    found = -1
    link = cells.first[cell]
    while link:
        row = link - 1
        if ants.team[row] != team and ants.id[row] > after and (found < 0 or ants.id[row] < ants.id[found]):
            found = row
        link = ants.next[row]
    return found


@kernel
def put_enemy(page: Page, end: int, ants: Any, row: int, board: Tables, rules: Any) -> int:
    locate(page, board, ants.cell[row])
    page.values[2] = ants.kind[row]
    page.values[3] = rules.attack[ants.kind[row]]
    page.values[4] = ants.health[row]
    page.values[5] = ants.food[row]
    page.values[6] = ants.amount[row]
    page.values[7] = ants.id[row]
    return put(page, put_separator(page, end), ENEMY)
