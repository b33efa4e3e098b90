"""BoidVoid's arrays.

Units of all kinds share one table, in fixed regions: motherships by team, NPCs, ships by player, a place for a swarm
for each player (a swarm has at least one ship), and one for a superstructure for each NFT that may found one. So rows
never move, and an id says where its unit is.
"""

from typing import Any, Final, NamedTuple

from marchland.core.rules_array import rules_view
from marchland.core.state import Int8s, Int16s, Int32s, Int64s, Schema
from marchland.games.boidvoid.rules.config import BoidVoidRules
from marchland.games.boidvoid.rules.constants import ITEM_NUMBERS, SHEET_ROWS, TRAIT_ROWS, UNIT_NUMBERS


class Cells(NamedTuple):
    """One row a tile; terrain, obstacles and points never change."""

    terrain: Int8s
    obstacle: Int8s
    point: Int8s  # whether it has a point of importance
    owner: Int16s  # a team, or NO_TEAM
    unit: Int32s  # the row of the ship, swarm, mothership or NPC on it
    structure: Int32s  # the row of the superstructure on it


class Land(NamedTuple):
    """Eight rows a tile: the bonuses of the tile and of its point of importance."""

    tile: Int16s
    point: Int16s


class Players(NamedTuple):
    """One row a player, with the figures of the scoreboard."""

    team: Int32s
    role: Int32s
    stake: Int64s
    automode: Int32s
    avatar: Int32s  # an item
    tiles: Int64s  # captured
    points: Int64s
    structures: Int64s  # built
    defeated: Int64s
    attack: Int64s  # damage dealt, in hundredths
    defense: Int64s  # damage taken on


class Periods(NamedTuple):
    """Rows of begin and end in minutes, `MOST_PERIODS` a player; begin -1 for none."""

    minute: Int16s


class Teams(NamedTuple):
    """One row a team."""

    tiles: Int64s
    points: Int64s
    structures: Int64s
    destroyed: Int64s
    home: Int64s  # the first home's cell


class Letters(NamedTuple):
    """The bytes of swarms' names, `MOST_LETTERS` each, padded with 0."""

    byte: Int8s


class Units(NamedTuple):
    """One row a unit. Health and battery are in hundredths."""

    id: Int64s
    kind: Int8s
    status: Int8s
    task: Int8s
    acted: Int8s
    team: Int16s
    ratio: Int16s  # the attack part of a ship's battery
    cell: Int32s  # NO_CELL off the map and in a swarm
    swarm: Int32s  # a ship's swarm; a swarm's first ship
    next: Int32s  # in its swarm the ship with the next higher row
    points: Int32s  # action points
    wait: Int32s  # turns until it may spawn; a task's turns left
    aim: Int64s  # a task's object: an item, or the id of a swarm; a superstructure's level
    item: Int32s  # the NFT it is equipped with or built from
    health: Int64s
    battery: Int64s


class Sheets(NamedTuple):
    """Twenty-one rows a unit: its modifiers, boosts and levels included."""

    stat: Int32s


class Items(NamedTuple):
    """One row for each NFT known to the game; rows are never reused."""

    id: Int64s
    template: Int64s
    player: Int32s
    target: Int32s  # the row of the unit it is used on
    turns: Int32s  # of a boost
    left: Int32s
    kind: Int8s
    use: Int8s
    mode: Int8s
    burnable: Int8s


class Traits(NamedTuple):
    """Twenty-one rows an NFT: its modifiers."""

    value: Int32s


class Search(NamedTuple):
    """Scratch: one search for a way, by cell; ``key`` is -1 between searches, once ``ready`` is 1."""

    key: Int64s
    cost: Int32s
    heap: Int32s
    place: Int32s
    settled: Int32s


class Fields(NamedTuple):
    """Scratch: for each team and tile the cost of the way to the nearest swarm, -1 out of reach."""

    cost: Int32s


class Ready(NamedTuple):
    """Scratch: by team, whether its field is filled in this turn; the last row, whether ``Search.key`` is."""

    flag: Int32s


class Buckets(NamedTuple):
    """Scratch: the first tile at each cost, as a ring."""

    first: Int32s


class Lineup(NamedTuple):
    """Scratch: by ship, for ordering a swarm; and the shuffled players of a round."""

    member: Int32s
    shields: Int64s
    rank: Int64s
    read: Int32s
    player: Int32s


class Queue(NamedTuple):
    """Scratch: the rows of the orders that are read, player after player."""

    row: Int32s


class CellTable(NamedTuple):
    """`Cells`, row by row: kernels see each table as one array of rows and columns, which compiles in a tenth of the
    time that an array for each column takes."""

    value: Int32s


class PlayerTable(NamedTuple):
    """`Players`, row by row."""

    value: Int64s


class TeamTable(NamedTuple):
    """`Teams`, row by row."""

    value: Int64s


class UnitTable(NamedTuple):
    """`Units`, row by row; the head counts its numbers, not its rows."""

    value: Int64s


class ItemTable(NamedTuple):
    """`Items`, row by row."""

    value: Int64s


class LineupTable(NamedTuple):
    """`Lineup`, row by row."""

    value: Int64s


TABLES: Final[dict[type[Any], type[Any]]] = {
    Cells: CellTable,
    Players: PlayerTable,
    Teams: TeamTable,
    Units: UnitTable,
    Items: ItemTable,
}
"""The part of the state that holds each table."""

# The columns of each table, as kernels name them: ``units[ship, U.cell]``.
C: Any = Cells(*range(len(Cells._fields)))
P: Any = Players(*range(len(Players._fields)))
T: Any = Teams(*range(len(Teams._fields)))
U: Any = Units(*range(len(Units._fields)))
N: Any = Items(*range(len(Items._fields)))
L: Any = Lineup(*range(len(Lineup._fields)))

UNIT_WIDTH: Final = len(U)
ITEM_WIDTH: Final = len(N)

SCHEMA: Final = Schema(
    CellTable,
    Land,
    PlayerTable,
    Periods,
    TeamTable,
    Letters,
    tables={UnitTable: UNIT_NUMBERS, Sheets: SHEET_ROWS, ItemTable: ITEM_NUMBERS, Traits: TRAIT_ROWS},
    work=(Search, Fields, Ready, Buckets, LineupTable, Queue),
)


rules_of = rules_view(BoidVoidRules)
cells_of = SCHEMA.rows_opener(CellTable, len(C))
land_of = SCHEMA.opener(Land)
players_of = SCHEMA.rows_opener(PlayerTable, len(P))
periods_of = SCHEMA.opener(Periods)
teams_of = SCHEMA.rows_opener(TeamTable, len(T))
letters_of = SCHEMA.opener(Letters)
units_of = SCHEMA.rows_opener(UnitTable, len(U))
sheets_of = SCHEMA.opener(Sheets)
items_of = SCHEMA.rows_opener(ItemTable, len(N))
traits_of = SCHEMA.opener(Traits)
search_of = SCHEMA.opener(Search)
fields_of = SCHEMA.opener(Fields)
ready_of = SCHEMA.opener(Ready)
buckets_of = SCHEMA.opener(Buckets)
lineup_of = SCHEMA.rows_opener(LineupTable, len(L))
queue_of = SCHEMA.opener(Queue)
