"""What the greedy player has seen of the map, and the ways on it."""

from typing import Any, Final

import numpy as np

from marchland.games.hive.bots.geometry import Geometry, Numbers, geometry_of
from marchland.games.hive.rules.state import BEE, HIDDEN, HIVE, STONE, WALL

FAR: Final = 10_000
"""Steps to a cell that cannot be reached."""
_DANGER_RADIUS: Final = 3
"""Cells so near an enemy's bee are dangerous."""
_FADING: Final = 0.9
"""What is left of a danger after each turn."""
_FORGETTING: Final = 0.97
"""What is left of the number of enemies seen after each turn."""
_WALL_STEPS: Final = 6
"""Steps that a way through a wall may be shorter than the way round it."""


class Memory:
    """What the player has seen of the map so far; what is out of sight stays as it was last seen."""

    def __init__(self, seen: dict[str, Any]) -> None:
        self.geometry: Geometry = geometry_of(seen["coords"])
        size = len(seen["coords"])
        self.terrain = np.full(size, HIDDEN, np.int8)
        self.flowers = np.zeros(size, np.int32)
        self.foreign_hives = np.zeros(size, np.bool_)
        self.walls = np.zeros(size, np.bool_)
        self.foreign_walls = np.zeros(size, np.bool_)
        self.covered = np.zeros(size, np.bool_)
        self.disks = self.geometry.disks(int(seen["views"][1]))
        self.added_cells = self.disks.sum(axis=0, dtype=np.int32)
        """For each cell how many cells a hive there would add to the player's influence."""
        self.foe_count = 0.0
        """The most enemies' bees in sight at once, less with every turn since."""
        self.danger = np.zeros(size, np.float32)
        """How recently enemies' bees were near: 1 this turn, less with every turn since."""
        self.cost = np.ones(size, np.int32)
        self._fields: dict[int, Numbers] = {}

    def update(self, seen: dict[str, Any]) -> None:
        """Note what is in sight this turn."""
        visible = seen["terrain"] != HIDDEN
        np.copyto(self.terrain, seen["terrain"], where=visible)
        np.copyto(self.flowers, seen["flowers"], where=visible)
        kind = seen["kind"]
        foreign = seen["owner"] != seen["me"][0]
        np.copyto(self.foreign_hives, (kind == HIVE) & foreign, where=visible)
        np.copyto(self.walls, kind == WALL, where=visible)
        np.copyto(self.foreign_walls, (kind == WALL) & foreign, where=visible)
        self.foe_count = max(self.foe_count * _FORGETTING, float(np.count_nonzero((kind == BEE) & foreign)))
        self.danger *= _FADING
        self.danger[self.geometry.disks(_DANGER_RADIUS)[(kind == BEE) & foreign].any(axis=0)] = 1
        cost = np.where((self.terrain == STONE) | (kind == HIVE) | self.foreign_hives, -1, 1).astype(np.int32)
        cost[self.walls] = _WALL_STEPS
        if not np.array_equal(cost, self.cost):
            self.cost = cost
            self._fields.clear()
        covered = (seen["influence"] >> seen["me"][0] & 1).astype(np.bool_)
        self.added_cells -= self.disks[covered & ~self.covered].sum(axis=0, dtype=np.int32)
        self.added_cells += self.disks[self.covered & ~covered].sum(axis=0, dtype=np.int32)
        self.covered = covered

    def steps_to(self, cell: int) -> Numbers:
        """Steps from each cell to ``cell``, round stone, hives and walls; `FAR` where there is no way."""
        field = self._fields.get(cell)
        if field is None:
            field = self.geometry.board.field([cell], self.cost)
            field[field < 0] = FAR
            self._fields[cell] = field
        return field
