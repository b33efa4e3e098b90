"""Distances on the map's outline, which is public (ruling 29), computed once for each map."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.games.hive.rules.state import NEIGHBOURS

Numbers = npt.NDArray[Any]


class Geometry:
    """The cells of a map by number: their neighbours, and how far they are from each other in a straight line."""

    def __init__(self, coords: Numbers) -> None:
        self.board = Board.of_cells("hex", coords, dialect="doubled")
        self.neighbours = np.asarray(self.board.tables.neighbours).reshape(-1, NEIGHBOURS)
        self.ways: list[list[tuple[int, int]]] = [
            [(way, cell) for way, cell in enumerate(beside) if cell >= 0] for beside in self.neighbours.tolist()
        ]
        self.at: list[list[int]] = coords.tolist()
        rows, columns = (np.abs(axis[:, None] - axis[None, :]) for axis in coords.T)
        self.distance = (rows + np.maximum(0, columns - rows) // 2).astype(np.int16)

    @functools.lru_cache(maxsize=4)  # noqa: B019  # geometries are cached themselves
    def disks(self, radius: int) -> Numbers:
        """Which cells are within ``radius`` of which."""
        within: Numbers = self.distance <= radius
        return within


def geometry_of(coords: Numbers) -> Geometry:
    """The geometry of the map with these cells."""
    return _geometry(coords.astype(np.int32).tobytes())


@functools.lru_cache(maxsize=16)
def _geometry(coords: bytes) -> Geometry:
    return Geometry(np.frombuffer(coords, np.int32).reshape(-1, 2))
