"""Colorfight's arrays."""

from typing import Final, NamedTuple

from marchland.core.rules_array import rules_view
from marchland.core.state import Int8s, Int16s, Int32s, Int64s, Schema
from marchland.games.colorfight.rules.config import ColorfightConfig

NEIGHBOURS: Final = 4

# What stands on a cell.
EMPTY: Final = 0
HOME: Final = 1
WELL: Final = 2
MINE: Final = 3
FORTRESS: Final = 4

BUILDINGS: Final = ("empty", "home", "energy_well", "gold_mine", "fortress")
TOP_LEVEL: Final = 3


class Cells(NamedTuple):
    """One row a cell; the natural values never change.

    Of the neighbours, ``friends`` have the same owner and ``enemies`` another one; both are 0 on unowned cells. They
    are counted when a cell changes hands, which is rare, so that force fields need not look at neighbours.
    """

    owner: Int16s
    building: Int8s
    level: Int8s
    force_field: Int16s
    natural_cost: Int16s
    natural_gold: Int8s
    natural_energy: Int8s
    friends: Int8s
    enemies: Int8s


class Players(NamedTuple):
    """One row a player; the sources are what the last income was made of."""

    energy: Int64s
    gold: Int64s
    dead: Int64s
    tech_level: Int64s
    cells: Int64s
    resource_buildings: Int64s
    energy_source: Int64s
    gold_source: Int64s
    tax: Int64s


class Sieges(NamedTuple):
    """Scratch: the cells under attack this turn, in the order in which the first attack came."""

    cell: Int32s
    total: Int64s  # all energy spent on it
    rank: Int32s  # by cell: 1 + its place in this list, 0 for no attack


class Attackers(NamedTuple):
    """Scratch: for each siege as many rows as a cell has neighbours, since an attack needs one."""

    player: Int32s
    energy: Int64s


class Purses(NamedTuple):
    """Scratch: by player, what was there before the turn's captures."""

    gold: Int64s
    home_built: Int64s


SCHEMA: Final = Schema(Cells, Players, work=(Sieges, Attackers, Purses))

rules_of = rules_view(ColorfightConfig)
cells_of = SCHEMA.opener(Cells)
players_of = SCHEMA.opener(Players)
state_of = SCHEMA.state_opener()
work_of = SCHEMA.work_opener()
