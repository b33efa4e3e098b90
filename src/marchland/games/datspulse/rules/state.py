"""DatsPulse's arrays."""

from typing import Final, NamedTuple

from marchland.core.rules_array import rules_view
from marchland.core.state import GAME, Int8s, Int16s, Int32s, Int64s, Schema
from marchland.games.datspulse.rules.config import DatspulseConfig

NEIGHBOURS: Final = 6
NEST_HEXES: Final = 3
MOST_STEPS: Final = 20  # of a way: the highest speed that a setting allows
MOST_AROUND: Final = 331  # hexes of the largest disk that a setting allows, of radius 10

# Hexes (seed: table 4); what a player does not see is hidden.
HIDDEN, ANTHILL, EMPTY, DIRT, ACID, ROCK = range(6)
TERRAINS: Final = ("hidden", "anthill", "empty", "dirt", "acid", "rock")

# Ants (seed: table 1).
WORKER, SOLDIER, SCOUT = range(3)
KINDS: Final = ("worker", "soldier", "scout")

# Food (seed: table 3).
NOTHING, APPLE, BREAD, NECTAR = range(4)
FOODS: Final = ("nothing", "apple", "bread", "nectar")

# The game's slots of the head.
PILES: Final = GAME  # hexes on which food lies
DESTROYED: Final = GAME + 1  # units of nectar that were lost for good (ruling 13)
ID_KEY0: Final = GAME + 2
ID_KEY1: Final = GAME + 3

# An ant's id (ruling 38): its team's serial above, and below a number for the team that does not reveal whose it is.
ID_HALF: Final = 32
ID_TEAMS: Final = ID_HALF * ID_HALF
MOST_SERIAL: Final = 2**42  # ids stay below 2**53


class Cells(NamedTuple):
    """One row a hex. Ants on it hang in a chain: ``first`` and their ``next`` are 1 + a row of `Ants`, 0 for none."""

    terrain: Int8s
    nest: Int16s  # whose nest it belongs to, or NO_PLAYER
    food: Int8s
    amount: Int32s
    first: Int32s


class Teams(NamedTuple):
    """One row a team."""

    ants: Int32s  # rows in use, the dead of the last transition included
    living: Int32s
    serial: Int64s  # of the last ant that hatched; it only ever rises
    remainder: Int64s  # calories that are not yet a nectar (ruling 12)
    delivered: Int64s  # calories of all apple and bread ever delivered
    lost: Int64s  # ants
    walked: Int64s  # hexes


class Nests(NamedTuple):
    """Three rows a team: the spot, its upper right and its upper left neighbour."""

    cell: Int32s
    nectar: Int64s


class Ants(NamedTuple):
    """As many rows a team as it may have ants, and one: by ascending key, which is the order of actions (ruling 9).

    The way walked and the way planned are steps of three bits below a leading 1, or 0 for none. The way walked begins
    at the first hex that was entered, and its last step is lowest, as it is read back from where the ant stands; the
    way planned begins where the ant stands, and its first step is lowest.
    """

    id: Int64s
    cell: Int32s
    kind: Int8s
    health: Int32s
    food: Int8s
    amount: Int32s
    walked: Int64s
    planned: Int64s  # between turns only of an ant that died before it could move (ruling 14)
    enemy: Int64s  # the id of the ant that it struck last transition, or 0
    enemy_cell: Int32s
    team: Int16s
    next: Int32s
    key: Int64s  # a keyed hash of the id: see `action_key`


class Queue(NamedTuple):
    """Scratch: the order of the teams this turn."""

    team: Int32s


class Fighters(NamedTuple):
    """Scratch: the rows of a team's ants that have an enemy next to them."""

    row: Int32s


class Marks(NamedTuple):
    """Scratch, by row of `Ants`: 1 + the order it has, and whether nest fire has hit it. All zero between turns."""

    order: Int32s
    burnt: Int8s


class Around(NamedTuple):
    """Scratch: the hexes of a disk."""

    cell: Int32s


SCHEMA: Final = Schema(Cells, Teams, Nests, Ants, work=(Queue, Fighters, Marks, Around))

rules_of = rules_view(DatspulseConfig)
cells_of = SCHEMA.opener(Cells)
teams_of = SCHEMA.opener(Teams)
nests_of = SCHEMA.opener(Nests)
ants_of = SCHEMA.opener(Ants)
state_of = SCHEMA.state_opener()
work_of = SCHEMA.work_opener()
