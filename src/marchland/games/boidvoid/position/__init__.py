"""A BoidVoid match in readable form. What a hand-written position leaves out has its usual value:

{"game": "boidvoid",
 "map": {"width": 4, "height": 3, "tiles": ["....", "....", "...."], "homes": [[[0, 0]], [[3, 2]]]},
 "players": [{"name": "A"}, {"name": "B"}],
 "units": [{"id": 0, "at": [1, 1]}, {"id": 1, "at": [2, 1], "health": 500}]}

A unit that is at a place is on the map with full health. Ids: ships are their players, motherships 1000000 + team,
superstructures 2000000 + the place of their NFT in ``nfts``, NPCs 3000000 and up, swarms 10000000 and up.
"""

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from marchland.core.state import OVER, SEQ
from marchland.errors import PositionError
from marchland.games.boidvoid.maps import setup
from marchland.games.boidvoid.maps.mapfile import LETTERS, OBSTACLE, MapText, Pair, Place, mistakes
from marchland.games.boidvoid.position.nfts import ItemText, fill_items, item_texts
from marchland.games.boidvoid.position.units import (
    PlayerText,
    UnitText,
    fill_players,
    fill_units,
    player_texts,
    unit_texts,
)
from marchland.games.boidvoid.rules.config import BoidVoidConfig
from marchland.games.boidvoid.rules.constants import BONUS_NAMES, BONUSES, LOCKED, MINUTE, NPCS, TERRAINS
from marchland.games.boidvoid.rules.state import Cells, Land, Teams

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

Match = TypeVar("Match", bound="BoidVoid")


class PositionText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The whole match. ``owned`` holds each team's tiles, the homes where it is left out."""

    map: MapText
    players: list[PlayerText]
    owned: list[list[Pair]] | None = None
    destroyed: list[int] = []
    npcs: int = 0
    units: list[UnitText] = []
    nfts: list[ItemText] = []
    seq: int = 0
    locked: bool = False
    minute: int = -1
    over: int = 0


def write(game: "BoidVoid") -> dict[str, Any]:
    """The match's own part of its position."""
    owner = game.arrays(Cells).owner
    owned: list[list[Pair]] = [[] for _ in range(game.config.teams)]
    for at, team in zip(game.board.coords.tolist(), owner.tolist(), strict=True):
        if team >= 0:
            owned[team].append((at[0], at[1]))
    text = PositionText(
        map_text(game),
        player_texts(game),
        owned,
        game.arrays(Teams).destroyed.tolist(),
        int(game.head[NPCS]),
        unit_texts(game),
        item_texts(game),
        int(game.head[SEQ]),
        bool(game.head[LOCKED]),
        int(game.head[MINUTE]),
        int(game.head[OVER]),
    )
    return msgspec.json.decode(msgspec.json.encode(text))  # type: ignore[no-any-return]


def map_text(game: "BoidVoid") -> MapText:
    """The map as it must have been, with each team's first home only; owned tiles are listed separately."""
    cells: Cells = game.arrays(Cells)
    land: Land = game.arrays(Land)
    coords = [(at[0], at[1]) for at in game.board.coords.tolist()]
    width, height = max(x for x, _ in coords) + 1, max(y for _, y in coords) + 1
    grid = [[" "] * width for _ in range(height)]
    points, bonuses = [], []
    for cell, (x, y) in enumerate(coords):
        terrain = int(cells.terrain[cell])
        grid[y][x] = OBSTACLE if cells.obstacle[cell] else LETTERS[terrain]
        given = land.tile[cell * BONUSES : (cell + 1) * BONUSES].tolist()
        if tuple(given) != getattr(game.config, TERRAINS[terrain]):
            bonuses.append(Place((x, y), dict(zip(BONUS_NAMES, given, strict=True))))
        if cells.point[cell]:
            given = land.point[cell * BONUSES : (cell + 1) * BONUSES].tolist()
            points.append(Place((x, y), dict(zip(BONUS_NAMES, given, strict=True))))
    homes = [[coords[home]] for home in game.arrays(Teams).home.tolist()]
    return MapText(width, height, ["".join(row) for row in grid], homes, points, [], bonuses)


def read(kind: type[Match], config: BoidVoidConfig, position: dict[str, Any]) -> Match:
    """The match that ``position`` describes."""
    try:
        text = msgspec.convert(position, PositionText)
    except msgspec.ValidationError as problem:
        raise PositionError(f"The position cannot be read: {problem}.".replace("$.", "")) from None
    problems = mistakes(text.map)
    if problems:
        raise PositionError(f"The position's map: {problems[0]}")
    if len(text.map.homes) < config.teams:
        raise PositionError(f"The position's map has homes for {len(text.map.homes)} teams, not for {config.teams}.")
    names = kind.seat_names([player.name for player in text.players])
    npcs = max(text.npcs, len(text.map.npcs))
    game = kind.on_board(config, text.map.board(), names, npcs, len(text.nfts))
    try:
        setup.lay_out(game, text.map, npcs, len(text.nfts))
        setup.deal_players(game)
        setup.place_npcs(game, text.map)
        for team, tiles in enumerate(text.map.homes if text.owned is None else text.owned):
            for at in tiles:
                setup.set_owner(game, _cell(game, at), team)
        fill_players(game, text.players)
        fill_items(game, text.nfts)
        fill_units(game, text.units)
        game.arrays(Teams).destroyed[: len(text.destroyed)] = text.destroyed
        for slot, value in ((SEQ, text.seq), (LOCKED, text.locked), (MINUTE, text.minute), (OVER, text.over)):
            game.head[slot] = value
    except (IndexError, KeyError, ValueError, OverflowError, TypeError) as problem:
        raise PositionError(f"The position cannot be: {problem}.") from None
    return game


def _cell(game: "BoidVoid", at: Pair) -> int:
    cell = game.board.index(*at)
    if cell < 0:
        raise PositionError(f"There is no tile {list(at)}.")
    return cell
