"""A kernel that writes the lists of a team's view as JSON straight from the state."""

from typing import Any, Final

from marchland.board.cells import open_tables
from marchland.board.tables import Tables
from marchland.core.json_text import Pieces, put_listed, put_piece
from marchland.core.state import Bytes
from marchland.games.datspulse.rules.ants import NO_WAY, step_back, step_on
from marchland.games.datspulse.rules.state import FOODS, KINDS, TERRAINS, ants_of, cells_of
from marchland.kernels import kernel

# Places in the pieces of a view, which `view_text` makes in this order; the last four begin those of each kind.
ANTS, ENEMIES, MAP, FOOD, END, ID, AT, HEX, NO_CARGO, LAST_MOVE, MOVE, END_OF_WAY = range(12)
ATTACK, NO_ATTACK, ENEMY, NO_ENEMY = range(12, 16)
KIND: Final = 16
CARGO: Final = KIND + len(KINDS)
TERRAIN: Final = CARGO + len(FOODS)
PILE: Final = TERRAIN + len(TERRAINS)
_COMMA, _END_OBJECT = 44, 125


@kernel
def write_lists(
    state: Any,
    at: Any,
    board: Any,
    own: Any,
    others: Any,
    seen: Any,
    food: Any,
    amount: Any,
    numbers: Pieces,
    places: Pieces,
    pieces: Pieces,
    out: Bytes,
) -> int:
    """The ants of the rows ``own`` and ``others``, the hexes ``seen`` and the food on them; returns the length."""
    board = open_tables(board)
    cells = cells_of(state, at)
    ants = ants_of(state, at)
    end = put_piece(out, 0, pieces, ANTS)
    for place in range(len(own)):
        row = own[place]
        end = put_ant(out, end, numbers, places, pieces, ants, row)
        end = put_ways(out, end, places, pieces, ants, row, board)
        if ants.enemy[row] > 0:
            end = put_piece(out, put_piece(out, end, pieces, ATTACK), places, ants.enemy_cell[row])
            end = put_listed(out, put_piece(out, end, pieces, ENEMY), numbers, ants.enemy[row])
        else:
            end = put_piece(out, put_piece(out, end, pieces, NO_ATTACK), pieces, NO_ENEMY)
        end = end_object(out, end)
    end = put_piece(out, end - (len(own) > 0), pieces, ENEMIES)
    for place in range(len(others)):
        end = end_object(out, put_ant(out, end, numbers, places, pieces, ants, others[place]))
    end = put_piece(out, end - (len(others) > 0), pieces, MAP)
    for place in range(len(seen)):
        end = put_piece(out, put_piece(out, end, pieces, HEX), places, seen[place])
        end = put_piece(out, end, pieces, TERRAIN + cells.terrain[seen[place]])
    end = put_piece(out, end - (len(seen) > 0), pieces, FOOD)
    piles = 0
    for place in range(len(seen)):
        cell = seen[place]
        if amount[cell] > 0:
            end = put_piece(out, put_piece(out, end, pieces, HEX), places, cell)
            end = put_listed(out, put_piece(out, end, pieces, PILE + food[cell]), numbers, amount[cell])
            end = end_object(out, end)
            piles += 1
    return put_piece(out, end - (piles > 0), pieces, END)


@kernel
def end_object(out: Bytes, end: int) -> int:
    """Close an object whose text ends with a comma."""
    out[end - 1] = _END_OBJECT
    out[end] = _COMMA
    return end + 1


@kernel
def put_ant(out: Bytes, end: int, numbers: Pieces, places: Pieces, pieces: Pieces, ants: Any, row: int) -> int:
    """What every team in sight of an ant knows of it."""
    end = put_listed(out, put_piece(out, end, pieces, ID), numbers, ants.id[row])
    end = put_piece(out, put_piece(out, end, pieces, AT), places, ants.cell[row])
    end = put_listed(out, put_piece(out, end, pieces, KIND + ants.kind[row]), numbers, ants.health[row])
    if ants.amount[row] > 0:
        end = put_listed(out, put_piece(out, end, pieces, CARGO + ants.food[row]), numbers, ants.amount[row])
        return end_object(out, end)
    return put_piece(out, end, pieces, NO_CARGO)


@kernel
def put_ways(out: Bytes, end: int, places: Pieces, pieces: Pieces, ants: Any, row: int, board: Tables) -> int:
    """The way that an ant walked in the last transition, and the way that it was to walk."""
    end = put_piece(out, end, pieces, LAST_MOVE)
    way = ants.walked[row]
    if way > 0:
        steps = 1
        while way >> 3 * (steps - 1) > NO_WAY:
            steps += 1
        for step in range(steps):
            cell, back = ants.cell[row], way
            for _ in range(steps - 1 - step):
                cell, back = step_back(board, cell, back)
            end = put_piece(out, end, places, cell)
        end -= 1
    end = put_piece(out, put_piece(out, end, pieces, END_OF_WAY), pieces, MOVE)
    cell, way = ants.cell[row], ants.planned[row]
    if way > NO_WAY:
        while way > NO_WAY:
            cell, way = step_on(board, cell, way)
            end = put_piece(out, end, places, cell)
        end -= 1
    return put_piece(out, end, pieces, END_OF_WAY)
