"""An Enova match in readable form. Unowned land is left out:

{"game": "enova",
 "players": ["A", "B"],
 "map": ["C..", "..C"],
 "land": [{"at": [0, 0], "owner": 0, "units": 10}, {"at": [1, 0], "owner": 0}, {"at": [2, 1], "owner": 1, "units": 4}]}
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.state import NO_PLAYER, OVER
from marchland.errors import PositionError
from marchland.games.enova.maps.mapfile import write_rows
from marchland.games.enova.maps.worlds import sides_of
from marchland.games.enova.rules.config import EnovaConfig
from marchland.games.enova.rules.state import ALIVE, DEPARTED, STARTERS, Cells, Departures, Players
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE, SYMBOLS
from marchland.games.enova.rules.turn import LAST_ALIVE

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova

Match = TypeVar("Match", bound="Enova")

MOST_UNITS = 1_000_000_000
MOST_TURN = 1 << 31


class Land(msgspec.Struct, forbid_unknown_fields=True):
    """A tile that has an owner."""

    at: tuple[int, int]
    owner: int
    units: int = 0


class Departure(msgspec.Struct, forbid_unknown_fields=True):
    """A player who was eliminated, and in which turn."""

    player: int
    turn: int


class LandColumns(NamedTuple):
    """All tiles that have an owner, as arrays."""

    cell: npt.NDArray[np.int64]
    owner: npt.NDArray[np.int64]
    units: npt.NDArray[np.int64]


class PositionText(msgspec.Struct, forbid_unknown_fields=True):
    """The whole match."""

    players: list[str]
    map: list[str]
    land: list[Land]
    torus: bool = False
    over: int = 0
    starters: int | None = None
    """How many players the match began with; all of them if left out."""
    departures: list[Departure] = []
    """Who was eliminated when, in that order, where it decides places (ruling 26)."""


def write(game: "Enova") -> dict[str, Any]:
    """The match's own part of its position."""
    cells: Cells = game.arrays(Cells)
    width, height = sides_of(game.board)
    owned = np.flatnonzero(cells.owner != NO_PLAYER)
    columns = (game.board.coords[owned].tolist(), cells.owner[owned].tolist(), cells.units[owned].tolist())
    land = [Land(tuple(at), owner, units) for at, owner, units in zip(*columns, strict=True)]
    rows = write_rows(cells.terrain.reshape(height, width))
    over, starters = game.head[[OVER, STARTERS]].tolist()
    text = PositionText(list(game.players), rows, land, game.board.wrap, over, starters, departures_in(game))
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
    starters = len(text.players) if text.starters is None else text.starters
    terrain = np.array([SYMBOLS.index(mark) for row in text.map for mark in row], np.int8)
    try:
        board = Board.square(len(text.map[0]), len(text.map), wrap=text.torus, diagonals=config.diagonals)
    except ValueError as problem:
        raise PositionError(str(problem)) from None
    match = build(kind, config, board, terrain, text.players, land_of(board, text.land), text.over, starters)
    add_departures(match, text.departures)
    return match


def rebuild(game: Match) -> Match:
    """The match that the position of ``game`` describes, without a text for each tile."""
    cells: Cells = game.arrays(Cells)
    if len(cells.terrain) != game.board.size or not np.isin(cells.terrain, range(len(SYMBOLS))).all():
        raise PositionError("A tile is open, impassable or a castle.")
    board = Board.square(*sides_of(game.board), wrap=game.board.wrap, diagonals=game.config.diagonals)
    owned = np.flatnonzero(cells.owner != NO_PLAYER)
    land = LandColumns(owned, cells.owner[owned].astype(np.int64), cells.units[owned])
    over, starters = game.head[[OVER, STARTERS]].tolist()
    match = build(type(game), game.config, board, cells.terrain, game.players, land, over, starters)
    add_departures(match, departures_in(game))
    return match


def build(
    kind: type[Match],
    config: EnovaConfig,
    board: Board,
    terrain: npt.NDArray[np.int8],
    players: Sequence[str],
    land: LandColumns,
    over: int,
    starters: int,
) -> Match:
    """The match with these values, which are checked."""
    if not 0 <= over <= LAST_ALIVE:
        raise PositionError(f"over is 0, 1 or 2, not {over}.")
    if not 1 <= starters <= len(players):
        raise PositionError(f"starters is from 1 to {len(players)}, the number of players, not {starters}.")
    game = kind.on(board, terrain, config, kind.seat_names(list(players)))
    fill(game, land)
    game.head[OVER], game.head[STARTERS] = over, starters
    return game


def departures_in(game: "Enova") -> list[Departure]:
    """The table of the eliminated."""
    table: Departures = game.arrays(Departures)
    count = int(game.head[DEPARTED])
    return [Departure(*row) for row in zip(table.player[:count].tolist(), table.turn[:count].tolist(), strict=True)]


def add_departures(game: "Enova", departures: Sequence[Departure]) -> None:
    """Fill the table of the eliminated; refused unless each has left once, in the order of turns."""
    dead = game.arrays(Players).dead
    if departures and game.config.rank_eliminated != "by turn":
        raise PositionError('departures are recorded with rank_eliminated="by turn" only; leave them out.')
    turn, named = 0, set[int]()
    for gone in departures:
        if not 0 <= gone.player < len(dead) or not dead[gone.player]:
            raise PositionError(f"departures name player {gone.player}, who has not been eliminated.")
        if not max(turn, 1) <= gone.turn < MOST_TURN or gone.player in named:
            raise PositionError("departures are in the order of their turns, from 1 on, and name a player once.")
        turn = gone.turn
        named.add(gone.player)
    table: Departures = game.arrays(Departures)
    table.player[: len(departures)] = [gone.player for gone in departures]
    table.turn[: len(departures)] = [gone.turn for gone in departures]
    game.head[DEPARTED] = len(departures)


def land_of(board: Board, land: Sequence[Land]) -> LandColumns:
    """The land as arrays."""
    places = [board.index(*tile.at) for tile in land]
    if -1 in places:
        raise PositionError(f"There is no tile {list(land[places.index(-1)].at)} on the map.")
    try:
        owners, units = (np.array([getattr(tile, name) for tile in land], np.int64) for name in ("owner", "units"))
    except OverflowError:
        raise PositionError("An owner or the units of a tile are too large a number.") from None
    return LandColumns(np.array(places, np.int64), owners, units)


def fill(game: "Enova", land: LandColumns) -> None:
    """Put every tile's owner and units on the board, and count what each player has."""
    cells: Cells = game.arrays(Cells)
    players: Players = game.arrays(Players)
    check(game, land)
    cells.owner[land.cell], cells.units[land.cell] = land.owner, land.units
    np.add.at(players.tiles, land.owner, 1)
    np.add.at(players.castles, land.owner, cells.terrain[land.cell] == CASTLE)
    np.add.at(players.units, land.owner, land.units)
    players.dead[:] = (players.units == 0) & (players.castles == 0)
    game.head[ALIVE] = np.count_nonzero(players.dead == 0)
    ghost = np.flatnonzero((players.dead != 0) & (players.tiles > 0))
    if len(ghost):
        raise PositionError(f"Player {ghost[0]} has land but neither units nor a castle: such land is unowned.")


def check(game: "Enova", land: LandColumns) -> None:
    """Refuse land that no match can have, naming the first such tile."""
    terrain = game.arrays(Cells).terrain
    twice = np.bincount(land.cell, minlength=1)[land.cell] > 1
    walled = terrain[land.cell] == IMPASSABLE
    stranger = (land.owner < 0) | (land.owner >= len(game.players))
    crowded = (land.units < 0) | (land.units > MOST_UNITS)
    wrong = np.flatnonzero(twice | walled | stranger | crowded)
    if not len(wrong):
        return
    first = wrong[0]
    at = list(game.board.at(land.cell[first]))
    if twice[first]:
        raise PositionError(f"The tile {at} is listed twice.")
    if walled[first]:
        raise PositionError(f"The tile {at} is impassable, so no player owns it.")
    if stranger[first]:
        last = len(game.players) - 1
        raise PositionError(f"The owner of {at} is {land.owner[first]}, but the players are 0 to {last}.")
    raise PositionError(f"The units on {at} must be from 0 to {MOST_UNITS}, not {land.units[first]}.")
