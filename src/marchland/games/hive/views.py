"""What a player knows of a Hive match: what is in sight of its hives and bees, its reserve, and the map's outline.

Rulings 13, 24 and 29.
"""

import functools
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.state import NO_PLAYER
from marchland.games.hive.rules.config import HiveConfig
from marchland.games.hive.rules.sight import look
from marchland.games.hive.rules.state import (
    ENTITIES,
    FIELD,
    HIDDEN,
    KINDS,
    MOST_PLAYERS,
    NO_ENTITY,
    TERRAINS,
    WITHOUT_CREATION,
    WITHOUT_GATHERING,
    Cells,
    Entities,
    Players,
)

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive

Numbers = npt.NDArray[Any]


class Sight(NamedTuple):
    """A field of view: cells in the board's order, and the influence that can be known."""

    cells: Numbers
    seen: Numbers
    """For each cell of the board whether it is among them."""
    influence: Numbers
    """For each cell of the board a bit for each player."""


def look_around(game: "Hive", player: int | None) -> Sight:
    """The field of view of ``player``; a spectator sees everything."""
    size = game.board.size
    if player is None:
        return Sight(np.arange(size, dtype=np.int32), np.ones(size, np.int32), game.arrays(Cells).influence)
    viewers, radii, seen, nearest, found = np.zeros((5, size), np.int32)
    influence = np.zeros(size, np.int8)
    arrays = viewers, radii, seen, nearest, influence, found
    count = look(game.buffer, game.layout.at, game.board.arrays, game.rules, player, *arrays)
    cells = found[:count]
    cells.sort()
    return Sight(cells, seen, influence)


def view(game: "Hive", player: int | None) -> dict[str, Any]:
    """What ``player`` knows, as plain data."""
    return msgspec.json.decode(view_bytes(game, player))  # type: ignore[no-any-return]


def view_bytes(game: "Hive", player: int | None = None) -> bytes:
    """The JSON of `view`, put together from ready-made pieces: for a server that answers many players each turn."""
    sight = look_around(game, player)
    head = game.head
    errors = [] if player is None else game.errors(player)
    failed = [{name: entry[name] for name in ("order", "reason", "sentence")} for entry in errors]
    return (
        f'{{"turn":{game.turn},"me":{"null" if player is None else player},"info":{_info(game.config)},'
        f'"map_cells":{game.board.size},"outline":{_outline(game.board)},"without_gathering":{head[WITHOUT_GATHERING]},'
        f'"without_creation":{head[WITHOUT_CREATION]},"players":{_json(_players(game, player, sight))},'
        f'"cells":[{",".join(_cells(game, sight))}],"entities":[{",".join(_entities(game, sight))}],'
        f'"failed":{_json(failed)}}}'
    ).encode()


def _json(data: Any) -> str:
    return msgspec.json.encode(data).decode()


@functools.lru_cache(maxsize=16)
def _info(config: HiveConfig) -> str:
    return _json(config)


@functools.lru_cache(maxsize=16)
def _outline(board: Board) -> str:
    """Where the map has cells, which all players know (ruling 29): row, first and last column of each unbroken run."""
    row, column = board.coords.T
    new_run = np.flatnonzero((np.diff(row, prepend=-1) != 0) | (np.diff(column, prepend=0) != 2))
    last = np.append(new_run[1:], board.size) - 1
    return _json(np.stack((row[new_run], column[new_run], column[last]), axis=1).tolist())


def visible_figures(game: "Hive", player: int | None, sight: Sight) -> Players:
    """The players' figures; the player's own influence counts only hives in sight (ruling 24)."""
    players: Players = game.arrays(Players)
    if player is None:
        return players
    influence = players.influence.copy()
    influence[player] = np.count_nonzero(sight.influence[sight.cells] >> player & 1)
    return players._replace(influence=influence)


def _players(game: "Hive", player: int | None, sight: Sight) -> list[dict[str, Any]]:
    """Every player by name; what a player owns is shown to itself and to spectators."""
    columns = visible_figures(game, player, sight)._asdict()
    del columns["contends"], columns["next_id"]
    return [
        {"name": name} | {field: int(values[seat]) for field, values in columns.items() if player in (None, seat)}
        for seat, name in enumerate(game.players)
    ]


class _Texts(NamedTuple):
    """What never changes of each cell's text."""

    at: list[str]
    ground: list[str]


@functools.lru_cache(maxsize=16)
def _texts(board: Board, terrain: bytes) -> _Texts:
    at = [f'"at":[{row},{column}]' for row, column in board.coords.tolist()]
    return _Texts(at, [f'{{{where},"terrain":"{TERRAINS[code]}"' for where, code in zip(at, terrain, strict=True)])


_ENDS: Final = [
    f',"influence":{[seat for seat in range(MOST_PLAYERS) if bits >> seat & 1]}}}'.replace(" ", "") if bits else "}"
    for bits in range(1 << MOST_PLAYERS)
]
"""How a cell's text ends, by the bits of the players who influence it."""


def _cells(game: "Hive", sight: Sight) -> list[str]:
    cells: Cells = game.arrays(Cells)
    ground = _texts(game.board, cells.terrain.tobytes()).ground
    shown, bits = sight.cells.tolist(), sight.influence[sight.cells].tolist()
    texts = [ground[cell] + _ENDS[end] for cell, end in zip(shown, bits, strict=True)]
    for place in np.flatnonzero(cells.terrain[sight.cells] == FIELD).tolist():
        texts[place] = f'{ground[shown[place]]},"flowers":{cells.flowers[shown[place]]}{_ENDS[bits[place]]}'
    return texts


def _entities(game: "Hive", sight: Sight) -> list[str]:
    """Hit points and what a bee carries are named only where there are any."""
    at = _texts(game.board, game.arrays(Cells).terrain.tobytes()).at
    return [
        f'{{"id":{id_},"kind":"{KINDS[kind]}","owner":{owner},{at[cell]}'
        f'{f""","hp":{hp}""" if hp else ""}{f""","carries":{carries}""" if carries else ""}}}'
        for id_, cell, kind, owner, hp, carries, _ in zip(
            *(column.tolist() for column in entities_in_sight(game, sight)), strict=True
        )
    ]


def entities_in_sight(game: "Hive", sight: Sight) -> Entities:
    """The rows of the entities that can be seen."""
    entities: Entities = game.arrays(Entities)
    rows = int(game.head[ENTITIES])
    shown = np.flatnonzero(sight.seen[entities.cell[:rows]])
    return Entities._make(column[shown] for column in entities)


def observe(game: "Hive", player: int) -> dict[str, Numbers]:
    """The same knowledge as arrays, a value for every cell of the board; ``coords`` names the cells."""
    cells: Cells = game.arrays(Cells)
    sight = look_around(game, player)
    hidden = sight.seen == 0
    rows = entities_in_sight(game, sight)
    size = game.board.size
    per_cell = {
        "terrain": np.where(hidden, HIDDEN, cells.terrain).astype(np.int8),
        "flowers": np.where(hidden, 0, cells.flowers),
        "influence": np.where(hidden, 0, sight.influence),
    }
    unseen = {"id": NO_ENTITY, "kind": 0, "owner": NO_PLAYER, "hp": 0, "carries": 0}
    for name, usual in unseen.items():
        values = getattr(rows, name)
        per_cell[name] = np.full(size, usual, values.dtype)
        per_cell[name][rows.cell] = values
    config: HiveConfig = game.config
    players: Players = game.arrays(Players)
    return {
        **per_cell,
        "coords": game.board.coords,
        "me": np.array([player]),
        "turn": np.array([game.turn]),
        "reserve": np.array([players.flowers[player]]),
        "without": np.array([game.head[WITHOUT_GATHERING], game.head[WITHOUT_CREATION]]),
        "costs": np.array([config.bee_cost, config.hive_cost, config.wall_cost]),
        "views": np.array([config.bee_view, config.hive_view]),
        "carrying": np.array([int(config.carrying)]),
        "damage": np.array([config.attack_damage if config.attack == "damage" else 0]),
        "influence_goal": np.array([influence_goal(size, config.influence_wins, config.influence_percent)]),
        "map_cells": np.array([size]),
    }


def influence_goal(map_cells: int, wins: bool, percent: int) -> int:
    """The cells that a player must influence to win, 0 if influence does not win (ruling 2)."""
    return map_cells * percent // 100 + 1 if wins else 0


def observation_from_view(view: dict[str, Any]) -> dict[str, Numbers]:
    """The arrays of `observe` from a view that came over the network."""
    info = view["info"]
    coords = [(row, column) for row, first, last in view["outline"] for column in range(first, last + 1, 2)]
    places = {at: place for place, at in enumerate(coords)}
    size = len(coords)
    seen: dict[str, Numbers] = {
        "terrain": np.full(size, HIDDEN, np.int8),
        "flowers": np.zeros(size, np.int32),
        "influence": np.zeros(size, np.int8),
        "id": np.full(size, NO_ENTITY, np.int64),
        "kind": np.zeros(size, np.int8),
        "owner": np.full(size, NO_PLAYER, np.int8),
        "hp": np.zeros(size, np.int32),
        "carries": np.zeros(size, np.int16),
    }
    for cell in view["cells"]:
        place = places[tuple(cell["at"])]
        seen["terrain"][place] = TERRAINS.index(cell["terrain"])
        seen["flowers"][place] = cell.get("flowers", 0)
        seen["influence"][place] = sum(1 << seat for seat in cell.get("influence", ()))
    for entity in view["entities"]:
        place = places[tuple(entity["at"])]
        seen["id"][place], seen["owner"][place] = entity["id"], entity["owner"]
        seen["kind"][place] = KINDS.index(entity["kind"])
        seen["hp"][place], seen["carries"][place] = entity.get("hp", 0), entity.get("carries", 0)
    return {
        **seen,
        "coords": np.array(coords, np.int32),
        "me": np.array([view["me"]]),
        "turn": np.array([view["turn"]]),
        "reserve": np.array([view["players"][view["me"]]["flowers"]]),
        "without": np.array([view["without_gathering"], view["without_creation"]]),
        "costs": np.array([info["bee_cost"], info["hive_cost"], info["wall_cost"]]),
        "views": np.array([info["bee_view"], info["hive_view"]]),
        "carrying": np.array([int(info["carrying"])]),
        "damage": np.array([info["attack_damage"] if info["attack"] == "damage" else 0]),
        "influence_goal": np.array([influence_goal(size, info["influence_wins"], info["influence_percent"])]),
        "map_cells": np.array([view["map_cells"]]),
    }
