"""An Enova match in readable form. Unowned land is left out:

{"game": "enova",
 "players": ["A", "B"],
 "map": ["C..", "..C"],
 "land": [{"at": [0, 0], "owner": 0, "units": 10}, {"at": [1, 0], "owner": 0}, {"at": [2, 1], "owner": 1, "units": 4}]}
"""

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np

from marchland.board import Board
from marchland.core.state import NO_PLAYER, OVER
from marchland.errors import PositionError
from marchland.games.enova.maps.mapfile import write_rows
from marchland.games.enova.maps.worlds import sides_of
from marchland.games.enova.rules.config import EnovaConfig
from marchland.games.enova.rules.state import ALIVE, STARTERS, Cells, Players
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE, SYMBOLS
from marchland.games.enova.rules.turn import LAST_ALIVE

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova

Match = TypeVar("Match", bound="Enova")

MOST_UNITS = 1_000_000_000


class Land(msgspec.Struct, forbid_unknown_fields=True):
    """A tile that has an owner."""

    at: tuple[int, int]
    owner: int
    units: int = 0


class PositionText(msgspec.Struct, forbid_unknown_fields=True):
    """The whole match."""

    players: list[str]
    map: list[str]
    land: list[Land]
    torus: bool = False
    over: int = 0
    starters: int | None = None
    """How many players the match began with; all of them if left out."""


def write(game: "Enova") -> dict[str, Any]:
    """The match's own part of its position."""
    cells: Cells = game.arrays(Cells)
    width, height = sides_of(game.board)
    owned = np.flatnonzero(cells.owner != NO_PLAYER)
    columns = (game.board.coords[owned].tolist(), cells.owner[owned].tolist(), cells.units[owned].tolist())
    land = [Land(tuple(at), owner, units) for at, owner, units in zip(*columns, strict=True)]
    rows = write_rows(cells.terrain.reshape(height, width))
    over, starters = game.head[[OVER, STARTERS]].tolist()
    text = PositionText(list(game.players), rows, land, game.board.wrap, over, starters)
    return msgspec.json.decode(msgspec.json.encode(text))  # type: ignore[no-any-return]


def read(kind: type[Match], config: EnovaConfig, position: dict[str, Any]) -> Match:
    """The match that ``position`` describes."""
    try:
        text = msgspec.convert(position, PositionText)
    except msgspec.ValidationError as problem:
        raise PositionError(f"The position cannot be read: {problem}.".replace("$.", "")) from None
    if not text.map or not text.map[0] or any(len(row) != len(text.map[0]) for row in text.map):
        raise PositionError("The rows of the map must all be equally long.")
    strange = next((mark for row in text.map for mark in row if mark not in SYMBOLS), None)
    if strange is not None:
        raise PositionError(f"The map has {strange!r}; its tiles are C, . and X.")
    if not 0 <= text.over <= LAST_ALIVE:
        raise PositionError(f"over is 0, 1 or 2, not {text.over}.")
    starters = len(text.players) if text.starters is None else text.starters
    if not 1 <= starters <= len(text.players):
        raise PositionError(f"starters is from 1 to {len(text.players)}, the number of players, not {starters}.")
    terrain = np.array([SYMBOLS.index(mark) for row in text.map for mark in row], np.int8)
    try:
        board = Board.square(len(text.map[0]), len(text.map), wrap=text.torus, diagonals=config.diagonals)
    except ValueError as problem:
        raise PositionError(str(problem)) from None
    game = kind.on(board, terrain, config, kind.seat_names(text.players))
    fill(game, text.land)
    game.head[OVER], game.head[STARTERS] = text.over, starters
    return game


def fill(game: "Enova", land: list[Land]) -> None:
    """Put every tile's owner and units on the board, and count what each player has."""
    cells: Cells = game.arrays(Cells)
    players: Players = game.arrays(Players)
    for tile in land:
        cell = game.board.index(*tile.at)
        check(game, tile, cell)
        cells.owner[cell], cells.units[cell] = tile.owner, tile.units
        players.tiles[tile.owner] += 1
        players.castles[tile.owner] += cells.terrain[cell] == CASTLE
        players.units[tile.owner] += tile.units
    players.dead[:] = (players.units == 0) & (players.castles == 0)
    game.head[ALIVE] = np.count_nonzero(players.dead == 0)
    ghost = np.flatnonzero((players.dead != 0) & (players.tiles > 0))
    if len(ghost):
        raise PositionError(f"Player {ghost[0]} has land but neither units nor a castle: such land is unowned.")


def check(game: "Enova", tile: Land, cell: int) -> None:
    """Refuse a tile that no match can have, naming it."""
    cells: Cells = game.arrays(Cells)
    at = list(tile.at)
    if cell < 0:
        raise PositionError(f"There is no tile {at} on the map.")
    if cells.owner[cell] != NO_PLAYER:
        raise PositionError(f"The tile {at} is listed twice.")
    if cells.terrain[cell] == IMPASSABLE:
        raise PositionError(f"The tile {at} is impassable, so no player owns it.")
    if not 0 <= tile.owner < len(game.players):
        raise PositionError(f"The owner of {at} is {tile.owner}, but the players are 0 to {len(game.players) - 1}.")
    if not 0 <= tile.units <= MOST_UNITS:
        raise PositionError(f"The units on {at} must be from 0 to {MOST_UNITS}, not {tile.units}.")
