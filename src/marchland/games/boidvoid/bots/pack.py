"""The team's swarm: which ships belong to it, how they gather, and when they part.

A part of a larger team's ships hunts as one swarm. Together they overwhelm motherships and shielded ships, which then
do not strike back, and no single enemy can destroy one of them.
"""

from typing import Final

import numpy as np

from marchland.games.boidvoid.bots.situation import Situation
from marchland.games.boidvoid.rules.constants import ALONE, IN_SWARM, NO_TEAM, NO_UNIT, SWARM, WAITING

_LEAST_TEAM: Final = 4
_LEAST_PACK: Final = 2
_SHARE: Final = 3
"""One of so many ships belongs to the pack."""


class Pack:
    """The swarm of the player's team, and the ships that should be in it."""

    def __init__(self, now: Situation) -> None:
        self._now = now
        seen = now.seen
        self.ships = [ship for ship in now.ships[seen.team] if seen.status(ship) != WAITING]
        swarms = [
            row for row in seen.out.tolist() if seen.unit["kind"][row] == SWARM and seen.unit["team"][row] == seen.team
        ]
        self.swarm = max(swarms, key=lambda row: (len(seen.members(row)), now.mixed(row)), default=NO_UNIT)
        members = len(now.ships[seen.team])
        self.size = 0 if members < _LEAST_TEAM else max(_LEAST_PACK, members // _SHARE)
        self.is_wanted = self.size > 0 and self._has_prey()
        self.wanted = self._choose() if self.is_wanted else []

    def _has_prey(self) -> bool:
        """Whether an enemy team still has tiles to fight for."""
        owner = self._now.seen.arrays["owner"]
        return bool(((owner != NO_TEAM) & (owner != self._now.seen.team)).any())

    def _choose(self) -> list[int]:
        """The ships in the swarm, then those nearest to it; without a swarm those nearest to an enemy mothership."""
        now, seen = self._now, self._now.seen
        if self.swarm != NO_UNIT:
            inside = seen.members(self.swarm)
            apart = now.distances(self.swarm)
        else:
            inside = []
            goals = [row for team, row in now.motherships.items() if team != seen.team and seen.status(row) == ALONE]
            apart = np.min([now.distances(row) for row in goals], axis=0) if goals else now.distance_to_hunters()
        free = [ship for ship in self.ships if seen.status(ship) == ALONE]
        free.sort(key=lambda ship: (int(apart[seen.place(ship)]), now.mixed(ship)))
        return [*inside, *free][: max(self.size, len(inside))]

    @property
    def is_gathering(self) -> bool:
        """Whether ships are still on their way to the swarm."""
        return any(self._now.seen.status(ship) != IN_SWARM for ship in self.wanted)
