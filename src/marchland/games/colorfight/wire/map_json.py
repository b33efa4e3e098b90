"""Kernels that write the map as JSON straight from the state, in the forms of the public server and of the seed."""

from typing import Any, Final

from marchland.core.json_text import Pieces, put_listed, put_piece
from marchland.core.state import NO_PLAYER, Bytes
from marchland.games.colorfight.rules.captures import attack_cost, home_cost
from marchland.games.colorfight.rules.income import energy_of, gold_of
from marchland.games.colorfight.rules.state import EMPTY, HOME, TOP_LEVEL, cells_of, players_of, rules_of
from marchland.kernels import kernel

LEVELS: Final = TOP_LEVEL + 1
# Places in the pieces of a cell that is an object.
POSITION, OWNER, GOLD, ENERGY, NATURAL_GOLD, NATURAL_ENERGY, NATURAL_COST, FORCE_FIELD, UNOWNED = range(9)
BUILDINGS: Final = 9
"""The first of the pieces with a building, by kind and level."""
_COMMA, _OPEN, _CLOSE, _END_OBJECT = 44, 91, 93, 125


@kernel
def cost_before_income(cells: Any, players: Any, cell: int, has_begun: int, rules: Any) -> Any:
    """The attack cost as the public server shows it: a Home's is of the energy before the last income, 0 at first."""
    if cells.building[cell] != HOME:
        return attack_cost(cells, players, cell, rules)
    owner = cells.owner[cell]
    return home_cost(cells, cell, players.energy[owner] - players.energy_source[owner] if has_begun else 0, rules)


@kernel
def write_rows(
    state: Any,
    at: Any,
    rules: Any,
    width: int,
    has_begun: int,
    uids: Any,
    numbers: Pieces,
    buildings: Pieces,
    naturals: Pieces,
    out: Bytes,
) -> int:
    """Every cell, [y][x], as the list that the public server sends; returns the length.

    Of ``naturals`` each cell has two pieces: building, gold and energy of a cell without building, and what the list
    ends with.
    """
    rules = rules_of(rules)
    cells = cells_of(state, at)
    players = players_of(state, at)
    end = 0
    for first in range(0, len(cells.owner), width):
        out[end] = _OPEN
        end += 1
        for cell in range(first, first + width):
            out[end] = _OPEN
            end = put_listed(out, end + 1, numbers, cost_before_income(cells, players, cell, has_begun, rules))
            end = put_listed(out, end, numbers, cells.force_field[cell])
            if cells.building[cell] == EMPTY:
                end = put_piece(out, end, naturals, 2 * cell)
            else:
                end = put_piece(out, end, buildings, cells.building[cell] * LEVELS + cells.level[cell])
                end = put_listed(out, end, numbers, gold_of(cells, cell, rules))
                end = put_listed(out, end, numbers, energy_of(cells, cell, rules))
            owner = cells.owner[cell]
            end = put_listed(out, end, numbers, 0 if owner == NO_PLAYER else uids[owner])
            end = put_piece(out, end, naturals, 2 * cell + 1)
        out[end - 1] = _CLOSE
        out[end] = _COMMA
        end += 1
    return end - 1


@kernel
def write_objects(
    state: Any, at: Any, rules: Any, width: int, coords: Any, numbers: Pieces, pieces: Pieces, out: Bytes
) -> int:
    """Every cell, [y][x], as the object of the seed's "Format of game info"; returns the length."""
    rules = rules_of(rules)
    cells = cells_of(state, at)
    players = players_of(state, at)
    out[0] = _OPEN
    end = 1
    for first in range(0, len(cells.owner), width):
        out[end] = _OPEN
        end += 1
        for cell in range(first, first + width):
            end = put_piece(out, end, pieces, POSITION)
            end = put_listed(out, end, numbers, coords[cell, 0])
            end = put_listed(out, end, numbers, coords[cell, 1])
            out[end - 1] = _CLOSE
            building = BUILDINGS + cells.building[cell] * LEVELS + cells.level[cell]
            end = put_piece(out, end, pieces, building)
            end = put_listed(out, end, numbers, attack_cost(cells, players, cell, rules))
            if cells.owner[cell] == NO_PLAYER:
                end = put_piece(out, end, pieces, UNOWNED)
            else:
                end = put_piece(out, end, pieces, OWNER)
                end = put_listed(out, end, numbers, cells.owner[cell])
            end = put_piece(out, end, pieces, GOLD)
            end = put_listed(out, end, numbers, gold_of(cells, cell, rules))
            end = put_piece(out, end, pieces, ENERGY)
            end = put_listed(out, end, numbers, energy_of(cells, cell, rules))
            end = put_piece(out, end, pieces, NATURAL_GOLD)
            end = put_listed(out, end, numbers, cells.natural_gold[cell])
            end = put_piece(out, end, pieces, NATURAL_ENERGY)
            end = put_listed(out, end, numbers, cells.natural_energy[cell])
            end = put_piece(out, end, pieces, NATURAL_COST)
            end = put_listed(out, end, numbers, cells.natural_cost[cell])
            end = put_piece(out, end, pieces, FORCE_FIELD)
            end = put_listed(out, end, numbers, cells.force_field[cell])
            out[end - 1] = _END_OBJECT
            out[end] = _COMMA
            end += 1
        out[end - 1] = _CLOSE
        out[end] = _COMMA
        end += 1
    out[end - 1] = _CLOSE
    return end
