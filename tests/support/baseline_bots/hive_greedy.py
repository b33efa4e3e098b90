"""The bot `greedy` of Hive before it was rewritten: a baseline for comparisons, not maintained."""

import functools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.games.hive.rules.orders import DIRECTIONS
from marchland.games.hive.rules.state import BEE, FIELD, HIDDEN, HIVE, STONE, WALL
from marchland.games.hive.views import observation_from_view

Cell = tuple[int, int]
Order = dict[str, Any]

_STEPS: Final = {"E": (0, 2), "SE": (1, 1), "SW": (1, -1), "W": (0, -2), "NW": (-1, -1), "NE": (-1, 1)}
_GUARD: Final = 5  # an enemy bee this near a hive is met
_FIRST_BEES: Final = 4
_BEES_A_HIVE: Final = 3
_MOST_BEES: Final = 24
_WORTHWHILE: Final = 8  # cells that a new hive must add
_SITE_RANGE: Final = 12
_SITES: Final = 40  # looked at for each bee
_TARGETS: Final = (BEE, HIVE)


class Thing(NamedTuple):
    """An entity in sight."""

    id: int
    kind: int
    owner: int
    cell: Cell
    hp: int
    carries: int


@functools.cache
def disk(radius: int) -> tuple[Cell, ...]:
    """Every cell within ``radius``, as steps from the middle."""
    return tuple(
        (row, column)
        for row in range(-radius, radius + 1)
        for column in range(-2 * radius + abs(row), 2 * radius - abs(row) + 1, 2)
    )


def distance(a: Cell, b: Cell) -> int:
    """Steps from a to b."""
    rows, columns = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max(0, columns - rows) // 2


class Mind:
    """What the player has seen of the map so far, and what it does about it."""

    def __init__(self) -> None:
        self.ground: dict[Cell, int] = {}
        self.flowers: dict[Cell, int] = {}
        self.outside: set[Cell] = set()
        self._looked_from: set[Cell] = set()
        self._beside: dict[Cell, list[tuple[str, Cell]]] = {}

    def orders(self, seen: dict[str, Any]) -> list[Order]:
        """The orders of this turn."""
        self.me, self.purse = int(seen["me"][0]), int(seen["reserve"][0])
        self.carrying = bool(seen["carrying"][0])
        self.bee_cost, self.hive_cost, _ = seen["costs"].tolist()
        self.radius = int(seen["views"][1])
        self._remember(seen)
        mine = [thing for thing in self.things.values() if thing.owner == self.me]
        self.bees = {thing.id: thing for thing in mine if thing.kind == BEE}
        self.hives = [thing for thing in mine if thing.kind == HIVE]
        self.taken: set[Cell] = set(self.things)
        self.wanted: set[Cell] = set()
        urgent = [order for plan in (self._fight, self._deliver, self._settle, self._meet) for order in plan()]
        return [*urgent, *self._spawn(), *self._work()]

    def _remember(self, seen: dict[str, Any]) -> None:
        columns = (seen["coords"], *(seen[name] for name in ("terrain", "flowers", "influence")))
        bit = 1 << self.me
        self.covered: set[Cell] = set()
        for (row, column), terrain, flowers, influence in zip(*(array.tolist() for array in columns), strict=True):
            if terrain != HIDDEN:
                self.ground[row, column] = terrain
                self.flowers[row, column] = flowers
                if influence & bit:
                    self.covered.add((row, column))
        self.things: dict[Cell, Thing] = {}
        for place in seen["kind"].nonzero()[0].tolist():
            cell = tuple(seen["coords"][place].tolist())
            numbers = (int(seen[name][place]) for name in ("id", "kind", "owner", "hp", "carries"))
            id_, kind, owner, hp, carries = numbers
            self.things[cell] = Thing(id_, kind, owner, cell, hp, carries)
            if owner == self.me and kind != WALL and cell not in self._looked_from:
                self._looked_from.add(cell)
                around = (_plus(cell, step) for step in disk(int(seen["views"][int(kind == HIVE)])))
                self.outside.update(spot for spot in around if spot not in self.ground)

    # ---------------------------------------------------------------- plans, most urgent first

    def _fight(self) -> Iterator[Order]:
        """Strike the weakest enemy beside a bee; without hit points there is nothing to gain."""
        for bee in [] if self.carrying else list(self.bees.values()):
            enemies = [
                (_TARGETS.index(thing.kind), thing.hp, way)
                for way, cell in self._neighbours(bee.cell)
                if (thing := self.things.get(cell)) and thing.owner != self.me and thing.kind in _TARGETS
            ]
            if enemies:
                yield self._done(bee, "attack", dir=min(enemies)[2])

    def _deliver(self) -> Iterator[Order]:
        """A loaded bee goes to the nearest hive."""
        doors = {cell for hive in self.hives for _, cell in self._neighbours(hive.cell)}
        for bee in [bee for bee in self.bees.values() if bee.carries]:
            if bee.cell in doors:
                yield self._done(bee, "forage")
            else:
                yield from self._toward(bee, doors.__contains__)

    def _settle(self) -> Iterator[Order]:
        """Send the bee that can found the best hive soonest, as long as others are left to gather."""
        can_spare = len(self.bees) > 1 or (self.hives and self.purse >= self.hive_cost + self.bee_cost)
        if self.carrying or self.purse < self.hive_cost or not can_spare:
            return
        best = max(self._sites(), default=None)
        if best is None:
            return
        _, id_, site = best
        self.purse -= self.hive_cost
        bee = self.bees[id_]
        if bee.cell == site:
            yield self._done(bee, "build_hive")
        else:
            yield from self._toward(bee, site.__eq__)

    def _sites(self) -> Iterator[tuple[int, int, Cell]]:
        for bee in self.bees.values():
            for looked, (cell, steps) in enumerate(self._walk(bee.cell, _SITE_RANGE)):
                if looked >= _SITES * 4:
                    break
                if looked % 4 and steps > 1:
                    continue
                around = (_plus(cell, step) for step in disk(self.radius))
                gain = sum(spot not in self.covered and spot not in self.outside for spot in around)
                if gain >= _WORTHWHILE and self.ground[cell] != FIELD:
                    yield gain - 3 * steps, bee.id, cell

    def _meet(self) -> Iterator[Order]:
        """Two bees go for each enemy bee that comes near a hive."""
        for enemy in [] if self.carrying else list(self.things.values()):
            near = enemy.kind == BEE and any(distance(enemy.cell, hive.cell) <= _GUARD for hive in self.hives)
            if enemy.owner != self.me and near:
                guards = sorted(self.bees.values(), key=lambda bee: distance(bee.cell, enemy.cell))
                beside = {cell for _, cell in self._neighbours(enemy.cell)}
                for bee in guards[:2]:
                    yield from self._toward(bee, beside.__contains__)

    def _spawn(self) -> Iterator[Order]:
        blooming = sum(1 for cell, left in self.flowers.items() if left and self.ground[cell] == FIELD)
        useful = min(_MOST_BEES, max(_FIRST_BEES, _BEES_A_HIVE * len(self.hives), blooming))
        count = sum(thing.kind == BEE and thing.owner == self.me for thing in self.things.values())
        for hive in self.hives:
            doors = [(way, cell) for way, cell in self._neighbours(hive.cell) if cell not in self.taken]
            if doors and self.purse >= self.bee_cost and count < useful:
                way, cell = doors[0]
                self.purse -= self.bee_cost
                self.taken.add(cell)
                count += 1
                yield {"do": "spawn", "unit": hive.id, "dir": way}

    def _work(self) -> Iterator[Order]:
        """Gather here, or go where flowers are, or go and see."""
        for bee in list(self.bees.values()):
            if self._blooms(bee.cell) and not bee.carries:
                self.wanted.add(bee.cell)
                yield self._done(bee, "forage")
        for goal in (self._blooms, self._borders_the_unknown):
            for bee in list(self.bees.values()):
                if not bee.carries:
                    yield from self._toward(bee, goal)

    # ---------------------------------------------------------------- the lie of the land

    def _done(self, bee: Thing, verb: str, **more: str) -> Order:
        del self.bees[bee.id]
        return {"do": verb, "unit": bee.id, **more}

    def _neighbours(self, cell: Cell) -> list[tuple[str, Cell]]:
        """The passable cells beside ``cell`` that are known, and the way to each."""
        found = self._beside.get(cell)
        if found is None:
            found = [
                (way, spot) for way in DIRECTIONS if self.ground.get(spot := _plus(cell, _STEPS[way]), STONE) != STONE
            ]
            if all(spot in self.ground or spot in self.outside for spot in (_plus(cell, s) for s in _STEPS.values())):
                self._beside[cell] = found
        return found

    def _blooms(self, cell: Cell) -> bool:
        return self.ground[cell] == FIELD and self.flowers[cell] > 0

    def _borders_the_unknown(self, cell: Cell) -> bool:
        return any(
            spot not in self.ground and spot not in self.outside for spot in (_plus(cell, s) for s in _STEPS.values())
        )

    def _walk(self, start: Cell, limit: int = 10_000) -> Iterator[tuple[Cell, int]]:
        """The cells that can be reached from ``start``, nearest first, round everything that stands in the way."""
        self._came: dict[Cell, tuple[str, Cell]] = {}
        waiting = deque([(start, 0)])
        while waiting:
            cell, steps = waiting.popleft()
            yield cell, steps
            if steps < limit:
                for way, spot in self._neighbours(cell):
                    if spot not in self._came and spot != start and spot not in self.taken:
                        self._came[spot] = way, cell
                        waiting.append((spot, steps + 1))

    def _toward(self, bee: Thing, is_goal: Callable[[Cell], bool]) -> Iterator[Order]:
        """A step on the shortest way to a goal that no other bee wants; a bee already there waits."""
        for cell, steps in self._walk(bee.cell):
            if cell not in self.wanted and is_goal(cell):
                self.wanted.add(cell)
                del self.bees[bee.id]
                if steps:
                    while self._came[cell][1] != bee.cell:
                        cell = self._came[cell][1]
                    self.taken.add(cell)
                    yield {"do": "move", "unit": bee.id, "dir": self._came[cell][0]}
                return


def _plus(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]


class Bot(BuiltinBot):
    """Forages, spawns, builds hives where they see most that is new, and fights what comes near.

    It remembers the map, so an instance plays one match at a time; a turn that goes back starts another.
    """

    def __init__(self, seed: int | None = 0) -> None:
        super().__init__(seed)
        self._mind = Mind()
        self._turn = -1

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        seen = to_observation(view)
        turn = int(seen["turn"][0])
        if turn <= self._turn:
            self._mind = Mind()
        self._turn = turn
        return self._mind.orders(seen)


def to_observation(view: Any) -> dict[str, Any]:
    """The observation, or the same made from a view."""
    seen: dict[str, Any] = observation_from_view(view) if "entities" in view else view
    return seen
