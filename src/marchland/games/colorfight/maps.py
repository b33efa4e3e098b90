"""Colorfight's maps: natural values with a blurred cost, and where the homes stand (ruling 17)."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from marchland.board import Board, for_kernels
from marchland.board.tables import HEIGHT, WIDTH
from marchland.core.dice import Dice
from marchland.errors import MapError
from marchland.games.colorfight.config import ColorfightConfig
from marchland.games.colorfight.landscape import natural_values, spread_homes, symmetric_homes
from marchland.games.colorfight.state import Cells

GENERATORS: Final = ("symmetric", "random")
SYMMETRIC_PLAYERS: Final = (1, 2, 4, 8)

_CANDIDATES: Final = 64


def check(map: Any, config: ColorfightConfig, players: int) -> None:
    """Refuse a map that is no generator's name and no map data, and a symmetric one that cannot be."""
    if map is not None and not isinstance(map, Mapping) and map not in GENERATORS:
        raise MapError(f"Colorfight has no map {reprlib.repr(map)}; there are symmetric and random, or a JSON file.")
    if map == "symmetric" and not (config.width == config.height and players in SYMMETRIC_PLAYERS):
        raise MapError(
            f"A symmetric map is square and for 1, 2, 4 or 8 players, not {config.width}x{config.height} for {players}."
        )


def generate(
    name: str | None,
    board: Board,
    cells: Cells,
    config: ColorfightConfig,
    rules: Any,
    players: int,
    key: tuple[int, int],
) -> list[int]:
    """Fill in the natural values and return each player's home cell."""
    fits = config.width == config.height and players in SYMMETRIC_PLAYERS
    symmetric = name == "symmetric" or (name is None and fits)
    dice = Dice(key[0], key[1], 0, 0)
    cost = np.zeros(board.size, np.int64)
    spare = np.zeros(board.size, np.int64)
    natural_values(
        board.tables,
        dice,
        symmetric,
        for_kernels(cells.natural_gold),
        for_kernels(cells.natural_energy),
        for_kernels(cells.natural_cost),
        for_kernels(cost),
        for_kernels(spare),
        rules,
    )
    homes = np.zeros(players, np.int64)
    if symmetric:
        found = symmetric_homes(board.tables, dice, config.width // max(config.home_spacing, 1), for_kernels(homes))
        if not found:
            raise MapError(
                f"A board of {config.width}x{config.height} has no room for {players} homes far enough apart."
            )
    else:
        spread_homes(board.tables, dice, _CANDIDATES if config.home_spacing else 1, for_kernels(homes))
    return [int(home) for home in homes]


def from_data(data: Mapping[str, Any], board: Board, cells: Cells, players: int) -> list[int]:
    """A map given as ``natural_gold``, ``natural_energy`` and ``natural_cost``, each [y][x], and ``homes``."""
    for name in ("natural_gold", "natural_energy", "natural_cost"):
        getattr(cells, name)[:] = grid(data, name, board)
    homes = data.get("homes")
    if not isinstance(homes, Sequence) or len(homes) < players:
        raise MapError(f"The map's homes must name a cell [x, y] for each of {players} players.")
    chosen = [board.index(*home) for home in homes[:players]]
    if -1 in chosen or len(set(chosen)) < players:
        raise MapError("The map's homes must be different cells of the board.")
    return chosen


def grid(data: Mapping[str, Any], name: str, board: Board) -> npt.NDArray[np.int64]:
    """One of the map's values for every cell."""
    try:
        values = np.array(data[name], np.int64)
    except (KeyError, ValueError, TypeError, OverflowError):
        raise MapError(f"The map's {name} must be rows of whole numbers.") from None
    shape = board.tables.shape[HEIGHT], board.tables.shape[WIDTH]
    most = 127 if name != "natural_cost" else 32_000
    if values.shape != shape or values.min() < 1 or values.max() > most:
        raise MapError(f"The map's {name} must be {shape[0]} rows of {shape[1]} numbers from 1 to {most}.")
    return values.reshape(-1)
