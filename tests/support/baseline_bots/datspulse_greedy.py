"""The bot `greedy` of Datspulse before it was rewritten: a baseline for comparisons, not maintained."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.games.datspulse.observations import observation_from_view
from marchland.games.datspulse.rules.state import (
    ACID,
    ANTHILL,
    DIRT,
    HIDDEN,
    KINDS,
    NECTAR,
    NOTHING,
    ROCK,
    SCOUT,
    SOLDIER,
    WORKER,
)

Numbers = npt.NDArray[Any]
Seen = dict[str, Numbers]

FEAR_OF_ACID: Final = 6  # steps that a detour round a hex of acid is worth
FEAR_OF_FIRE: Final = 8  # and round a hex in reach of a foreign nest
GUARDS: Final = 6
ALARM: Final = 7  # how near to the nest an enemy is met
DETOUR: Final = 4  # how far a worker goes to fill up
LONG_AGO: Final = 60  # turns after which a hex is as good as never seen


class Colony:
    """One team's memory and plans."""

    def __init__(self, board: Board, seen: Seen) -> None:
        self.board = board
        self.me, self.turn = int(seen["me"][0]), -1
        self.home: list[int] = seen["home"].tolist()
        self.axes = np.asarray(board.tables.axes).reshape(-1, 3)
        self.terrain = np.zeros(board.size, np.int64)
        self.food = np.zeros(board.size, np.int64)
        self.amount = np.zeros(board.size, np.int64)
        self.last_seen = np.full(board.size, -LONG_AGO)
        self.from_home = self.distance(self.home[0])

    def is_of_another_match(self, seen: Seen) -> bool:
        """Whether this colony's memory says nothing about what is seen now."""
        return int(seen["turn"][0]) <= self.turn or seen["home"].tolist() != self.home

    def distance(self, cell: int) -> Numbers:
        """How far every hex is from ``cell``, as the crow flies."""
        far: Numbers = np.abs(self.axes - self.axes[cell]).max(axis=1)
        return far

    def plan(self, seen: Seen) -> list[tuple[int, list[int]]]:
        """The way of each ant that has somewhere to go, in the order in which they will walk."""
        self.remember(seen)
        self.seen = seen
        self.rows = np.flatnonzero(seen["ant_health"]).tolist()
        self.enemies = np.flatnonzero(seen["enemy_health"].reshape(-1, len(KINDS)).any(axis=1))
        self.standing = [{int(seen["ant_cell"][row]) for row in self.of_kind(kind)} for kind in range(len(KINDS))]
        self.cost = self.costs()
        goals = self.goals()
        plans = []
        for row in self.rows:
            path = self.way(row, goals.get(row))
            if path:
                plans.append((int(seen["ant_id"][row]), path))
        return plans

    def remember(self, seen: Seen) -> None:
        """Keep what is in sight now; what went out of sight stays as it was last seen."""
        self.turn = int(seen["turn"][0])
        visible = seen["terrain"] != HIDDEN
        self.terrain[visible] = seen["terrain"][visible]
        self.food[visible], self.amount[visible] = seen["food"][visible], seen["amount"][visible]
        self.last_seen[visible] = self.turn

    def of_kind(self, kind: int) -> list[int]:
        """The rows of the living ants of a kind."""
        return [row for row in self.rows if self.seen["ant_kind"][row] == kind]

    def costs(self) -> npt.NDArray[np.int32]:
        """What it takes to enter each hex: its points, and fear."""
        cost = np.ones(self.board.size, np.int32)
        cost[self.terrain == DIRT] = int(self.seen["dirt_cost"][0])
        cost[self.terrain == ACID] = 1 + FEAR_OF_ACID
        self.foreign = np.setdiff1d(np.flatnonzero(self.terrain == ANTHILL), self.home)
        for nest in self.foreign.tolist():
            cost[self.distance(nest) <= 2] += FEAR_OF_FIRE
        cost[self.terrain == ROCK] = cost[self.foreign] = cost[self.enemies] = -1
        return cost

    # ---------------------------------------------------------------- who goes where

    def goals(self) -> dict[int, int]:
        """For each ant with something to do, the hex to do it on."""
        workers, scouts, soldiers = (self.of_kind(kind) for kind in (WORKER, SCOUT, SOLDIER))
        goals: dict[int, int] = {}
        goals |= self.deliveries()
        goals |= self.gathering([row for row in workers if row not in goals])
        goals |= self.raids([row for row in workers if row not in goals])
        goals |= self.guard([row for row in soldiers if row not in goals])
        idle = [row for row in (*scouts, *workers, *soldiers) if row not in goals]
        return goals | self.exploration(idle)

    def deliveries(self) -> dict[int, int]:
        """Loaded ants go home, unless they have room left and more of the same lies near."""
        goals = {}
        for row in self.rows:
            food, amount = int(self.seen["ant_food"][row]), int(self.seen["ant_amount"][row])
            if amount == 0:
                continue
            cell, kind = int(self.seen["ant_cell"][row]), int(self.seen["ant_kind"][row])
            more = self.nearest_more(cell, food) if amount < self.seen["capacity"][kind] else None
            if more is None or 2 * amount > self.seen["capacity"][kind]:
                free = [place for place in self.home[::-1] if place not in self.standing[kind] or place == cell]
                goals[row] = min(free or self.home[1:], key=lambda place: self.board.distance(cell, place))
            else:
                goals[row] = more
        return goals

    def nearest_more(self, cell: int, food: int) -> int | None:
        """The nearest known food of that kind within a short detour."""
        near = self.board.disk(cell, DETOUR)
        found = near[(self.food[near] == food) & (self.amount[near] > 0)]
        return min(found.tolist(), key=lambda place: self.board.distance(cell, place), default=None)

    def gathering(self, workers: Sequence[int]) -> dict[int, int]:
        """Give each pile as many workers as it takes to carry it, the shortest round trips first."""
        piles = np.flatnonzero((self.amount > 0) & (self.food != NOTHING) & (self.terrain != ANTHILL))
        if not len(piles) or not workers:
            return {}
        cells = self.seen["ant_cell"][list(workers)]
        away = np.abs(self.axes[cells][:, None] - self.axes[piles][None]).max(axis=2)
        trip = 2 * away + self.from_home[piles][None]
        left = self.amount[piles].copy()
        load = int(self.seen["capacity"][WORKER])
        goals: dict[int, int] = {}
        for pair in np.argsort(trip, axis=None, kind="stable").tolist():
            worker, pile = divmod(pair, len(piles))
            if left[pile] > 0 and workers[worker] not in goals:
                goals[workers[worker]] = int(piles[pile])
                left[pile] -= load
                if len(goals) == len(workers):
                    break
        return goals

    def raids(self, workers: Sequence[int]) -> dict[int, int]:
        """Send workers without food in sight to the nests whose nectar is known."""
        goals: dict[int, int] = {}
        for nest in self.foreign[self.food[self.foreign] == NECTAR].tolist():
            gates = [cell for cell in self.board.neighbours(nest) if self.terrain[cell] not in (ROCK, ANTHILL)]
            needed = -(-int(self.amount[nest]) // int(self.seen["capacity"][WORKER]))
            near = sorted(
                (row for row in workers if row not in goals),
                key=lambda row: self.board.distance(int(self.seen["ant_cell"][row]), nest),
            )
            goals |= dict(zip(near[:needed], gates * needed, strict=False))
        return goals

    def guard(self, soldiers: Sequence[int]) -> dict[int, int]:
        """Some soldiers meet enemies near the nest, or wait round it; the others are free."""
        intruders = self.enemies[self.from_home[self.enemies] <= ALARM]
        watch = [cell for cell in self.board.ring(self.home[0], 3).tolist() if self.cost[cell] == 1]
        goals = {}
        for row, post in zip(soldiers[:GUARDS], watch[:: max(len(watch) // GUARDS, 1)], strict=False):
            cell = int(self.seen["ant_cell"][row])
            goals[row] = post
            if len(intruders):
                foe = min(intruders.tolist(), key=lambda enemy: self.board.distance(cell, enemy))
                beside = [place for place in self.board.neighbours(foe) if self.cost[place] >= 0]
                goals[row] = min(beside or [post], key=lambda place: self.board.distance(cell, place))
        return goals

    def exploration(self, idle: Sequence[int]) -> dict[int, int]:
        """Each to another part of the map, which has not been seen for long."""
        age = np.minimum(self.turn - self.last_seen, LONG_AGO)
        age[self.cost < 0] = 0
        goals = {}
        for row in idle:
            cell = int(self.seen["ant_cell"][row])
            worth = age - 2 * self.distance(cell)
            goal = int(np.argmax(worth))
            if age[goal] > 0:
                goals[row] = goal
                age[self.board.disk(goal, 4)] = 0
        return goals

    # ---------------------------------------------------------------- how it gets there

    def way(self, row: int, goal: int | None) -> list[int]:
        """As much of the way to the goal as the ant can go now, round its own kind; off the spot in any case."""
        cell, kind = int(self.seen["ant_cell"][row]), int(self.seen["ant_kind"][row])
        taken = self.standing[kind]
        taken.discard(cell)
        path = self.steps(cell, goal, kind) if goal is not None and goal != cell else []
        loaded = self.seen["ant_amount"][row] > 0
        if path and path[-1] == self.home[0] and not loaded:
            path.pop()
        if not path and cell in self.home:
            path = next(self.aside(cell, kind), [])
        taken.add(path[-1] if path else cell)
        return path

    def steps(self, cell: int, goal: int, kind: int) -> list[int]:
        """The beginning of the cheapest way, within the ant's points."""
        blocked = list(self.standing[kind])
        before = self.cost[blocked]
        self.cost[blocked] = -1
        fare = self.cost[goal]
        self.cost[goal] = max(fare, 1)
        way = self.board.path(cell, goal, self.cost, limit=4 * self.board.distance(cell, goal) + 30)
        self.cost[goal] = fare
        self.cost[blocked] = before
        path: list[int] = []
        points = int(self.seen["speed"][kind])
        for step in way or []:
            points -= int(self.seen["dirt_cost"][0]) if self.terrain[step] == DIRT else 1
            if points < 0 or step in self.standing[kind] or step in self.enemies:
                break
            path.append(step)
        return path

    def aside(self, cell: int, kind: int) -> Iterator[list[int]]:
        """Ways out of the nest."""
        for radius in (1, 2, 3):
            for goal in self.board.ring(cell, radius).tolist():
                if self.cost[goal] == 1 and goal not in self.home and goal not in self.standing[kind]:
                    path = self.steps(cell, goal, kind)
                    if path and path[-1] not in self.home:
                        yield path


class Bot(BuiltinBot):
    """Explores with scouts, gathers with workers, guards with soldiers, and raids nests that it knows."""

    def __init__(self, seed: int | None = 0) -> None:
        super().__init__(seed)
        self._colony: Colony | None = None

    def play(self, view: Any) -> Orders:
        """The orders of this turn; what it has seen before, it remembers."""
        seen = to_observation(view)
        board = board_of(seen)
        if self._colony is None or self._colony.is_of_another_match(seen):
            self._colony = Colony(board, seen)
        return [
            {"do": "move", "ant": ant, "path": [list(board.at(cell)) for cell in path]}
            for ant, path in self._colony.plan(seen)
        ]


def to_observation(view: Any) -> dict[str, Any]:
    """The observation, or the same made from a view."""
    return observation_from_view(view) if "ants" in view else view


def board_of(seen: dict[str, Any]) -> Board:
    """The board that the observation is of."""
    return Board.hexagon(int(seen["radius"][0]), dialect="odd-r")
