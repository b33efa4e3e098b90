"""What the built-in bots read from an observation: own units, foes, distances, costs of ways."""

import functools
from typing import Any

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
from marchland.games.boidvoid.views import Arrays, observation_from_view


def arrays_of(view: Any) -> Arrays:
    """The arrays of an observation, or the same made from a view."""
    return observation_from_view(view) if "units" in view else view


@functools.lru_cache(maxsize=8)
def _board(cells: bytes) -> Board:
    return Board.of_cells("hex", np.frombuffer(cells, np.int32).reshape(-1, 2), dialect="odd-r")


class Observation:
    """A match as one player sees it. Units are named by their rows in the arrays."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.me = int(arrays["me"][0])
        self.team = int(arrays["player_team"][self.me])
        self.leads = bool(arrays["player_role"][self.me] != TROOPER)
        self.board = _board(np.ascontiguousarray(arrays["coords"], np.int32).tobytes())
        ids, kinds, teams, status = (arrays[f"unit_{name}"] for name in ("id", "kind", "team", "status"))
        self.ship = int(np.flatnonzero((kinds == SHIP) & (ids == self.me))[0])
        self.out = np.flatnonzero(status == ALONE)
        self.foes = self.out[teams[self.out] != self.team]
        self.standing = np.full(self.board.size, NO_UNIT)
        self.structures = np.full(self.board.size, NO_UNIT)
        for row in self.out.tolist():
            where = self.structures if kinds[row] == SUPERSTRUCTURE else self.standing
            where[int(arrays["unit_cell"][row])] = row

    def commanded(self) -> list[int]:
        """The units that obey this player: the ship; for leaders also the mothership and the team's swarms."""
        kinds, teams = self.arrays["unit_kind"], self.arrays["unit_team"]
        led = (teams == self.team) & (
            (kinds == MOTHERSHIP) | ((kinds == SWARM) & (self.arrays["unit_status"] == ALONE))
        )
        return [*(np.flatnonzero(led).tolist() if self.leads else []), self.ship]

    def name(self, unit: int) -> int:
        """The unit's id."""
        return int(self.arrays["unit_id"][unit])

    def status(self, unit: int) -> int:
        """Whether the unit waits, is alone or in a swarm."""
        return int(self.arrays["unit_status"][unit])

    def place(self, unit: int) -> int:
        """The cell on which the unit, or its swarm, stands."""
        cell = int(self.arrays["unit_cell"][unit])
        return cell if cell != NO_CELL else int(self.arrays["unit_cell"][int(self.arrays["unit_swarm"][unit])])

    def at(self, cell: int) -> list[int]:
        """The coordinates of a cell."""
        return list(self.board.at(cell))

    def members(self, unit: int) -> list[int]:
        """The ships of a swarm, or the unit itself."""
        if self.arrays["unit_kind"][unit] != SWARM:
            return [unit]
        in_it = (self.arrays["unit_kind"] == SHIP) & (self.arrays["unit_swarm"] == unit)
        return np.flatnonzero(in_it).tolist()

    def free_homes(self) -> list[int]:
        """The team's tiles on which nothing stands."""
        return np.flatnonzero((self.arrays["owner"] == self.team) & (self.standing == NO_UNIT)).tolist()

    def free_nfts(self, kind: int | None = None) -> list[int]:
        """The ids of the player's NFTs that can be used, of one kind or of any."""
        nft, free = self.arrays["nft_id"], self.arrays["nft_use"] == FREE
        return nft[free if kind is None else free & (self.arrays["nft_kind"] == kind)].tolist()  # type: ignore[no-any-return]

    def away(self, cell: int, units: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """How far each of the units is from the cell."""
        axes = np.asarray(self.board.tables.axes).reshape(-1, 3)
        found: npt.NDArray[Any] = np.abs(axes[self.arrays["unit_cell"][units]] - axes[cell]).max(axis=1)
        return found

    def targets(self, unit: int) -> list[int]:
        """The foreign units in range."""
        longest = max((int(self.arrays["unit_range"][ship]) for ship in self.members(unit)), default=0)
        return self.foes[self.away(self.place(unit), self.foes) <= longest].tolist()  # type: ignore[no-any-return]

    def ways(self, unit: int) -> npt.NDArray[np.int64]:
        """What each tile costs this unit to reach, -1 where it cannot go; others' units and superstructures block."""
        teams = self.arrays["unit_team"]
        cost = np.where(self.arrays["obstacle"] != 0, -1, self.arrays["enter"]).astype(np.int32)
        for units in (self.standing, self.structures):
            there = np.flatnonzero(units != NO_UNIT)
            cost[there[teams[units[there]] != self.team]] = -1
        return self.board.field([self.place(unit)], cost)

    def strike(self, unit: int, apart: int) -> int:
        """About the damage that the unit deals at that distance, in hundredths."""
        arrays = self.arrays
        ships = [ship for ship in self.members(unit) if arrays["unit_range"][ship] >= apart]
        share = sum(int(arrays["unit_battery"][ship]) * int(arrays["unit_ratio"][ship]) // 100 for ship in ships)
        return share + 100 * sum(int(arrays["unit_attack"][ship]) for ship in ships)

    def toughness(self, unit: int) -> int:
        """About what it takes to destroy the unit."""
        arrays = self.arrays
        ships = self.members(unit)
        shields = sum(
            int(arrays["unit_battery"][ship]) * (100 - int(arrays["unit_ratio"][ship])) // 100 for ship in ships
        )
        return shields + sum(
            100 * int(arrays["unit_defense"][ship]) + int(arrays["unit_health"][ship]) for ship in ships
        )
