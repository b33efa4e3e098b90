"""What all decisions of one turn share: the observation, strengths, threats, and the chance that breaks ties."""

import functools
import random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from marchland.games.boidvoid.bots.combat import Battlefield
from marchland.games.boidvoid.bots.observation import Observation
from marchland.games.boidvoid.rules.constants import ALONE, IDLE, MOTHERSHIP, NO_UNIT, SHIP

UNREACHABLE: Final = 99
"""Turns to a cell that no way leads to."""
LOSS: Final = 1.2
"""Tiles that are expected to be lost where an enemy could destroy a ship next turn."""

Ints = npt.NDArray[Any]


class Situation:
    """One turn as the bot judges it. Ties are broken at random, never by seat, row or cell."""

    def __init__(self, seen: Observation, chance: random.Random) -> None:
        self.seen = seen
        self.field = Battlefield(seen)
        self.chance = chance
        kinds, teams = seen.unit["kind"], seen.unit["team"]
        self.motherships = {teams[row]: row for row, kind in enumerate(kinds) if kind == MOTHERSHIP}
        self.ships: dict[int, list[int]] = {team: [] for team in self.motherships}
        for row, kind in enumerate(kinds):
            if kind == SHIP:
                self.ships[teams[row]].append(row)
        self.rivals = max(len(self.motherships) - 1, 1)
        self._distances: dict[int, Ints] = {}

    @functools.cached_property
    def threats(self) -> Ints:
        """The damage to expect next turn, for each cell."""
        return self.field.threats()

    def pick(self, cells: Ints, scores: Ints) -> int:
        """One of the cells with the best score."""
        best = cells[scores == scores.max()]
        return int(best[self.chance.randrange(len(best))])

    def is_on_map(self, team: int) -> bool:
        """Whether the team's mothership is on the map, so that the team can capture."""
        return self.seen.status(self.motherships[team]) == ALONE

    def is_idle(self, ship: int) -> bool:
        """Whether the ship can act on its own this turn."""
        unit = self.seen.unit
        return self.seen.status(ship) == ALONE and unit["task"][ship] == IDLE and not unit["acted"][ship]

    def distances(self, unit: int) -> Ints:
        """How far each cell is from where the unit stands."""
        if unit not in self._distances:
            self._distances[unit] = self.seen.distances(self.seen.place(unit))
        return self._distances[unit]

    def distance_to_hunters(self) -> Ints:
        """How far each cell is from the nearest enemy ship or swarm."""
        nearest = np.full(self.seen.board.size, UNREACHABLE)
        for foe in self.field.hunters:
            np.minimum(nearest, self.distances(foe), out=nearest)
        return nearest

    def free_for(self, unit: int) -> Ints:
        """The cells on which the unit could stand."""
        standing = self.seen.standing
        free: Ints = (standing == NO_UNIT) | (standing == unit)
        return free

    def turns_to(self, unit: int, cost: Ints) -> Ints:
        """In how many turns from now the unit can be at each cell."""
        points, gained = self.seen.points(unit), max(self.seen.settings["action_points"], 1)
        turns = np.where(cost <= points, 0, -((points - cost) // gained))
        turns[cost < 0] = UNREACHABLE
        return turns

    def steps(self, unit: int) -> int:
        """About how many tiles the unit can move this turn."""
        rules = self.seen.settings
        cost: int = max(rules["base_move_cost"] + self.seen.step_modifier(unit), rules["min_move_cost"])
        return self.seen.points(unit) // cost

    def can_strike_now(self, unit: int) -> bool:
        """Whether some enemy is near enough for an attack this turn."""
        apart = self.seen.away(self.seen.place(unit), self.seen.foes)
        return bool(apart.min(initial=UNREACHABLE) <= self.steps(unit) + self.seen.reach(unit))

    def mixed(self, unit: int) -> int:
        """A number that orders units as chance would, for all ships of a team alike."""
        return (self.seen.unit["id"][unit] * 2_654_435_761 + self.seen.turn * 40_503) % 4_294_967_291
