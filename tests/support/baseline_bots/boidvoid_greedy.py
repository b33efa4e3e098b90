"""The bot `greedy` of BoidVoid before it was rewritten: a baseline for comparisons, not maintained."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.core.orders import NO_CELL
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    FREE,
    IDLE,
    MOTHERSHIP,
    N_BOOST,
    N_STRUCTURE,
    NO_UNIT,
    SHIP,
    SUPERSTRUCTURE,
    SWARM,
    TROOPER,
    WAITING,
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


_DANGER = 4
_SWARM_EVERY = 3  # of a team's players every third gathers in swarms


class Plan:
    """The orders of one turn, and the tiles that they have taken already."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.orders: list[dict[str, Any]] = []
        self._taken: set[int] = set()

    def decide(self, unit: int) -> None:
        """What this unit does."""
        seen, kind = self.seen, int(self.seen.arrays["unit_kind"][unit])
        if seen.status(unit) == WAITING:
            self._spawn(unit)
        elif seen.arrays["unit_task"][unit] != IDLE:
            return
        elif kind == MOTHERSHIP:
            self._retreat(unit)
        elif not self._attack(unit):
            if kind == SWARM:
                self._hunt(unit)
            elif not self._gather(unit):
                self._capture(unit)

    def _give(self, do: str, unit: int, **parameters: Any) -> None:
        self.orders.append({"do": do, "unit": self.seen.name(unit), **parameters})

    def _spawn(self, unit: int) -> None:
        """The mothership far from enemies, a ship where land is left to take."""
        seen = self.seen
        free = [cell for cell in seen.free_homes() if cell not in self._taken]
        if seen.arrays["unit_wait"][unit] > 0 or not free:
            return
        if seen.arrays["unit_kind"][unit] == MOTHERSHIP:
            cell = max(free, key=lambda cell: (int(seen.away(cell, seen.foes).min(initial=99)), -cell))
        else:
            others = [cell for cell in range(seen.board.size) if seen.arrays["owner"][cell] != seen.team]
            field = seen.board.field(others or free)
            cell = min(free, key=lambda cell: (int(field[cell]), (cell * 7 + seen.me * 13) % 31, cell))
        self._taken.add(cell)
        self._give("spawn", unit, at=seen.at(cell))

    def _retreat(self, unit: int) -> None:
        """Protect the mothership: away from foes that come near."""
        seen = self.seen
        here = int(seen.away(seen.place(unit), seen.foes).min(initial=99))
        if here > _DANGER:
            return
        best, safest = NO_CELL, here
        for cell in self._reachable(unit):
            apart = int(seen.away(cell, seen.foes).min(initial=99))
            if apart > safest:
                best, safest = cell, apart
        if best != NO_CELL:
            self._move(unit, best)

    def _attack(self, unit: int) -> bool:
        """Strike what is weakest, if it falls or is worth the battery; a ship with a boost uses it first."""
        seen = self.seen
        found = seen.targets(unit)
        if not found or seen.arrays["unit_acted"][unit]:
            return False
        target = min(found, key=lambda foe: (seen.toughness(foe), seen.name(foe)))
        apart = int(seen.away(seen.place(unit), np.array([target]))[0])
        strike, needed = seen.strike(unit, apart), seen.toughness(target)
        guarding = bool((seen.away(seen.place(target), self._motherships()) <= _DANGER).any())
        if strike <= needed and not (seen.arrays["unit_kind"][unit] == SHIP and (guarding or 2 * strike > needed)):
            return False
        boosts = seen.free_nfts(N_BOOST)
        if boosts and seen.arrays["unit_kind"][unit] == SHIP:
            self.orders.append({"do": "boost", "target": seen.name(unit), "nft": boosts[0], "mode": "burn"})
        self._give("attack", unit, target=seen.name(target))
        return True

    def _motherships(self) -> Any:
        seen = self.seen
        return seen.out[(seen.arrays["unit_kind"][seen.out] == MOTHERSHIP) & ~np.isin(seen.out, seen.foes)]

    def _hunt(self, unit: int) -> None:
        """A swarm goes for the nearest enemy that it can beat, and stays where it is if there is none."""
        seen = self.seen
        beatable = [foe for foe in seen.foes.tolist() if seen.strike(unit, 0) > seen.toughness(foe)]
        if not beatable:
            return
        away = seen.away(seen.place(unit), np.array(beatable))
        self._approach(unit, seen.place(beatable[int(np.argmin(away))]))

    def _gather(self, unit: int) -> bool:
        """Every third ship of a larger team joins the nearest swarm, or founds one."""
        seen, arrays = self.seen, self.seen.arrays
        team = np.flatnonzero(arrays["player_team"] == seen.team).tolist()
        if team.index(seen.me) % _SWARM_EVERY != _SWARM_EVERY - 1:
            return False
        swarms = seen.out[(arrays["unit_kind"][seen.out] == SWARM) & (arrays["unit_team"][seen.out] == seen.team)]
        if len(swarms) == 0:
            self._give("create_swarm", unit, name=f"swarm {seen.me}")
            return True
        nearest = int(swarms[np.argmin(seen.away(seen.place(unit), swarms))])
        if seen.away(seen.place(unit), np.array([nearest]))[0] > 1:
            self._approach(unit, seen.place(nearest))
        self._give("join_swarm", unit, swarm=seen.name(nearest))
        return True

    def _capture(self, unit: int) -> None:
        """The cheapest tile that is not the team's, here or within reach; else build where it stands."""
        seen, owner = self.seen, self.seen.arrays["owner"]
        if len(self._motherships()) == 0:
            return
        if owner[seen.place(unit)] != seen.team:
            self._give("capture", unit)
            return
        cost = seen.ways(unit)
        wanted = (owner != seen.team) & (cost > 0) & (seen.standing == NO_UNIT)
        if not wanted.any():
            self._build(unit)
            return
        goals = np.flatnonzero(wanted)
        goal = int(goals[np.argmin(cost[goals] * 100 + (goals * 7 + seen.me * 13) % 31)])
        if cost[goal] <= seen.arrays["unit_points"][unit]:
            self._move(unit, goal)
            self._give("capture", unit)
        else:
            self._build(unit)
            self._approach(unit, goal)

    def _build(self, unit: int) -> None:
        nfts = self.seen.free_nfts(N_STRUCTURE)
        if nfts and self.seen.structures[self.seen.place(unit)] == NO_UNIT:
            self._give("build", unit, nft=nfts[0])

    def _reachable(self, unit: int) -> list[int]:
        seen = self.seen
        cost = seen.ways(unit)
        points = min((int(seen.arrays["unit_points"][ship]) for ship in seen.members(unit)), default=0)
        step = 1 if seen.arrays["unit_kind"][unit] == MOTHERSHIP else 0  # the usual mothership is slower
        within = (cost > 0) & (cost * (3 + step) <= points * 3) & (seen.standing == NO_UNIT)
        return [cell for cell in np.flatnonzero(within).tolist() if cell not in self._taken]

    def _approach(self, unit: int, goal: int) -> None:
        """As near to the goal as action points allow."""
        cells = self._reachable(unit)
        if cells:
            field = self.seen.board.field([goal])
            best = min(cells, key=lambda cell: (int(field[cell]), cell))
            if field[best] < field[self.seen.place(unit)]:
                self._move(unit, best)

    def _move(self, unit: int, cell: int) -> None:
        self._taken.add(cell)
        self._give("move", unit, to=self.seen.at(cell))


class Bot(BuiltinBot):
    """Captures what is near, gathers swarms, attacks what it can beat and keeps its mothership out of reach."""

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        seen = Observation(arrays_of(view))
        plan = Plan(seen)
        for unit in seen.commanded():
            if seen.status(unit) in (ALONE, WAITING):
                plan.decide(unit)
        return plan.orders
