"""What the built-in bots read from an observation: own units, foes, distances, costs of ways."""

import functools
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.orders import NO_CELL
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    FREE,
    MOTHERSHIP,
    NO_UNIT,
    SHIP,
    SUPERSTRUCTURE,
    SWARM,
    TROOPER,
)
from marchland.games.boidvoid.views import SETTINGS, Arrays, observation_from_view

Ints = npt.NDArray[Any]

_COLUMNS: Final = (
    *("id", "kind", "status", "task", "acted", "team", "cell", "swarm", "points", "wait", "aim", "nft", "health"),
    *("battery", "ratio", "range", "attack", "defense", "cost_to_move"),
    *("tile_attack", "tile_defense", "tile_movement"),
)


_MOST_IN_TABLE: Final = 1000
"""The cells of the largest board whose distances are all computed in advance."""


def arrays_of(view: Any) -> Arrays:
    """The arrays of an observation, or the same made from a view."""
    return observation_from_view(view) if "units" in view else view


class _Geometry:
    """A board, and how far its cells are from each other."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._axes = np.ascontiguousarray(np.asarray(board.tables.axes).reshape(-1, 3).T)
        few = board.size <= _MOST_IN_TABLE
        self._table = np.stack([self._apart(cell) for cell in range(board.size)]) if few else None

    def distances(self, cell: int) -> Ints:
        """How far each cell is from this one, obstacles ignored."""
        return self._apart(cell) if self._table is None else self._table[cell]

    def _apart(self, cell: int) -> Ints:
        found: Ints = np.abs(self._axes - self._axes[:, cell : cell + 1]).max(axis=0)
        return found


@functools.lru_cache(maxsize=8)
def _geometry(cells: bytes) -> _Geometry:
    return _Geometry(Board.of_cells("hex", np.frombuffer(cells, np.int32).reshape(-1, 2), dialect="odd-r"))


class Observation:
    """A match as one player sees it. Units are named by their rows in the arrays."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.me = int(arrays["me"][0])
        self.turn = int(arrays["turn"][0])
        self.team = int(arrays["player_team"][self.me])
        self.leads = bool(arrays["player_role"][self.me] != TROOPER)
        self._geometry = _geometry(np.ascontiguousarray(arrays["coords"], np.int32).tobytes())
        self.board = self._geometry.board
        self.settings = dict(zip(SETTINGS, arrays["settings"].tolist(), strict=True))
        self.unit: dict[str, list[int]] = {name: arrays[f"unit_{name}"].tolist() for name in _COLUMNS}
        kinds, cells = self.unit["kind"], self.unit["cell"]
        self.ship = self._row_of_ship()
        self.out = np.flatnonzero(arrays["unit_status"] == ALONE)
        self.foes = self.out[arrays["unit_team"][self.out] != self.team]
        self.standing = np.full(self.board.size, NO_UNIT)
        self.structures = np.full(self.board.size, NO_UNIT)
        self.swarm_ships: dict[int, list[int]] = {}
        for row in self.out.tolist():
            where = self.structures if kinds[row] == SUPERSTRUCTURE else self.standing
            where[cells[row]] = row
        for row, (kind, swarm) in enumerate(zip(kinds, self.unit["swarm"], strict=True)):
            if kind == SHIP and swarm != NO_UNIT:
                self.swarm_ships.setdefault(swarm, []).append(row)

    def _row_of_ship(self) -> int:
        arrays = self.arrays
        return int(np.flatnonzero((arrays["unit_kind"] == SHIP) & (arrays["unit_id"] == self.me))[0])

    def commanded(self) -> list[int]:
        """The units that obey this player: the ship; for leaders also the mothership and the team's swarms."""
        kinds, teams = self.arrays["unit_kind"], self.arrays["unit_team"]
        led = (teams == self.team) & (
            (kinds == MOTHERSHIP) | ((kinds == SWARM) & (self.arrays["unit_status"] == ALONE))
        )
        return [*(np.flatnonzero(led).tolist() if self.leads else []), self.ship]

    def name(self, unit: int) -> int:
        """The unit's id."""
        return self.unit["id"][unit]

    def status(self, unit: int) -> int:
        """Whether the unit waits, is alone or in a swarm."""
        return self.unit["status"][unit]

    def place(self, unit: int) -> int:
        """The cell on which the unit, or its swarm, stands."""
        cell = self.unit["cell"][unit]
        return cell if cell != NO_CELL else self.unit["cell"][self.unit["swarm"][unit]]

    def at(self, cell: int) -> list[int]:
        """The coordinates of a cell."""
        return list(self.board.at(cell))

    def members(self, unit: int) -> list[int]:
        """The ships of a swarm, or the unit itself."""
        return self.swarm_ships.get(unit, []) if self.unit["kind"][unit] == SWARM else [unit]

    def stat(self, ship: int, name: str) -> int:
        """A modifier of a unit, with that of the swarm that it is in (ruling 33)."""
        swarm = self.unit["swarm"][ship] if self.unit["kind"][ship] == SHIP else NO_UNIT
        return self.unit[name][ship] + (self.unit[name][swarm] if swarm != NO_UNIT else 0)

    def free_homes(self) -> list[int]:
        """The team's tiles on which nothing stands."""
        return np.flatnonzero((self.arrays["owner"] == self.team) & (self.standing == NO_UNIT)).tolist()

    def free_nfts(self, kind: int | None = None) -> list[int]:
        """The ids of the player's NFTs that can be used, of one kind or of any."""
        nft, free = self.arrays["nft_id"], self.arrays["nft_use"] == FREE
        return nft[free if kind is None else free & (self.arrays["nft_kind"] == kind)].tolist()  # type: ignore[no-any-return]

    def away(self, cell: int, units: Ints) -> Ints:
        """How far each of the units is from the cell."""
        return self.distances(cell)[self.arrays["unit_cell"][units]]

    def distances(self, cell: int) -> Ints:
        """How far each cell is from this one, obstacles ignored."""
        return self._geometry.distances(cell)

    def reach(self, unit: int) -> int:
        """How far the unit can attack."""
        return max((self.stat(ship, "range") for ship in self.members(unit)), default=0)

    def targets(self, unit: int) -> list[int]:
        """The foreign units in range."""
        return self.foes[self.away(self.place(unit), self.foes) <= self.reach(unit)].tolist()  # type: ignore[no-any-return]

    def points(self, unit: int) -> int:
        """The action points that the unit can spend."""
        return min((self.unit["points"][ship] for ship in self.members(unit)), default=0)

    def step_modifier(self, unit: int) -> int:
        """What the unit adds to the cost of each step."""
        return max((self.stat(ship, "cost_to_move") for ship in self.members(unit)), default=0)

    def ways(self, unit: int) -> npt.NDArray[np.int64]:
        """What each tile costs this unit to reach, -1 where it cannot go; others' units and superstructures block."""
        teams, least = self.arrays["unit_team"], self.settings["min_move_cost"]
        cost = np.maximum(self.arrays["enter"] + self.step_modifier(unit), least)
        built = np.flatnonzero(self.structures != NO_UNIT)
        if len(built):
            eased = cost[built] + self.arrays["unit_tile_movement"][self.structures[built]]
            own = teams[self.structures[built]] == self.team
            cost[built] = np.where(own, np.maximum(eased, least), -1)
        cost[self.arrays["obstacle"] != 0] = -1
        cost[self.arrays["unit_cell"][self.foes]] = -1
        return self.board.field([self.place(unit)], cost)
