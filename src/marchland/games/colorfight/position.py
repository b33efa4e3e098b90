"""A Colorfight match in readable form. What a hand-written position leaves out has its usual value:

{"game": "colorfight",
 "users": [{"username": "A", "energy": 500}, {"username": "B"}],
 "game_map": [[{}, {"owner": 0, "building": {"name": "home", "level": 1}}, ...], ...]}
"""

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec

from marchland.board import Board
from marchland.core.state import NO_PLAYER, OVER
from marchland.errors import PositionError
from marchland.games.colorfight.rules.config import MOST_COST, ColorfightConfig
from marchland.games.colorfight.rules.state import BUILDINGS, EMPTY, HOME, TOP_LEVEL, Cells, Players

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

Match = TypeVar("Match", bound="Colorfight")


class BuildingText(msgspec.Struct, forbid_unknown_fields=True):
    """What stands on a cell."""

    name: str = "empty"
    level: int = 0


class CellText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One cell."""

    owner: int | None = None
    building: BuildingText = msgspec.field(default_factory=BuildingText)
    force_field: int = 0
    natural_cost: int = 100
    natural_gold: int = 1
    natural_energy: int = 1


class UserText(msgspec.Struct, forbid_unknown_fields=True):
    """One player. The sources are None where they are to be counted from the map."""

    username: str
    energy: int = 1000
    gold: int = 0
    dead: bool = False
    energy_source: int | None = None
    gold_source: int | None = None
    tax_amount: int | None = None
    resource_buildings: int | None = None


class PositionText(msgspec.Struct, forbid_unknown_fields=True):
    """The whole match."""

    users: list[UserText]
    game_map: list[list[CellText]]
    over: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    """Why the match ended: 1 at its last turn, 2 with one player left; 0 while it runs."""


def write(game: "Colorfight") -> dict[str, Any]:
    """The match's own part of its position."""
    cells: Cells = game.arrays(Cells)
    players: Players = game.arrays(Players)
    columns = [column.tolist() for column in cells[: len(CellText.__struct_fields__) + 1]]
    flat = [
        CellText(
            None if owner == NO_PLAYER else owner, BuildingText(BUILDINGS[building], level), field, cost, gold, energy
        )
        for owner, building, level, field, cost, gold, energy in zip(*columns, strict=True)
    ]
    width = game.config.width
    users = [
        UserText(
            name,
            int(players.energy[seat]),
            int(players.gold[seat]),
            bool(players.dead[seat]),
            int(players.energy_source[seat]),
            int(players.gold_source[seat]),
            int(players.tax[seat]),
            int(players.resource_buildings[seat]),
        )
        for seat, name in enumerate(game.players)
    ]
    rows = [flat[start : start + width] for start in range(0, len(flat), width)]
    return msgspec.to_builtins(PositionText(users, rows, int(game.head[OVER])))  # type: ignore[no-any-return]


def read(kind: type[Match], config: ColorfightConfig, position: dict[str, Any]) -> Match:
    """The match that ``position`` describes."""
    try:
        text = msgspec.convert(position, PositionText)
    except msgspec.ValidationError as problem:
        raise PositionError(f"The position cannot be read: {problem}.".replace("$.", "")) from None
    height, width = len(text.game_map), len(text.game_map[0]) if text.game_map else 0
    if any(len(row) != width for row in text.game_map):
        raise PositionError("The rows of game_map must all be equally long.")
    sized = kind.config_type.build({**config.values(), "width": width, "height": height})
    names = kind.seat_names([user.username for user in text.users])
    kind.check_names(sized, names)
    game = kind(Board.square(width, height), sized, names, kind.layout_for(width * height, len(names)))
    flat = [cell for row in text.game_map for cell in row]
    check(flat, text.users, sized.field_most)
    cells: Cells = game.arrays(Cells)
    cells.owner[:] = NO_PLAYER
    for place, cell in enumerate(flat):
        if cell.owner is not None:
            game.give(place, cell.owner)
    cells.building[:] = [BUILDINGS.index(cell.building.name) for cell in flat]
    cells.level[:] = [cell.building.level for cell in flat]
    for name in ("force_field", "natural_cost", "natural_gold", "natural_energy"):
        getattr(cells, name)[:] = [getattr(cell, name) for cell in flat]
    fill_players(game, text.users)
    game.head[OVER] = text.over
    return game


def check(cells: list[CellText], users: list[UserText], field_most: int) -> None:
    """Refuse what no match can have, naming it."""
    homes: set[int] = set()
    for cell in cells:
        if cell.owner is not None and not 0 <= cell.owner < len(users):
            raise PositionError(f"A cell's owner is {cell.owner}, but the players are 0 to {len(users) - 1}.")
        if cell.building.name not in BUILDINGS:
            raise PositionError(f"There is no building {cell.building.name!r}; there are {', '.join(BUILDINGS)}.")
        stands = cell.building.name != BUILDINGS[EMPTY]
        if stands and (cell.owner is None or not 1 <= cell.building.level <= TOP_LEVEL):
            raise PositionError("A building needs an owner and a level from 1 to 3.")
        if not stands and cell.building.level != 0:
            raise PositionError("An empty cell has building level 0.")
        if cell.building.name == BUILDINGS[HOME]:
            if cell.owner in homes:
                raise PositionError(f"Player {cell.owner} has two homes; a player may have only one.")
            homes.add(cell.owner or 0)
        limits = {"force_field": field_most, "natural_cost": MOST_COST, "natural_gold": 127, "natural_energy": 127}
        for name, most in limits.items():
            if not 0 <= getattr(cell, name) <= most:
                raise PositionError(f"A cell's {name} must be from 0 to {most}, not {getattr(cell, name)}.")
    for user in users:
        figures = (
            user.energy,
            user.gold,
            user.energy_source,
            user.gold_source,
            user.tax_amount,
            user.resource_buildings,
        )
        if any(abs(figure or 0) >= 2**53 for figure in figures):
            raise PositionError(f"A figure of {user.username} is too large.")


def fill_players(game: "Colorfight", users: list[UserText]) -> None:
    """Fill in the balances; what the position leaves out is counted from the map."""
    players: Players = game.arrays(Players)
    game.count_income()
    players.energy[:] = [user.energy for user in users]
    players.gold[:] = [user.gold for user in users]
    players.dead[:] = [user.dead for user in users]
    counted = {"energy_source": "energy_source", "gold_source": "gold_source", "tax": "tax_amount"}
    for array, name in {**counted, "resource_buildings": "resource_buildings"}.items():
        for seat, user in enumerate(users):
            if getattr(user, name) is not None:
                getattr(players, array)[seat] = getattr(user, name)
