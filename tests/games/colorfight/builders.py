"""Hand-made Colorfight positions: an 8 by 8 board of plain cells (cost 100, 1 gold, 1 energy), a few of them not."""

from collections.abc import Mapping
from typing import Any

import marchland
from marchland.core.game import Game
from marchland.games.colorfight.rules.state import Cells, Players

Place = tuple[int, int]


def own(player: int, building: str = "empty", level: int = 0, **values: int) -> dict[str, Any]:
    """A cell of ``player``; a building has level 1 unless another is given."""
    return {
        "owner": player,
        "building": {"name": building, "level": level or int(building != "empty")},
        **values,
    }


def match(cells: Mapping[Place, dict[str, Any]], users: list[dict[str, Any]] | None = None, **config: Any) -> Game:
    """A match at turn 1 with those cells and users; by default two users, A and B, with 1000 energy and no gold."""
    users = users or [{}, {}]
    named = [{"username": "ABCDEFGH"[seat], **user} for seat, user in enumerate(users)]
    game_map = [[cells.get((x, y), {}) for x in range(8)] for y in range(8)]
    return marchland.from_position({"game": "colorfight", "users": named, "game_map": game_map, "config": config})


def cell(game: Game, x: int, y: int) -> dict[str, int]:
    """What the state says of one cell."""
    arrays = game.arrays(Cells)._asdict()
    return {name: int(array[game.board.index(x, y)]) for name, array in arrays.items()}


def user(game: Game, player: int) -> dict[str, int]:
    """What the state says of one player."""
    return {name: int(array[player]) for name, array in game.arrays(Players)._asdict().items()}


def attack(x: int, y: int, energy: int) -> dict[str, Any]:
    return {"do": "attack", "at": [x, y], "energy": energy}


def build(x: int, y: int, building: str) -> dict[str, Any]:
    return {"do": "build", "at": [x, y], "building": building}


def upgrade(x: int, y: int) -> dict[str, Any]:
    return {"do": "upgrade", "at": [x, y]}


def reasons(report: Any, player: int = 0) -> list[str]:
    return [result.reason for result in report.results[player]]


STILL: dict[str, Any] = {"ally_field": 0, "enemy_field": 0, "fortress_field": 0, "ally_fortress_field": 0}
"""Settings under which force fields stay as the attack phase left them (ruling 13), but for enemy fortresses."""
