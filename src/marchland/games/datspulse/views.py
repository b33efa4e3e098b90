"""What a team knows of a DatsPulse match: what lies in its sight, its own ants, its score (rulings 16, 17)."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.games.datspulse.rules.ants import NO_WAY
from marchland.games.datspulse.rules.sight import look
from marchland.games.datspulse.rules.state import (
    FOODS,
    KINDS,
    MOST_STEPS,
    NECTAR,
    NEIGHBOURS,
    TERRAINS,
    Ants,
    Cells,
    Nests,
    Teams,
)

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse

Numbers = npt.NDArray[Any]


class Sight(NamedTuple):
    """A field of view: the hexes as they were discovered, and for each hex of the board whether it is among them."""

    cells: Numbers
    seen: Numbers


class Ant(NamedTuple):
    """One ant."""

    id: int
    cell: int
    kind: int
    health: int
    food: int
    amount: int
    walked: int
    planned: int
    enemy: int
    enemy_cell: int


def look_around(game: "Datspulse", team: int | None) -> Sight:
    """What ``team`` sees; a spectator sees everything."""
    if team is None:
        size = game.board.size
        return Sight(np.arange(size, dtype=np.int32), np.ones(size, np.int32))
    return Lookout(game).look(team)


class Lookout:
    """Looks for one team after the other. On a large board new arrays take longer than the looking itself."""

    def __init__(self, game: "Datspulse") -> None:
        self._game = game
        self._viewers, self._radii = np.empty((2, 1 + (1 + MOST_STEPS) * game.slots), np.int32)
        self._seen, self._found = np.zeros(game.board.size, np.int32), np.empty(game.board.size, np.int32)
        self._cells = self._found[:0]

    def look(self, team: int) -> Sight:
        """What ``team`` sees, until the next look."""
        game = self._game
        self._seen[self._cells] = 0
        arrays = self._viewers, self._radii, self._seen, self._found
        count = look(game.buffer, game.layout.at, game.board.arrays, game.rules, team, *arrays)
        self._cells = self._found[:count]
        return Sight(self._cells, self._seen)


def ants_of_team(game: "Datspulse", team: int) -> list[Ant]:
    """The listed ants of a team, in the order in which they act (ruling 9)."""
    rows = slice(team * game.slots, team * game.slots + int(game.arrays(Teams).ants[team]))
    columns = [column[rows].tolist() for column in game.arrays(Ants)[: len(Ant._fields)]]
    return [Ant(*values) for values in zip(*columns, strict=True)]


def ants_in_sight(game: "Datspulse", sight: Sight) -> list[tuple[int, Ant]]:
    """Every ant on a hex in sight with whose it is, by id: another order would reveal the owner (ruling 29)."""
    ants: Ants = game.arrays(Ants)
    found: list[tuple[int, Ant]] = []
    for owner, count in enumerate(game.arrays(Teams).ants.tolist()):
        first = owner * game.slots
        visible = sight.seen[ants.cell[first : first + count]] != 0
        if visible.any():
            listed = ants_of_team(game, owner)
            found += [(owner, ant) for ant, shown in zip(listed, visible.tolist(), strict=True) if shown]
    return sorted(found, key=lambda owned: owned[1].id)


def food_by_hex(game: "Datspulse") -> tuple[Numbers, Numbers]:
    """Kind and amount of the food on each hex, with the nectar that nests store."""
    cells: Cells = game.arrays(Cells)
    nests: Nests = game.arrays(Nests)
    food, amount = cells.food.copy(), cells.amount.astype(np.int64)
    full = nests.nectar > 0
    food[nests.cell[full]], amount[nests.cell[full]] = NECTAR, nests.nectar[full]
    return food, amount


def way_walked(board: Board, ant: Ant) -> list[int]:
    """The hexes that an ant walked in the last transition, its start not among them."""
    cells, way = [ant.cell] if ant.walked else [], ant.walked
    while way > NO_WAY:
        opposite = ((way & 7) + NEIGHBOURS // 2) % NEIGHBOURS
        cells.append(int(board.tables.neighbours[cells[-1] * NEIGHBOURS + opposite]))
        way >>= 3
    return cells[::-1]


def way_planned(board: Board, ant: Ant) -> list[int]:
    """The hexes that an ant was to walk."""
    cells, cell, way = [], ant.cell, ant.planned
    while way > NO_WAY:
        cell, way = int(board.tables.neighbours[cell * NEIGHBOURS + (way & 7)]), way >> 3
        cells.append(cell)
    return cells


def view(game: "Datspulse", team: int | None) -> dict[str, Any]:
    """The public server's answer in this arena's manner: ids are numbers, hexes are pairs, kinds are words."""
    sight = look_around(game, team)
    listed = ants_in_sight(game, sight)
    own = listed if team is None else [(team, ant) for ant in ants_of_team(game, team)]
    answer = {
        "turn": game.turn,
        "me": team,
        "info": game.config.values(),
        "radius": game.radius,
        "ants": [{**({"team": owner} if team is None else {}), **describe_own_ant(game, ant)} for owner, ant in own],
        "enemies": [describe_ant(game, ant) for owner, ant in listed if team not in (None, owner)],
        "map": [],
        "food": [],
        "errors": [] if team is None else [entry["sentence"] for entry in game.errors(team)],
    }
    coords = game.board.coords[sight.cells].tolist()
    terrain = game.arrays(Cells).terrain[sight.cells].tolist()
    answer["map"] = [{"at": at, "type": TERRAINS[kind]} for at, kind in zip(coords, terrain, strict=True)]
    food, amount = (column[sight.cells].tolist() for column in food_by_hex(game))
    answer["food"] = [
        {"at": at, "type": FOODS[kind], "amount": many}
        for at, kind, many in zip(coords, food, amount, strict=True)
        if many
    ]
    if team is None:
        answer["teams"] = [standing(game, seat) for seat in range(len(game.players))]
        return answer
    return answer | standing(game, team)


def standing(game: "Datspulse", team: int) -> dict[str, Any]:
    """A team's nest and what it has achieved."""
    teams: Teams = game.arrays(Teams)
    home = [list(game.board.at(cell)) for cell in game.home(team)]
    return {
        "name": game.players[team],
        "home": home,
        "spot": home[0],
        "score": game.score(team),
        "lost": int(teams.lost[team]),
        "walked": int(teams.walked[team]),
    }


def describe_ant(game: "Datspulse", ant: Ant) -> dict[str, Any]:
    """What every team in sight of an ant knows of it."""
    return {
        "id": ant.id,
        "at": list(game.board.at(ant.cell)),
        "type": KINDS[ant.kind],
        "health": ant.health,
        "food": {"type": FOODS[ant.food], "amount": ant.amount} if ant.amount else None,
    }


def describe_own_ant(game: "Datspulse", ant: Ant) -> dict[str, Any]:
    """What its own team knows of an ant."""
    at = game.board.at
    return {
        **describe_ant(game, ant),
        "lastMove": [list(at(cell)) for cell in way_walked(game.board, ant)],
        "move": [list(at(cell)) for cell in way_planned(game.board, ant)],
        "lastAttack": list(at(ant.enemy_cell)) if ant.enemy else None,
        "lastEnemyAnt": ant.enemy or None,
    }
