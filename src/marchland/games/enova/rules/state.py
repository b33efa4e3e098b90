"""Enova's arrays."""

from typing import Final, NamedTuple

from marchland.core.rules_array import rules_view
from marchland.core.state import GAME, Int8s, Int32s, Int64s, Schema
from marchland.games.enova.rules.config import EnovaConfig

# The game's slots of the head.
ALIVE: Final = GAME  # players who are not eliminated
CASTLES: Final = GAME + 1
STARTERS: Final = GAME + 2  # players who were there at the start
DEPARTED: Final = GAME + 3  # rows of the table of the eliminated

# What the units on a tile do; from MOVING on, a number for each direction.
IDLE: Final = 0
DEFENDING: Final = 1
SUPPORTING: Final = 2
MOVING: Final = 3

# How the eliminated are ranked, as the settings number it.
TOGETHER: Final = 0
BY_TURN: Final = 1

MOST_PARTIES: Final = 9  # a tile's owner, and a force from each of at most eight neighbours


class Cells(NamedTuple):
    """One row a tile. Units belong to the tile's owner; an emptied tile stays owned (ruling 3)."""

    terrain: Int8s
    owner: Int32s
    units: Int64s


class Players(NamedTuple):
    """One row a player: what it has on the whole board."""

    castles: Int64s
    tiles: Int64s
    units: Int64s
    dead: Int8s


class Castles(NamedTuple):
    """Where the castles are, row by row, so that production need not look at every tile."""

    cell: Int32s


class Departures(NamedTuple):
    """Who was eliminated in which turn, in the order of that; recorded only where it decides places (ruling 26)."""

    player: Int32s
    turn: Int32s


class Plans(NamedTuple):
    """Scratch, by tile: what its units do this turn. All zero between turns."""

    doing: Int8s  # IDLE, DEFENDING, SUPPORTING, or MOVING + direction
    entered: Int8s  # whether units move here
    order: Int32s  # 1 + its place among the tiles with an order
    claim: Int32s  # ruling 10: 1 + who alone may retreat to the unowned tile, DISPUTED where two would


class Sheets(NamedTuple):
    """Scratch: the orders that were understood, in the order of the tiles they are for."""

    by_column: Int32s  # rows of orders, half sorted
    row: Int32s
    player: Int64s
    verb: Int64s
    a: Int64s
    b: Int64s
    c: Int64s


class Shelves(NamedTuple):
    """Scratch: for each column or line of the board, where its orders begin among the sorted ones."""

    start: Int32s


class Ordered(NamedTuple):
    """Scratch: the tiles with an order, the row of the last one for each, and how many units it sends away."""

    cell: Int32s
    row: Int32s
    going: Int64s


class Entered(NamedTuple):
    """Scratch: the tiles that units move to, with their owner and units after the battles."""

    cell: Int32s
    owner: Int32s
    units: Int64s


class Groups(NamedTuple):
    """Scratch: units that lost a battle on a tile, or on the way from one."""

    cell: Int32s
    player: Int32s
    battle: Int32s
    units: Int64s


class Claimed(NamedTuple):
    """Scratch: the unowned tiles that units would retreat to."""

    cell: Int32s


class Parties(NamedTuple):
    """Scratch: those who fight one battle."""

    player: Int32s
    tied: Int8s
    units: Int64s
    support: Int64s
    defence: Int64s
    score: Int64s
    place: Int64s  # the code of the tile that names its dice (ruling 13)


WORK: Final = (Plans, Sheets, Shelves, Ordered, Entered, Groups, Claimed, Parties)
SCHEMA: Final = Schema(Cells, Players, tables={Castles: CASTLES, Departures: DEPARTED}, work=WORK)
SCHEMA_WITHOUT_DEPARTURES: Final = Schema(Cells, Players, tables={Castles: CASTLES}, work=WORK)

rules_of = rules_view(EnovaConfig)
state_of = SCHEMA.state_opener()
work_of = SCHEMA.work_opener()
