"""Kernels that write the players as JSON straight from the state, in the forms of the public server and of the seed."""

from typing import Any, Final

from marchland.core.json_text import Pieces, put_listed, put_piece
from marchland.core.state import NO_PLAYER, Bytes
from marchland.games.colorfight.rules.state import EMPTY, HOME, cells_of, players_of
from marchland.kernels import kernel

KINDS: Final = 5
"""Kinds of buildings, with none."""
# Places in the pieces of a player.
ENERGY, GOLD, ALIVE, DEAD, ENERGY_SOURCE, GOLD_SOURCE, TECH_LEVEL, TAX_LEVEL, TAX_AMOUNT, BUILDING_NUMBER = range(10)
CELL_NUMBER, CELLS, END = 10, 11, 12
NAMES: Final = 12
"""The place before those of the names of the buildings."""
_CELLS_OF_A_TAX_LEVEL: Final = 100
_COMMA, _OPEN, _CLOSE = 44, 91, 93


@kernel
def write_users(
    state: Any,
    at: Any,
    width: int,
    has_begun: int,
    coords: Any,
    numbers: Pieces,
    heads: Pieces,
    pieces: Pieces,
    order: Any,
    bounds: Any,
    counts: Any,
    out: Bytes,
) -> int:
    """Every player as the public server sends it, each after its piece of ``heads``; returns the length.

    The sources are before tax (ruling 22). Before the match has begun there is no tax, and buildings are not counted.
    ``order`` has room for a number a cell, ``bounds`` and ``counts`` for each player's cells and buildings.
    """
    players = players_of(state, at)
    group_cells(cells_of(state, at), width, True, order, bounds, counts)
    end = 0
    for player in range(len(players.energy)):
        tax = players.tax[player] if has_begun else 0
        end = put_piece(out, end, heads, player)
        end = put_listed(out, end, numbers, place_by_gold(players, player))
        end = put_account(out, end, numbers, pieces, players, player)
        end = put_sources(out, end, numbers, pieces, players, player, tax)
        end = put_value(out, end, numbers, pieces, TECH_LEVEL, players.tech_level[player])
        end = put_value(out, end, numbers, pieces, TAX_LEVEL, players.cells[player] // _CELLS_OF_A_TAX_LEVEL)
        end = put_value(out, end, numbers, pieces, TAX_AMOUNT, tax)
        end = put_piece(out, end, pieces, BUILDING_NUMBER)
        listed = end
        for kind in range(HOME, KINDS):
            count = counts[player * KINDS + kind]
            if count > 0 and has_begun:
                end = put_value(out, end, numbers, pieces, NAMES + kind, count)
        if end > listed:
            end -= 1
        end = put_value(out, end, numbers, pieces, CELL_NUMBER, players.cells[player])
        end = put_cells(out, end, numbers, pieces, coords, order, bounds[player], bounds[player + 1])
    return end - 1


@kernel
def write_players(
    state: Any,
    at: Any,
    width: int,
    coords: Any,
    numbers: Pieces,
    heads: Pieces,
    pieces: Pieces,
    order: Any,
    bounds: Any,
    counts: Any,
    out: Bytes,
) -> int:
    """Every player in the form of the seed's game info; returns the length. The sources are net of tax."""
    players = players_of(state, at)
    group_cells(cells_of(state, at), width, False, order, bounds, counts)
    end = 0
    for player in range(len(players.energy)):
        end = put_piece(out, end, heads, player)
        end = put_account(out, end, numbers, pieces, players, player)
        end = put_value(out, end, numbers, pieces, TECH_LEVEL, players.tech_level[player])
        end = put_sources(out, end, numbers, pieces, players, player, 0)
        end = put_value(out, end, numbers, pieces, TAX_AMOUNT, players.tax[player])
        end = put_cells(out, end, numbers, pieces, coords, order, bounds[player], bounds[player + 1])
    return end - 1


@kernel
def put_value(out: Bytes, end: int, numbers: Pieces, pieces: Pieces, piece: int, number: int) -> int:
    """A key and its number."""
    return put_listed(out, put_piece(out, end, pieces, piece), numbers, number)


@kernel
def put_account(out: Bytes, end: int, numbers: Pieces, pieces: Pieces, players: Any, player: int) -> int:
    end = put_value(out, end, numbers, pieces, ENERGY, players.energy[player])
    end = put_value(out, end, numbers, pieces, GOLD, players.gold[player])
    return put_piece(out, end, pieces, DEAD if players.dead[player] else ALIVE)


@kernel
def put_sources(out: Bytes, end: int, numbers: Pieces, pieces: Pieces, players: Any, player: int, tax: int) -> int:
    end = put_value(out, end, numbers, pieces, ENERGY_SOURCE, players.energy_source[player] + tax)
    return put_value(out, end, numbers, pieces, GOLD_SOURCE, players.gold_source[player] + tax)


@kernel
def put_cells(
    out: Bytes, end: int, numbers: Pieces, pieces: Pieces, coords: Any, order: Any, first: int, last: int
) -> int:
    """The list of a player's cells, and the end of the player."""
    end = put_piece(out, end, pieces, CELLS)
    for place in range(first, last):
        out[end] = _OPEN
        end = put_listed(out, end + 1, numbers, coords[order[place], 0])
        end = put_listed(out, end, numbers, coords[order[place], 1])
        out[end - 1] = _CLOSE
        out[end] = _COMMA
        end += 1
    if first < last:
        end -= 1
    return put_piece(out, end, pieces, END)


@kernel
def place_by_gold(players: Any, player: int) -> int:
    """One more than the number of players who have more gold."""
    place = 1
    for other in range(len(players.gold)):
        place += players.gold[other] > players.gold[player]
    return place


@kernel
def group_cells(cells: Any, width: int, by_column: int, order: Any, bounds: Any, counts: Any) -> None:
    """List the cells by owner, column by column or row by row, and count the buildings of each kind.

    The cells of a player are those from ``order[bounds[player]]`` to before ``order[bounds[player + 1]]``.
    """
    for slot in range(len(counts)):
        counts[slot] = 0
    for player in range(len(bounds)):
        bounds[player] = 0
    for cell in range(len(cells.owner)):
        owner = cells.owner[cell]
        if owner != NO_PLAYER:
            bounds[owner] += 1
            counts[owner * KINDS + cells.building[cell]] += cells.building[cell] != EMPTY
    total = 0
    for player in range(len(bounds)):
        total += bounds[player]
        bounds[player] = total
    height = len(cells.owner) // width
    for place in range(len(cells.owner) - 1, -1, -1):  # from the last, so that each list is filled from its end
        cell = place % height * width + place // height if by_column else place
        owner = cells.owner[cell]
        if owner != NO_PLAYER:
            bounds[owner] -= 1
            order[bounds[owner]] = cell
