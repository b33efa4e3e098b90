"""What a built-in bot makes of an observation: its units, who is near, what a way costs."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    FREE,
    MOTHERSHIP,
    NOBODY,
    SHIP,
    SUPERSTRUCTURE,
    SWARM,
    TROOPER,
)
from marchland.games.boidvoid.views import observation_from_view

Observation = dict[str, npt.NDArray[Any]]


def seen_in(view: Any) -> Observation:
    """The observation, or the same made from a view."""
    return observation_from_view(view) if "units" in view else view


@functools.lru_cache(maxsize=8)
def _board(cells: bytes) -> Board:
    return Board.of_cells("hex", np.frombuffer(cells, np.int32).reshape(-1, 2), dialect="odd-r")


class Scout:
    """One player's look at one moment. Units are named by their rows in the observation."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.me = int(seen["me"][0])
        self.team = int(seen["player_team"][self.me])
        self.leads = bool(seen["player_role"][self.me] != TROOPER)
        self.board = _board(np.ascontiguousarray(seen["coords"], np.int32).tobytes())
        ids, kinds, teams, status = (seen[f"unit_{name}"] for name in ("id", "kind", "team", "status"))
        self.ship = int(np.flatnonzero((kinds == SHIP) & (ids == self.me))[0])
        self.out = np.flatnonzero(status == ALONE)
        self.foes = self.out[teams[self.out] != self.team]
        self.standing = np.full(self.board.size, NOBODY)
        self.structures = np.full(self.board.size, NOBODY)
        for row in self.out.tolist():
            where = self.structures if kinds[row] == SUPERSTRUCTURE else self.standing
            where[int(seen["unit_cell"][row])] = row

    def commanded(self) -> list[int]:
        """The units that obey this player: the ship; for leaders also the mothership and the team's swarms."""
        kinds, teams = self.seen["unit_kind"], self.seen["unit_team"]
        led = (teams == self.team) & ((kinds == MOTHERSHIP) | ((kinds == SWARM) & (self.seen["unit_status"] == ALONE)))
        return [*(np.flatnonzero(led).tolist() if self.leads else []), self.ship]

    def name(self, unit: int) -> int:
        """The unit's id."""
        return int(self.seen["unit_id"][unit])

    def status(self, unit: int) -> int:
        """Whether the unit waits, is alone or in a swarm."""
        return int(self.seen["unit_status"][unit])

    def place(self, unit: int) -> int:
        """The cell on which the unit, or its swarm, stands."""
        cell = int(self.seen["unit_cell"][unit])
        return cell if cell != NOBODY else int(self.seen["unit_cell"][int(self.seen["unit_swarm"][unit])])

    def at(self, cell: int) -> list[int]:
        """The coordinates of a cell."""
        return list(self.board.at(cell))

    def members(self, unit: int) -> list[int]:
        """The ships of a swarm, or the unit itself."""
        if self.seen["unit_kind"][unit] != SWARM:
            return [unit]
        in_it = (self.seen["unit_kind"] == SHIP) & (self.seen["unit_swarm"] == unit)
        return np.flatnonzero(in_it).tolist()

    def free_homes(self) -> list[int]:
        """The team's tiles on which nothing stands."""
        return np.flatnonzero((self.seen["owner"] == self.team) & (self.standing == NOBODY)).tolist()

    def free_nfts(self, kind: int | None = None) -> list[int]:
        """The ids of the player's NFTs that can be used, of one kind or of any."""
        nft, free = self.seen["nft_id"], self.seen["nft_use"] == FREE
        return nft[free if kind is None else free & (self.seen["nft_kind"] == kind)].tolist()  # type: ignore[no-any-return]

    def away(self, cell: int, units: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """How far each of the units is from the cell."""
        axes = np.asarray(self.board.tables.axes).reshape(-1, 3)
        found: npt.NDArray[Any] = np.abs(axes[self.seen["unit_cell"][units]] - axes[cell]).max(axis=1)
        return found

    def targets(self, unit: int) -> list[int]:
        """The foreign units in range."""
        longest = max((int(self.seen["unit_range"][ship]) for ship in self.members(unit)), default=0)
        return self.foes[self.away(self.place(unit), self.foes) <= longest].tolist()  # type: ignore[no-any-return]

    def ways(self, unit: int) -> npt.NDArray[np.int64]:
        """What each tile costs this unit to reach, -1 where it cannot go; others' units and superstructures block."""
        teams = self.seen["unit_team"]
        cost = np.where(self.seen["obstacle"] != 0, -1, self.seen["enter"]).astype(np.int32)
        for units in (self.standing, self.structures):
            there = np.flatnonzero(units != NOBODY)
            cost[there[teams[units[there]] != self.team]] = -1
        return self.board.field([self.place(unit)], cost)

    def strike(self, unit: int, apart: int) -> int:
        """About the damage that the unit deals at that distance, in hundredths."""
        seen = self.seen
        ships = [ship for ship in self.members(unit) if seen["unit_range"][ship] >= apart]
        share = sum(int(seen["unit_battery"][ship]) * int(seen["unit_ratio"][ship]) // 100 for ship in ships)
        return share + 100 * sum(int(seen["unit_attack"][ship]) for ship in ships)

    def toughness(self, unit: int) -> int:
        """About what it takes to destroy the unit."""
        seen = self.seen
        ships = self.members(unit)
        shields = sum(int(seen["unit_battery"][ship]) * (100 - int(seen["unit_ratio"][ship])) // 100 for ship in ships)
        return shields + sum(100 * int(seen["unit_defense"][ship]) + int(seen["unit_health"][ship]) for ship in ships)
