"""Colorfight's income, seed "Update" 2.3, 2.4 and 3.1: what each player's cells yield, less tax.

Every turn adds up every cell, so this is the most expensive phase. What a cell yields is computed without branches,
packed into one integer, a stretch of cells at a time, and added to the tally of its owner in one addition. Tallies are
unpacked before one of their parts can overflow. Each player has several, used in turn: an addition that had to wait
for the previous one to the same address would take longer than everything else. The scratch of attacks holds them.
"""

from typing import Final

from marchland.core.state import NO_PLAYER
from marchland.games.colorfight.rules.state import HOME, MINE, WELL
from marchland.kernels import kernel

_TALLIES: Final = 4
"""Tallies of each player."""
_STRETCH: Final = 64
"""Cells that are added up at once."""
_HALF_FULL: Final = 500
"""Cells that fit a tally of fewer than 512: a cell yields at most 127 * (1 + 3), and the parts have 19 and 10 bits."""
# The parts of a tally, by their lowest bit.
_GOLD: Final = 19
_RESOURCE_BUILDINGS: Final = 38
_HOME_LEVEL: Final = 48
_CELLS: Final = 50
_AMOUNTS: Final = (1 << _GOLD) - 1
_COUNTS: Final = (1 << 10) - 1


@kernel
def pay_income(cells, players, sieges, attackers, purses, rules):
    """Count what each player has and pay it (ruling 12); the tech level is that of the Home, 0 without one."""
    for player in range(len(players.energy)):
        players.cells[player] = 0
        players.resource_buildings[player] = 0
        players.energy_source[player] = 0
        players.gold_source[player] = 0
        players.tech_level[player] = 0
    if len(attackers.energy) >= _TALLIES * len(players.energy):
        add_up(cells, players, sieges.total, attackers.energy, _TALLIES, rules)
    else:  # a position may have more players than cells
        add_up(cells, players, sieges.total, purses.gold, 1, rules)
    for player in range(len(players.energy)):
        tax = tax_on(players.cells[player], rules.tax_bracket) + tax_on(
            players.resource_buildings[player], rules.tax_bracket
        )
        players.tax[player] = tax
        players.energy_source[player] -= tax
        players.gold_source[player] -= tax
        players.energy[player] += players.energy_source[player]
        players.gold[player] += players.gold_source[player]


@kernel
def add_up(cells, players, yields, tallies, width, rules):
    """Add every cell's yield to its owner's accounts, by way of ``width`` tallies of each player."""
    for slot in range(width * len(players.energy)):
        tallies[slot] = 0
    counted = 0  # cells since the tallies were looked at
    for first in range(0, len(cells.owner), _STRETCH):
        count = min(_STRETCH, len(cells.owner) - first)
        if not holds_an_owner(cells, first, first + count):  # most of a big board, early on
            continue
        if counted + count > width * _HALF_FULL:
            if is_any_half_full(tallies, width * len(players.energy)):
                credit(players, tallies, width, rules)
            counted = 0
        counted += count
        for place in range(count):
            yields[place] = yield_of(cells, first + place)
        for place in range(count):
            owner = max(cells.owner[first + place], 0)  # a cell without an owner yields 0
            tallies[owner * width + place % width] += yields[place]
    credit(players, tallies, width, rules)


@kernel
def holds_an_owner(cells, first, last):
    found = False
    for cell in range(first, last):
        found |= cells.owner[cell] != NO_PLAYER
    return found


@kernel
def is_any_half_full(tallies, count):
    """Whether one of the tallies has 512 cells or more."""
    seen = 0
    for slot in range(count):
        seen |= tallies[slot]
    return seen >> _CELLS >= 512


@kernel
def yield_of(cells, cell):
    """What a cell adds to its owner's tally: a Well multiplies energy and a Mine gold; a Home is paid by its level."""
    building = cells.building[cell]
    level = cells.level[cell]
    is_home = building == HOME
    is_well = building == WELL
    is_mine = building == MINE
    energy = cells.natural_energy[cell] * (1 + level * is_well) * (1 - is_home)
    gold = cells.natural_gold[cell] * (1 + level * is_mine) * (1 - is_home)
    counts = (1 << _CELLS) + ((is_well + is_mine) << _RESOURCE_BUILDINGS) + ((level * is_home) << _HOME_LEVEL)
    return (energy + (gold << _GOLD) + counts) * (cells.owner[cell] != NO_PLAYER)


@kernel
def energy_of(cells, cell, rules):
    """The energy that a cell yields a turn."""
    if cells.building[cell] == HOME:
        return rules.home_income * cells.level[cell]
    return cells.natural_energy[cell] * (1 + cells.level[cell] * (cells.building[cell] == WELL))


@kernel
def gold_of(cells, cell, rules):
    """The gold that a cell yields a turn."""
    if cells.building[cell] == HOME:
        return rules.home_income * cells.level[cell]
    return cells.natural_gold[cell] * (1 + cells.level[cell] * (cells.building[cell] == MINE))


@kernel
def credit(players, tallies, width, rules):
    """Move the tallies to the players' accounts."""
    for player in range(len(players.energy)):
        for slot in range(player * width, (player + 1) * width):
            tally = tallies[slot]
            if tally == 0:
                continue
            tallies[slot] = 0
            home_income = rules.home_income * ((tally >> _HOME_LEVEL) & 3)
            players.cells[player] += tally >> _CELLS
            players.resource_buildings[player] += (tally >> _RESOURCE_BUILDINGS) & _COUNTS
            players.energy_source[player] += (tally & _AMOUNTS) + home_income
            players.gold_source[player] += ((tally >> _GOLD) & _AMOUNTS) + home_income
            players.tech_level[player] += (tally >> _HOME_LEVEL) & 3


@kernel
def tax_on(number, bracket):
    """Nothing for the first bracket, 1 each in the second, 2 each in the third, and so on."""
    full = number // bracket
    return bracket * (full * (full - 1) // 2) + full * (number - full * bracket)
