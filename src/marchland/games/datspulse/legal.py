"""The menu of DatsPulse's legal orders, as the turn begins and as far as the team can see."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.board.reach import reachable
from marchland.board.search import scratch_for
from marchland.core.game_functions import ResourceLevel
from marchland.games.datspulse.rules.state import DIRT, NEST_HEXES, ROCK, Cells, Nests, Teams
from marchland.games.datspulse.views import Ant, ants_of_team, look_around
from marchland.messages import Menu, Paths, Pieces, Step

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse


def menu(game: "Datspulse", team: int, verb: str, picked: Mapping[str, Any]) -> Menu | None:
    """What may be picked next for ``verb``, which can only be ``move``."""
    if "path" in picked:
        return None
    cost = fares(game, team)
    living = [ant for ant in ants_of_team(game, team) if ant.health > 0]
    if "ant" not in picked:
        return Pieces("ant", [ant.id for ant in living if can_leave(game, ant, cost)])
    chosen = [ant for ant in living if ant.id == picked["ant"]]
    return Paths("path", ways(game, chosen[0], cost) if chosen else [])


def resources(game: "Datspulse", team: int) -> list[ResourceLevel]:
    """What the team has; no order costs anything."""
    return [ResourceLevel("score", game.scores()[team]), ResourceLevel("ants", int(game.arrays(Teams).living[team]))]


def can_leave(game: "Datspulse", ant: Ant, cost: Any) -> bool:
    """Whether there is a hex that the ant could go to."""
    return any(0 <= cost[cell] <= game.config.speed[ant.kind] for cell in game.board.neighbours(ant.cell))


def ways(game: "Datspulse", ant: Ant, cost: Any) -> list[Step]:
    """Every hex within the ant's points; other ants may be gone by then, so they are no obstacle here."""
    board, speed = game.board, game.config.speed[ant.kind]
    room = min(board.size, 3 * speed * (speed + 1) + 1)
    cells, parents = np.zeros((2, room), np.int32)
    costs = np.zeros(room, np.int64)
    count = reachable(board.tables, ant.cell, cost, speed, scratch_for(board.size), cells, costs, parents)
    return [
        Step(board.at(int(cell)), int(spent), None if parent == ant.cell else board.at(int(parent)))
        for cell, spent, parent in zip(cells[1:count], costs[1:count], parents[1:count], strict=True)
    ]


def fares(game: "Datspulse", team: int) -> npt.NDArray[np.int32]:
    """What each hex costs to enter as far as ``team`` can see: 1 where it cannot, -1 on rock and foreign nests."""
    cells: Cells = game.arrays(Cells)
    seen = look_around(game, team).seen != 0
    cost = np.where(seen & (cells.terrain == DIRT), game.config.dirt_cost, 1)
    foreign = np.ones(game.board.size, np.bool_)
    foreign[game.arrays(Nests).cell[team * NEST_HEXES : team * NEST_HEXES + NEST_HEXES]] = False
    shut = (cells.terrain == ROCK) | ((cells.nest >= 0) & foreign)
    return np.where(seen & shut, -1, cost).astype(np.int32)
