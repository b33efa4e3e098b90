"""Map generator: random hexagons with sixfold or threefold symmetry (ruling 15)."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from marchland.board import Board
from marchland.core.dice import map_key_from_seed, roll
from marchland.errors import MapError
from marchland.games.hive.maps.mapfile import Start, lines
from marchland.games.hive.rules.state import BEE, FIELD, HIVE, STONE

_RADII: Final = (5, 60)
_CLEAR: Final = 1  # cells round a hive that stay empty
_NEAR_FIELD: Final = 3  # steps from a hive to the field that every player gets
_BLOB: Final = (2, 5)  # cells of a patch of fields or stone

# What a draw is for.
_SEED_CELL, _SIZE, _GROWTH, _MIDDLE = range(4)


def generate(
    radius: int = 8, *, seed: int = 0, symmetry: int = 6, bees: int = 2, fields: int = 8, stone: int = 8
) -> str:
    """A map file: ``radius`` cells from the middle to the rim, ``fields`` and ``stone`` in percent of all cells.

    With ``symmetry`` 6 the map is for 1 to 6 players, with 3 for 1 or 3 of them. Every player starts with a hive and
    ``bees`` bees beside it, three quarters of the way to the rim.
    """
    limits = {
        "radius": (radius, *_RADII),
        "seed": (seed, 0, 2**63),
        "bees": (bees, 1, 6),
        "fields": (fields, 0, 40),
        "stone": (stone, 0, 40),
    }
    for name, (value, least, most) in limits.items():
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise MapError(f"{name} must be a whole number from {least} to {most}, not {value!r}.")
    if type(symmetry) is not int or symmetry not in (3, 6):
        raise MapError(f"symmetry must be 6, or 3 for maps of 1 or 3 players, not {symmetry!r}.")
    return _MapBuilder(radius, seed, symmetry).build(bees, fields, stone)


class _MapBuilder:
    """A map under construction. What is put on one cell is put on all its images."""

    def __init__(self, radius: int, seed: int, symmetry: int) -> None:
        self.radius, self.symmetry = radius, symmetry
        self.axial: list[tuple[int, int]] = [(q, r) for q, r in Board.hexagon(radius).coords.tolist()]
        margin = 2 * radius + radius % 2  # row + column is even
        coords = [(r + radius, 2 * q + r + margin) for q, r in self.axial]
        self.board = Board.of_cells("hex", coords, dialect="doubled")
        self.index = {spot: cell for cell, spot in enumerate(self.axial)}
        self.terrain = np.zeros(self.board.size, np.int8)
        self.taken: set[int] = set()
        self._key = map_key_from_seed(seed)
        self._draws = 0

    def build(self, bees: int, fields: int, stone: int) -> str:
        """Place everything and return the text."""
        starts = self._settle(bees)
        self._patches(FIELD, fields, starts)
        self._patches(STONE, stone, starts)
        return "\n".join(lines(self.board, self.terrain.tolist(), starts)) + "\n"

    def _chance(self, phase: int, sides: int) -> int:
        self._draws += 1
        return roll(*self._key, 0, 0, phase, self._draws, sides)

    def _images(self, cell: int) -> list[int]:
        """The cell and where it comes to lie after each part of a turn clockwise."""
        q, r = self.axial[cell]
        found = []
        for sixth in range(6):
            if sixth % (6 // self.symmetry) == 0:
                found.append(self.index[q, r])
            q, r = -r, q + r
        return found

    def _settle(self, bees: int) -> list[Start]:
        """A hive for each slot, clockwise, bees beside it on the side of the middle, and a field a short walk away."""
        away = (3 * self.radius + 2) // 4
        home = self.index[0, -away]
        inward = sorted(self.board.neighbours(home), key=self._from_middle)
        starts: list[Start] = []
        for kind, cell in [(HIVE, home), *((BEE, cell) for cell in inward[:bees])]:
            for place, image in enumerate(self._images(cell)):
                starts.append(Start(place * (6 // self.symmetry), kind, image))
        self.taken.update(start.cell for start in starts)
        for start in starts:
            if start.kind == HIVE:
                self.taken.update(self.board.disk(start.cell, _CLEAR).tolist())
        ring = [cell for cell in self.board.ring(home, _NEAR_FIELD).tolist() if cell not in self.taken]
        self._put(FIELD, self._images(ring[self._chance(_MIDDLE, len(ring))]))
        if self.symmetry == 6 and self.index[0, 0] not in self.taken:
            self._put(FIELD, [self.index[0, 0]])
        return starts

    def _from_middle(self, cell: int) -> int:
        q, r = self.axial[cell]
        return max(abs(q), abs(r), abs(q + r))

    def _put(self, terrain: int, cells: Iterable[int]) -> None:
        for cell in cells:
            self.terrain[cell] = terrain
            self.taken.add(cell)

    def _patches(self, terrain: int, percent: int, starts: list[Start]) -> None:
        """Patches of a few cells until there are enough; stone never cuts the map in two."""
        wanted = self.board.size * percent // 100
        for _ in range(20 * self.board.size):
            free = [cell for cell in range(self.board.size) if cell not in self.taken]
            if int((self.terrain == terrain).sum()) + self.symmetry > wanted or not free:
                return
            patch = [free[self._chance(_SEED_CELL, len(free))]]
            for _ in range(_BLOB[0] + self._chance(_SIZE, _BLOB[1] - _BLOB[0] + 1) - 1):
                around = self.board.neighbours(patch[self._chance(_GROWTH, len(patch))])
                patch.append(around[self._chance(_GROWTH, len(around))])
            for cell in patch:
                images = self._images(cell)
                room = int((self.terrain == terrain).sum()) + len(set(images)) <= wanted
                if room and cell not in self.taken and (terrain != STONE or self._stays_whole(images, starts)):
                    self._put(terrain, images)

    def _stays_whole(self, stones: list[int], starts: list[Start]) -> bool:
        """Whether everything is still in reach with these cells turned to stone."""
        cost = np.where(self.terrain == STONE, -1, 1)
        cost[stones] = -1
        steps = self.board.field([starts[0].cell], cost)
        return bool((steps[cost > 0] >= 0).all())
