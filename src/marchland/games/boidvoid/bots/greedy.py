"""The greedy bot's decisions, one unit after the other."""

from typing import Any

import numpy as np

from marchland.games.boidvoid.bots.observation import Scout
from marchland.games.boidvoid.rules.constants import (
    IDLE,
    MOTHERSHIP,
    N_BOOST,
    N_STRUCTURE,
    NOBODY,
    SHIP,
    SWARM,
    WAITING,
)

_DANGER = 4
_SWARM_EVERY = 3  # of a team's players every third gathers in swarms


class Plan:
    """The orders of one turn, and the tiles that they have taken already."""

    def __init__(self, scout: Scout) -> None:
        self.scout = scout
        self.orders: list[dict[str, Any]] = []
        self._taken: set[int] = set()

    def decide(self, unit: int) -> None:
        """What this unit does."""
        scout, kind = self.scout, int(self.scout.seen["unit_kind"][unit])
        if scout.status(unit) == WAITING:
            self._spawn(unit)
        elif scout.seen["unit_task"][unit] != IDLE:
            return
        elif kind == MOTHERSHIP:
            self._retreat(unit)
        elif not self._attack(unit):
            if kind == SWARM:
                self._hunt(unit)
            elif not self._gather(unit):
                self._capture(unit)

    def _give(self, do: str, unit: int, **parameters: Any) -> None:
        self.orders.append({"do": do, "unit": self.scout.name(unit), **parameters})

    def _spawn(self, unit: int) -> None:
        """The mothership far from enemies, a ship where land is left to take."""
        scout = self.scout
        free = [cell for cell in scout.free_homes() if cell not in self._taken]
        if scout.seen["unit_wait"][unit] > 0 or not free:
            return
        if scout.seen["unit_kind"][unit] == MOTHERSHIP:
            cell = max(free, key=lambda cell: (int(scout.away(cell, scout.foes).min(initial=99)), -cell))
        else:
            others = [cell for cell in range(scout.board.size) if scout.seen["owner"][cell] != scout.team]
            field = scout.board.field(others or free)
            cell = min(free, key=lambda cell: (int(field[cell]), (cell * 7 + scout.me * 13) % 31, cell))
        self._taken.add(cell)
        self._give("spawn", unit, at=scout.at(cell))

    def _retreat(self, unit: int) -> None:
        """Protect the mothership: away from whoever comes near."""
        scout = self.scout
        here = int(scout.away(scout.place(unit), scout.foes).min(initial=99))
        if here > _DANGER:
            return
        best, safest = NOBODY, here
        for cell in self._reachable(unit):
            apart = int(scout.away(cell, scout.foes).min(initial=99))
            if apart > safest:
                best, safest = cell, apart
        if best != NOBODY:
            self._move(unit, best)

    def _attack(self, unit: int) -> bool:
        """Strike what is weakest, if it falls or is worth the battery; a ship with a boost uses it first."""
        scout = self.scout
        found = scout.targets(unit)
        if not found or scout.seen["unit_acted"][unit]:
            return False
        target = min(found, key=lambda foe: (scout.toughness(foe), scout.name(foe)))
        apart = int(scout.away(scout.place(unit), np.array([target]))[0])
        strike, needed = scout.strike(unit, apart), scout.toughness(target)
        guarding = bool((scout.away(scout.place(target), self._motherships()) <= _DANGER).any())
        if strike <= needed and not (scout.seen["unit_kind"][unit] == SHIP and (guarding or 2 * strike > needed)):
            return False
        boosts = scout.free_nfts(N_BOOST)
        if boosts and scout.seen["unit_kind"][unit] == SHIP:
            self.orders.append({"do": "boost", "target": scout.name(unit), "nft": boosts[0], "mode": "burn"})
        self._give("attack", unit, target=scout.name(target))
        return True

    def _motherships(self) -> Any:
        scout = self.scout
        return scout.out[(scout.seen["unit_kind"][scout.out] == MOTHERSHIP) & ~np.isin(scout.out, scout.foes)]

    def _hunt(self, unit: int) -> None:
        """A swarm goes for the nearest enemy that it can beat, and stays where it is if there is none."""
        scout = self.scout
        beatable = [foe for foe in scout.foes.tolist() if scout.strike(unit, 0) > scout.toughness(foe)]
        if not beatable:
            return
        away = scout.away(scout.place(unit), np.array(beatable))
        self._approach(unit, scout.place(beatable[int(np.argmin(away))]))

    def _gather(self, unit: int) -> bool:
        """Every third ship of a larger team joins the nearest swarm, or founds one."""
        scout, seen = self.scout, self.scout.seen
        team = np.flatnonzero(seen["player_team"] == scout.team).tolist()
        if team.index(scout.me) % _SWARM_EVERY != _SWARM_EVERY - 1:
            return False
        swarms = scout.out[(seen["unit_kind"][scout.out] == SWARM) & (seen["unit_team"][scout.out] == scout.team)]
        if len(swarms) == 0:
            self._give("create_swarm", unit, name=f"swarm {scout.me}")
            return True
        nearest = int(swarms[np.argmin(scout.away(scout.place(unit), swarms))])
        if scout.away(scout.place(unit), np.array([nearest]))[0] > 1:
            self._approach(unit, scout.place(nearest))
        self._give("join_swarm", unit, swarm=scout.name(nearest))
        return True

    def _capture(self, unit: int) -> None:
        """The cheapest tile that is not the team's, here or within reach; else build where it stands."""
        scout, owner = self.scout, self.scout.seen["owner"]
        if len(self._motherships()) == 0:
            return
        if owner[scout.place(unit)] != scout.team:
            self._give("capture", unit)
            return
        cost = scout.ways(unit)
        wanted = (owner != scout.team) & (cost > 0) & (scout.standing == NOBODY)
        if not wanted.any():
            self._build(unit)
            return
        goals = np.flatnonzero(wanted)
        goal = int(goals[np.argmin(cost[goals] * 100 + (goals * 7 + scout.me * 13) % 31)])
        if cost[goal] <= scout.seen["unit_points"][unit]:
            self._move(unit, goal)
            self._give("capture", unit)
        else:
            self._build(unit)
            self._approach(unit, goal)

    def _build(self, unit: int) -> None:
        nfts = self.scout.free_nfts(N_STRUCTURE)
        if nfts and self.scout.structures[self.scout.place(unit)] == NOBODY:
            self._give("build", unit, nft=nfts[0])

    def _reachable(self, unit: int) -> list[int]:
        scout = self.scout
        cost = scout.ways(unit)
        points = min((int(scout.seen["unit_points"][ship]) for ship in scout.members(unit)), default=0)
        step = 1 if scout.seen["unit_kind"][unit] == MOTHERSHIP else 0  # the usual mothership is slower
        within = (cost > 0) & (cost * (3 + step) <= points * 3) & (scout.standing == NOBODY)
        return [cell for cell in np.flatnonzero(within).tolist() if cell not in self._taken]

    def _approach(self, unit: int, goal: int) -> None:
        """As near to the goal as action points allow."""
        cells = self._reachable(unit)
        if cells:
            field = self.scout.board.field([goal])
            best = min(cells, key=lambda cell: (int(field[cell]), cell))
            if field[best] < field[self.scout.place(unit)]:
                self._move(unit, best)

    def _move(self, unit: int, cell: int) -> None:
        self._taken.add(cell)
        self._give("move", unit, to=self.scout.at(cell))
