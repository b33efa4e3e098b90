"""A rival for Hive's `greedy`: from eight bees on, all but four hunt together, bees first, then hives."""

from collections.abc import Iterator
from typing import Any, Final

from hive_greedy import Cell, Mind, Order, Thing, distance  # type: ignore[import-not-found]  # found beside this file

from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.games.hive.rules.state import BEE, HIVE

_PACK_FROM: Final = 8
_GATHERERS: Final = 4
_TOGETHER: Final = 3  # steps from the pack's first bee within which half of the pack must be before it goes on


class PackMind(Mind):  # type: ignore[misc]
    """The former greedy's memory of the map and its economy, with a pack instead of guards."""

    def __init__(self) -> None:
        super().__init__()
        self._enemy_hives: set[Cell] = set()
        self._lair: Cell | None = None

    def orders(self, seen: dict[str, Any]) -> list[Order]:
        """The orders of this turn."""
        coords = seen["coords"]
        self._centre = tuple((coords.min(axis=0) + coords.max(axis=0)).tolist())
        orders: list[Order] = super().orders(seen)
        return orders

    def _meet(self) -> Iterator[Order]:
        enemies = [thing for thing in self.things.values() if thing.owner != self.me]
        self._enemy_hives = {cell for cell in self._enemy_hives if not self._is_in_sight(cell)}
        self._enemy_hives |= {thing.cell for thing in enemies if thing.kind == HIVE}
        if self.hives and self._lair is None:
            row, column = self.hives[0].cell
            self._lair = self._centre[0] - row, self._centre[1] - column
        bees = sum(thing.kind == BEE and thing.owner == self.me for thing in self.things.values())
        if bees < _PACK_FROM or self.carrying:
            return
        at_work = sorted(self.bees.values(), key=lambda bee: not self._blooms(bee.cell))
        pack = at_work[_GATHERERS:]
        target = self._target(pack, [thing.cell for thing in enemies if thing.kind == BEE])
        if target is not None:
            pack.sort(key=lambda bee: distance(bee.cell, target))
            yield from self._march(pack, target)

    def _target(self, pack: list[Thing], enemy_bees: list[Cell]) -> Cell | None:
        goals = enemy_bees or sorted(self._enemy_hives)
        if goals:
            return min(goals, key=lambda cell: sum(distance(bee.cell, cell) for bee in pack))
        if self._lair is not None and self._is_in_sight(self._lair):
            self._lair = None
        return self._lair

    def _march(self, pack: list[Thing], target: Cell) -> Iterator[Order]:
        first = pack[0]
        near = sum(distance(first.cell, bee.cell) <= _TOGETHER for bee in pack)
        beside = min((1, _TOGETHER), key=lambda steps: (distance(first.cell, target) > _TOGETHER, steps))
        for bee in pack:
            if bee is first and 2 * near < len(pack) and distance(bee.cell, target) > _TOGETHER:
                del self.bees[bee.id]
            else:
                yield from self._toward(bee, lambda cell: distance(cell, target) <= beside)

    def _is_in_sight(self, cell: Cell) -> bool:
        eyes = [thing.cell for thing in self.things.values() if thing.owner == self.me and thing.kind in (BEE, HIVE)]
        return any(distance(eye, cell) <= self.radius for eye in eyes)


class Bot(BuiltinBot):
    """Gathers like the former greedy; hunts in a pack. An instance plays one match."""

    def __init__(self, seed: int | None = 0) -> None:
        super().__init__(seed)
        self._mind = PackMind()

    def play(self, view: Any) -> Orders:
        return self._mind.orders(view)
