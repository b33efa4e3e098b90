"""Colorfight's maps: natural values with a blurred cost, and where the homes stand (ruling 17)."""

import reprlib
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
import numpy as np

from marchland.board import Board
from marchland.board.tables import HEIGHT, WIDTH
from marchland.core.dice import make_dice
from marchland.errors import MapError
from marchland.games.colorfight.map_noise import draw_seats, natural_values, spread_homes, symmetric_homes
from marchland.games.colorfight.rules.config import MOST_COST, ColorfightConfig
from marchland.games.colorfight.rules.state import Cells

GENERATORS: Final = ("symmetric", "random")
SYMMETRIC_PLAYERS: Final = (1, 2, 4, 8)

_ROUNDS: Final = 3
_CANDIDATES: Final = 64

Natural = Annotated[int, msgspec.Meta(ge=1, le=100)]
Cost = Annotated[int, msgspec.Meta(ge=1, le=MOST_COST)]


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
    dice = make_dice(key[0], key[1], 0, 0)
    cost = np.zeros(board.size, np.int64)
    spare = np.zeros(board.size, np.int64)
    natural_values(
        board.tables,
        dice,
        symmetric,
        cells.natural_gold,
        cells.natural_energy,
        cells.natural_cost,
        cost,
        spare,
        rules,
    )
    homes = np.zeros(players, np.int64)
    if symmetric:
        apart = config.width // config.home_spacing if config.home_spacing else 1
        found = symmetric_homes(board.tables, dice, apart, homes)
        if not found:
            raise MapError(
                f"A board of {config.width}x{config.height} has no room for {players} homes far enough apart."
            )
    else:
        rounds, candidates = (_ROUNDS, _CANDIDATES) if config.home_spacing else (1, 1)
        spread_homes(board.tables, dice, rounds, candidates, homes)
        draw_seats(dice, homes)
    return [int(home) for home in homes]


class MapData(msgspec.Struct, forbid_unknown_fields=True):
    """A map of one's own: values by [y][x], and a home for each player."""

    natural_gold: list[list[Natural]]
    natural_energy: list[list[Natural]]
    natural_cost: list[list[Cost]]
    homes: list[tuple[int, int]]


def from_data(data: Mapping[str, Any], board: Board, cells: Cells, players: int) -> list[int]:
    """Fill in the natural values of a map of one's own and return each player's home cell."""
    try:
        drawn = msgspec.convert(data, MapData)
    except msgspec.ValidationError as problem:
        raise MapError(f"The map cannot be read: {problem}.".replace("$.", "")) from None
    height, width = int(board.tables.shape[HEIGHT]), int(board.tables.shape[WIDTH])
    for name in ("natural_gold", "natural_energy", "natural_cost"):
        rows = getattr(drawn, name)
        if len(rows) != height or any(len(row) != width for row in rows):
            raise MapError(
                f"The map's {name} must have {height} rows of {width} numbers, as the settings width and height say."
            )
        getattr(cells, name)[:] = np.array(rows).reshape(-1)
    if len(drawn.homes) < players:
        raise MapError(f"The map's homes must name a cell [x, y] for each of {players} players.")
    chosen = [board.index(x, y) for x, y in drawn.homes[:players]]
    if -1 in chosen or len(set(chosen)) < players:
        raise MapError("The map's homes must be different cells of the board.")
    return chosen
