"""A player who joins a running match: rows of the unit table move up, and what names them follows."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from marchland.core.orders import NO_CELL
from marchland.core.state import PLAYERS
from marchland.games.boidvoid.maps import setup
from marchland.games.boidvoid.rules.constants import (
    FIRST_ID,
    GONE,
    ITEMS,
    MOST_PERIODS,
    NO_ITEM,
    NO_TEAM,
    NO_UNIT,
    NPCS,
    OWN_STATS,
    SHIP,
    STATS,
    STRUCTURES_AT,
    SWARM,
    SWARMS_AT,
    TROOPER,
    UNITS,
    WAITING,
)
from marchland.games.boidvoid.rules.constants import MOST_PLAYERS as MOST_SWARMS
from marchland.games.boidvoid.rules.state import (
    ITEM_WIDTH,
    UNIT_WIDTH,
    Cells,
    Items,
    Periods,
    Players,
    Sheets,
    Units,
    UnitTable,
)

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

_NOTHING = {"team": NO_TEAM, "cell": NO_CELL, "swarm": NO_UNIT, "next": NO_UNIT, "item": NO_ITEM}


def add_trooper(game: "BoidVoid", name: str) -> None:
    """Add a trooper to the smallest team, with a ship that waits to spawn and a place for a swarm."""
    head = game.head
    players, npcs, items = int(head[PLAYERS]), int(head[NPCS]), int(head[ITEMS])
    swarms, structures, end = (int(head[slot]) for slot in (SWARMS_AT, STRUCTURES_AT, UNITS))
    team = int(np.bincount(game.arrays(Players).team, minlength=game.config.teams).argmin())
    room = game.layout.rows["itemtable"] // ITEM_WIDTH
    before = _unit_rows(game)[:end].copy()
    sheets = game.arrays(Sheets).stat[: end * STATS].reshape(-1, STATS).copy()
    game.resize(game.layout_for(game.config, game.board.size, players + 1, npcs, room), [*game.names, name])
    game.head[PLAYERS] = players + 1
    setup.mark_regions(game, npcs, items)

    moved = _moved_rows(end, swarms, structures)
    units: Units = game.arrays(Units)
    stat = game.arrays(Sheets).stat[: (end + 2) * STATS].reshape(-1, STATS)
    _unit_rows(game)[: end + 2] = 0
    _unit_rows(game)[moved] = before
    stat[:] = 0
    stat[moved] = sheets
    _fill_new_rows(game, (swarms, structures + 1), team)
    stat[swarms, :OWN_STATS] = game.config.ship
    cells: Cells = game.arrays(Cells)
    target = game.arrays(Items).target[:items]
    for rows in (units.swarm[: end + 2], units.next[: end + 2], cells.unit, cells.structure, target):
        named = rows != NO_UNIT
        rows[named] = moved[rows[named]]
    _fill_player(game, players, team)


def _unit_rows(game: "BoidVoid") -> npt.NDArray[np.int64]:
    rows: npt.NDArray[np.int64] = game.arrays(UnitTable).value.reshape(-1, UNIT_WIDTH)
    return rows


def _moved_rows(end: int, swarms: int, structures: int) -> npt.NDArray[np.int64]:
    """The new row of each unit: swarms come after one more ship, superstructures after one more of both."""
    rows = np.arange(end)
    return rows + (rows >= swarms) + (rows >= structures)


def _fill_new_rows(game: "BoidVoid", rows: tuple[int, int], team: int) -> None:
    units: Units = game.arrays(Units)
    for column, nothing in _NOTHING.items():
        getattr(units, column)[list(rows)] = nothing
    ship, swarm = rows
    number = len(game.names) - 1
    units.kind[ship], units.id[ship], units.status[ship] = SHIP, FIRST_ID[SHIP] + number, WAITING
    units.ratio[ship], units.team[ship] = game.config.battery_ratio, team
    units.kind[swarm], units.status[swarm] = SWARM, GONE
    units.id[swarm] = FIRST_ID[SWARM] + number - MOST_SWARMS  # the first swarm at a place is of generation 0


def _fill_player(game: "BoidVoid", player: int, team: int) -> None:
    players: Players = game.arrays(Players)
    players.team[player], players.role[player], players.avatar[player] = team, TROOPER, NO_ITEM
    players.stake[player] = game.config.start_stake
    game.arrays(Periods).minute[2 * MOST_PERIODS * player :] = -1
    setup.fill_battery(game, player)
