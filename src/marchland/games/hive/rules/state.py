"""Hive's arrays."""

from typing import Final, NamedTuple

from marchland.core.rules_array import rules_view
from marchland.core.state import GAME, Int8s, Int16s, Int32s, Int64s, Schema
from marchland.games.hive.rules.config import HiveConfig

NO_ENTITY: Final = -1
NEIGHBOURS: Final = 6
MOST_PLAYERS: Final = 6

# Terrain; what a player does not see is hidden.
EMPTY, FIELD, STONE, HIDDEN = 0, 1, 2, 3
TERRAINS: Final = ("empty", "field", "stone", "hidden")

# What an entity is; a row whose entity was destroyed this turn is gone.
GONE, BEE, HIVE, WALL = 0, 1, 2, 3
KINDS: Final = ("gone", "bee", "hive", "wall")

# Whether a unit may still act this turn.
READY, ACTED, STUNNED = 0, 1, 2

# Choices among the settings, as kernels read them.
CLOSEST: Final = 1  # influence
BY_CHANCE: Final = 1  # attack
HIVES_ONLY: Final = 1  # elimination
BOTH, GATHERING_ONLY = 1, 2  # stalemate

# The head's slots.
ENTITIES: Final = GAME  # rows of the entity table
WITHOUT_GATHERING: Final = GAME + 1  # complete turns since a flower was last gathered
WITHOUT_CREATION: Final = GAME + 2  # and since an entity was last created
FLOWERS_LEFT: Final = GAME + 3  # in all fields
FLOWERS_CARRIED: Final = GAME + 4
HIVES_CHANGED: Final = GAME + 5  # within a turn: whether influence must be counted again


class Cells(NamedTuple):
    """One row a cell; terrain never changes."""

    terrain: Int8s
    flowers: Int32s
    standing: Int32s  # the row of the entity that stands there, or NO_ENTITY
    influence: Int8s  # a bit for each player who influences the cell


class Players(NamedTuple):
    """One row a player."""

    flowers: Int64s  # in reserve
    influence: Int64s  # cells
    bees: Int64s
    hives: Int64s
    walls: Int64s
    next_id: Int64s  # of what the player creates next; in steps of MOST_PLAYERS (ruling 28)
    contends: Int64s  # once the match is over: whether the tiebreakers compare this player


class Entities(NamedTuple):
    """One row an entity, by ascending id. There are as many rows as cells, for no two entities share one."""

    id: Int64s
    cell: Int32s
    kind: Int8s
    owner: Int8s
    hp: Int32s
    carries: Int16s
    acted: Int8s  # within a turn; READY between turns


class Queue(NamedTuple):
    """Scratch: the rows of the orders that are read, player after player."""

    row: Int32s


class Seats(NamedTuple):
    """Scratch: by player, its part of the queue; and the lots of a round."""

    first: Int64s
    read: Int64s
    most: Int64s
    was_alive: Int64s
    lot: Int64s


class Reach(NamedTuple):
    """Scratch: by cell, how far the nearest hive is."""

    nearest: Int32s


SCHEMA: Final = Schema(Cells, Players, tables={Entities: ENTITIES}, work=(Queue, Seats, Reach))

rules_of = rules_view(HiveConfig)
cells_of = SCHEMA.opener(Cells)
players_of = SCHEMA.opener(Players)
entities_of = SCHEMA.opener(Entities)
state_of = SCHEMA.state_opener()
work_of = SCHEMA.work_opener()
reach_of = SCHEMA.opener(Reach)
