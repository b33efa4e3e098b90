"""The worlds that an Enova match starts on (ruling 1), and how an open one grows (ruling 15)."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.board.tables import HEIGHT, WIDTH
from marchland.core.dice import roll
from marchland.errors import MapError, did_you_mean
from marchland.games.enova.maps.lattice import lattice_sides, lattice_terrain
from marchland.games.enova.maps.mapfile import ParsedMap, check_map, read_map
from marchland.games.enova.rules.config import EnovaConfig
from marchland.games.enova.rules.terrain import CASTLE

GENERATED: Final = ("lattice", "torus")

_SEATING: Final = 1
_WIDE: Final = 1 << 62

Terrain = npt.NDArray[np.int8]


class World(NamedTuple):
    """A board, what its tiles are, and each player's castle."""

    board: Board
    terrain: Terrain
    seats: list[int]


def build_world(map: Any, config: EnovaConfig, players: int, key: tuple[int, int]) -> World:
    """The world called ``map``, or described by it."""
    if map is not None and not isinstance(map, str):
        raise MapError(f"Enova's map is lattice, torus or the text of a map file, not {type(map).__name__}.")
    if map is None or map in GENERATED:
        made = generate(map == "torus", config, players, key)
    else:
        made = read_world(map, config, players, key)
    if config.open_world and not can_grow(made.board, made.terrain, config.castle_spacing):
        raise MapError("An open world grows by rows and columns of the lattice: its map must be a lattice, no torus.")
    return made


def generate(torus: bool, config: EnovaConfig, players: int, key: tuple[int, int]) -> World:
    """The lattice for that many players; a torus gives every castle the same surroundings."""
    width, height = generated_sides(torus, config, players)
    try:
        board = Board.square(width, height, wrap=torus, diagonals=config.diagonals)
    except ValueError as problem:
        raise MapError(str(problem)) from None
    terrain = lattice_terrain(width, height, config.castle_spacing).reshape(-1)
    return World(board, terrain, random_castles(terrain, players, key))


def generated_sides(torus: bool, config: EnovaConfig, players: int) -> tuple[int, int]:
    """Width and height of the board for that many players."""
    columns, rows = lattice_sides(players, config.least_castles)
    spacing = config.castle_spacing
    if torus:
        return spacing * columns, spacing * rows
    return spacing * (columns - 1) + 1, spacing * (rows - 1) + 1


def read_world(text: str, config: EnovaConfig, players: int, key: tuple[int, int]) -> World:
    """The world of a map file's text."""
    if "\n" not in text.strip() and check_map(text):
        raise MapError(f"Enova has no map {text!r}; {did_you_mean(text, GENERATED)} Or give the text of a map file.")
    parsed = read_map(text)
    height, width = parsed.terrain.shape
    board = Board.square(width, height, diagonals=config.diagonals)
    return World(board, parsed.terrain.reshape(-1), seats_of(parsed, board, players, key))


def seats_of(parsed: ParsedMap, board: Board, players: int, key: tuple[int, int]) -> list[int]:
    """The marked seats in their order (ruling 21); without marks, random castles."""
    if not parsed.seats:
        return random_castles(parsed.terrain.reshape(-1), players, key)
    if len(parsed.seats) < players:
        raise MapError(f"The map has {len(parsed.seats)} seats, too few for {players} players.")
    return [board.index(*seat) for seat in parsed.seats[:players]]


def random_castles(terrain: Terrain, players: int, key: tuple[int, int]) -> list[int]:
    """A castle for each player, every choice as likely."""
    castles = np.flatnonzero(terrain == CASTLE).tolist()
    if len(castles) < players:
        raise MapError(f"The map has {len(castles)} castles, too few for {players} players.")
    rolls = [roll(*key, 0, 0, _SEATING, number, _WIDE) for number in range(len(castles))]
    order = sorted(range(len(castles)), key=rolls.__getitem__)
    return [castles[number] for number in order[:players]]


def sides_of(board: Board) -> tuple[int, int]:
    """Width and height."""
    return int(board.tables.shape[WIDTH]), int(board.tables.shape[HEIGHT])


def can_grow(board: Board, terrain: Terrain, spacing: int) -> bool:
    """Whether the board is a lattice with an edge to grow at."""
    width, height = sides_of(board)
    whole = width % spacing == 1 and height % spacing == 1
    lattice = lattice_terrain(width, height, spacing).reshape(-1)
    return whole and not board.wrap and bool(np.array_equal(terrain, lattice))


def grow(board: Board, config: EnovaConfig) -> tuple[Board, Terrain]:
    """The board with one more column of castles on the right or, where it is wider than high, one more row below."""
    width, height = sides_of(board)
    if width > height:
        height += config.castle_spacing
    else:
        width += config.castle_spacing
    larger = Board.square(width, height, diagonals=config.diagonals)
    return larger, lattice_terrain(width, height, config.castle_spacing).reshape(-1)
