"""One turn as the greedy player sees it, and the orders that it has decided on so far."""

from typing import Any

import numpy as np

from marchland.games.hive.bots.geometry import Numbers
from marchland.games.hive.bots.memory import FAR, Memory
from marchland.games.hive.rules.orders import DIRECTIONS
from marchland.games.hive.rules.state import BEE, FIELD, HIVE, STONE

Order = dict[str, Any]


class Situation:
    """One turn of one player. Plans take bees out of ``bees`` as they give them orders."""

    def __init__(self, seen: dict[str, Any], memory: Memory, noise: Numbers) -> None:
        self.memory = memory
        self.geometry = memory.geometry
        self.noise = noise
        """A random number from 0 to 1 for each cell: whatever is equal is chosen by it, not by place or age."""
        self.me, self.purse = int(seen["me"][0]), int(seen["reserve"][0])
        self.bee_cost, self.hive_cost, self.wall_cost = seen["costs"].tolist()
        self.carrying, self.damage = bool(seen["carrying"][0]), int(seen["damage"][0])
        self.goal = int(seen["influence_goal"][0]) or len(self.noise)
        """The cells to influence: where that does not win, as many as possible, for it breaks ties."""
        self.id, self.kind, self.hp, self.carries = seen["id"], seen["kind"], seen["hp"], seen["carries"]
        mine = seen["owner"] == self.me
        bees = self.kind == BEE
        self.own_bees = np.flatnonzero(bees & mine)
        self.bees: list[int] = self._shuffled(bees & mine)
        """The cells of the bees without orders, in random order."""
        self.bee_count = len(self.bees)
        self.hives: list[int] = self._shuffled((self.kind == HIVE) & mine)
        self.foes = np.array(self._shuffled(bees & ~mine), np.int64)
        """The cells of the enemies' bees in sight, in random order."""
        self.free_fields = self._free_fields()
        """The fields with flowers on which nothing stands as far as is known, and for which no bee is meant."""
        self.taken: set[int] = set(np.flatnonzero(self.kind).tolist())
        """The cells on which something will stand as far as orders are given."""
        self.reserved = 0
        """Flowers of the purse that are meant for hives."""
        self.orders: list[Order] = []
        self.late_orders: list[Order] = []
        """Orders for units that are created this turn."""

    def _shuffled(self, wanted: Numbers) -> list[int]:
        cells = np.flatnonzero(wanted)
        found: list[int] = cells[self.noise[cells].argsort()].tolist()
        return found

    @property
    def terrain(self) -> Numbers:
        """What is known of the ground."""
        return self.memory.terrain

    @property
    def flowers(self) -> Numbers:
        """The flowers of each field as last seen."""
        return self.memory.flowers

    def is_open(self, cell: int) -> bool:
        """Whether a unit can be put there."""
        return cell not in self.taken and self.terrain[cell] != STONE

    def pick(self, ways: list[tuple[int, int]]) -> tuple[int, int]:
        """One of the ways and cells, at random."""
        return max(ways, key=lambda step: float(self.noise[step[1]]))

    def give(self, bee: int, verb: str, way: int | None = None) -> None:
        """Give the bee on this cell its order."""
        self.bees.remove(bee)
        more = {} if way is None else {"dir": DIRECTIONS[way]}
        self.orders.append({"do": verb, "unit": int(self.id[bee]), **more})

    def go(self, bee: int, way: int, cell: int) -> None:
        """Let the bee step to the neighbouring cell."""
        self.give(bee, "move", way)
        self.taken.discard(bee)
        self.taken.add(cell)

    def build_wall(self, bee: int, way: int, cell: int) -> None:
        """Let the bee build a wall in the neighbouring cell."""
        self.purse -= self.wall_cost
        self.taken.add(cell)
        self.give(bee, "build_wall", way)

    def build_hive(self, bee: int) -> None:
        """Turn the bee into a hive."""
        self.purse -= self.hive_cost
        self.bee_count -= 1
        self.give(bee, "build_hive")

    def step_toward(self, start: int, steps: Numbers) -> tuple[int, int] | None:
        """The way to the open cell or wall beside ``start`` that is nearer, or else as near; None if there is none."""
        best, here = None, int(steps[start])
        least = here + 0.999
        for way, cell in self.geometry.ways[start]:
            if steps[cell] <= here and (self.is_open(cell) or self.memory.walls[cell]):
                score = steps[cell] + 0.99 * float(self.noise[cell])
                if score < least:
                    best, least = (way, cell), score
        return best

    def follow(self, bee: int, steps: Numbers) -> None:
        """Let the bee go to where the steps are fewer, through walls if need be.

        Where its way is blocked, it strikes an enemy beside it or makes room for others, at random.
        """
        step = self.step_toward(bee, steps)
        if step is None:
            self._wait(bee)
        elif self.memory.walls[step[1]]:
            self.give(bee, "attack", step[0])
        else:
            self.go(bee, *step)

    def _wait(self, bee: int) -> None:
        foes = [(way, cell) for way, cell in self.geometry.ways[bee] if cell in self.foes]
        open_ways = [(way, cell) for way, cell in self.geometry.ways[bee] if self.is_open(cell)]
        if foes and self.noise[bee] < 0.5:
            self.give(bee, "attack", self.pick(foes)[0])
        elif open_ways and self.noise[bee] >= 0.5:
            self.go(bee, *self.pick(open_ways))
        else:
            self.bees.remove(bee)

    def walk(self, bee: int, target: int) -> None:
        """Let the bee go one step towards the target, round other bees if they stand in the way."""
        steps = self.memory.steps_to(target)
        if self.step_toward(bee, steps) is None:
            cost = self.memory.cost.copy()
            cost[list(self.taken)] = -1
            steps = self.geometry.board.field([target], cost)
            steps[steps < 0] = FAR
            steps[bee] = min(FAR - 1, 1 + min(int(steps[cell]) for _, cell in self.geometry.ways[bee]))
        self.follow(bee, steps)

    def assign(self, bees: list[int], goals: Numbers) -> list[tuple[int, int]]:
        """Pairs of a bee and a goal that it can reach, nearest first, each once."""
        pairs: list[tuple[int, int]] = []
        if not bees or not len(goals):
            return pairs
        steps = np.array([self.memory.steps_to(bee)[goals] for bee in bees], np.float32) + self.noise[goals]
        for _ in range(min(steps.shape)):
            bee, goal = divmod(int(steps.argmin()), len(goals))
            if steps[bee, goal] >= FAR:
                break
            pairs.append((bees[bee], int(goals[goal])))
            steps[bee] = FAR
            steps[:, goal] = FAR
        return pairs

    def count_near(self, cells: Numbers, others: Numbers, radius: int) -> Numbers:
        """For each of the cells how many of the others are within ``radius``."""
        counts: Numbers = (self.geometry.distance[cells][:, others] <= radius).sum(axis=1)
        return counts

    def _free_fields(self) -> Numbers:
        free = (self.terrain == FIELD) & (self.flowers > 0) & (self.memory.cost > 0) & (self.kind == 0)
        return np.flatnonzero(free)
