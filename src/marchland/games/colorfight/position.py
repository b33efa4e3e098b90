"""A Colorfight match in readable form. What a hand-written position leaves out has its usual value:

{"game": "colorfight",
 "users": [{"username": "A", "energy": 500}, {"username": "B"}],
 "game_map": [[{}, {"owner": 0, "building": {"name": "home", "level": 1}}, ...], ...]}
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.state import NO_PLAYER, OVER
from marchland.errors import PositionError
from marchland.games.colorfight.rules.config import MOST_COST, ColorfightConfig
from marchland.games.colorfight.rules.state import BUILDINGS, EMPTY, HOME, TOP_LEVEL, Cells, Players

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

Match = TypeVar("Match", bound="Colorfight")
Columns = dict[str, npt.NDArray[np.int64]]
"""The values of all cells, by the names of the first arrays of `Cells`."""

_COLUMNS = ("owner", "building", "level", "force_field", "natural_cost", "natural_gold", "natural_energy")


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
    columns = [getattr(cells, name).tolist() for name in _COLUMNS]
    flat = [
        CellText(
            None if owner == NO_PLAYER else owner, BuildingText(BUILDINGS[building], level), field, cost, gold, energy
        )
        for owner, building, level, field, cost, gold, energy in zip(*columns, strict=True)
    ]
    width = game.config.width
    users = users_of(game)
    rows = [flat[start : start + width] for start in range(0, len(flat), width)]
    return msgspec.to_builtins(PositionText(users, rows, int(game.head[OVER])))  # type: ignore[no-any-return]


def read(kind: type[Match], config: ColorfightConfig, position: dict[str, Any]) -> Match:
    """The match that ``position`` describes."""
    try:
        text = msgspec.convert(position, PositionText)
    except msgspec.ValidationError as problem:
        raise PositionError(f"The position cannot be read: {problem}.".replace("$.", "")) from None
    width = len(text.game_map[0]) if text.game_map else 0
    if any(len(row) != width for row in text.game_map):
        raise PositionError("The rows of game_map must all be equally long.")
    columns = columns_of([cell for row in text.game_map for cell in row], len(text.users))
    return build(kind, config, width, columns, text.users, text.over)


def rebuild(game: Match) -> Match:
    """The match that the position of ``game`` describes, without a text for each cell."""
    cells: Cells = game.arrays(Cells)
    columns = {name: getattr(cells, name).astype(np.int64) for name in _COLUMNS}
    over = int(game.head[OVER])
    if not 0 <= over <= 2 or len(cells.owner) % game.config.width:
        raise PositionError("The match is over for no reason there is, or its last row is not complete.")
    if not np.isin(columns["building"], range(len(BUILDINGS))).all():
        raise PositionError(f"There are no other buildings than {', '.join(BUILDINGS)}.")
    return build(type(game), game.config, game.config.width, columns, users_of(game), over)


def build(
    kind: type[Match], config: ColorfightConfig, width: int, columns: Columns, users: Sequence[UserText], over: int
) -> Match:
    """The match with these values, which are checked."""
    height = len(columns["owner"]) // width if width else 0
    sized = kind.config_type.build({**config.values(), "width": width, "height": height})
    names = kind.seat_names([user.username for user in users])
    kind.check_names(sized, names)
    check(columns, users, sized.field_most)
    game = kind(Board.square(width, height), sized, names, kind.layout_for(width * height, len(names)))
    cells: Cells = game.arrays(Cells)
    for name in _COLUMNS:
        getattr(cells, name)[:] = columns[name]
    count_neighbours(cells, width, height)
    fill_players(game, users)
    game.head[OVER] = over
    return game


def columns_of(flat: Sequence[CellText], players: int) -> Columns:
    """The values of cells as arrays."""
    for cell in flat:
        if cell.owner is not None and not 0 <= cell.owner < players:
            raise PositionError(f"A cell's owner is {cell.owner}, but the players are 0 to {players - 1}.")
        if cell.building.name not in BUILDINGS:
            raise PositionError(f"There is no building {cell.building.name!r}; there are {', '.join(BUILDINGS)}.")
    columns: dict[str, list[int]] = {
        "owner": [NO_PLAYER if cell.owner is None else cell.owner for cell in flat],
        "building": [BUILDINGS.index(cell.building.name) for cell in flat],
        "level": [cell.building.level for cell in flat],
        **{name: [getattr(cell, name) for cell in flat] for name in _COLUMNS[3:]},
    }
    try:
        return {name: np.array(values, np.int64) for name, values in columns.items()}
    except OverflowError:
        raise PositionError("A number of a cell is too large.") from None


def count_neighbours(cells: Cells, width: int, height: int) -> None:
    """Count each cell's neighbours of the same owner and of others, as `change_owner` does cell by cell."""
    owner, friends, enemies = (column.reshape(height, width) for column in (cells.owner, cells.friends, cells.enemies))
    for one, other in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        both = (owner[one] != NO_PLAYER) & (owner[other] != NO_PLAYER)
        same = owner[one] == owner[other]
        for place in (one, other):
            friends[place] += both & same
            enemies[place] += both & ~same


def users_of(game: "Colorfight") -> list[UserText]:
    """What a position says of the players."""
    players: Players = game.arrays(Players)
    return [
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


def check(columns: Columns, users: Sequence[UserText], field_most: int) -> None:
    """Refuse what no match can have, naming it."""
    owner, building, level = columns["owner"], columns["building"], columns["level"]
    strange = owner[(owner != NO_PLAYER) & ((owner < 0) | (owner >= len(users)))]
    if len(strange):
        raise PositionError(f"A cell's owner is {strange[0]}, but the players are 0 to {len(users) - 1}.")
    stands = building != EMPTY
    if (stands & ((owner == NO_PLAYER) | (level < 1) | (level > TOP_LEVEL))).any():
        raise PositionError("A building needs an owner and a level from 1 to 3.")
    if (~stands & (level != 0)).any():
        raise PositionError("An empty cell has building level 0.")
    homes = np.bincount(owner[building == HOME], minlength=1)
    if homes.max() > 1:
        raise PositionError(f"Player {homes.argmax()} has two homes; a player may have only one.")
    limits = {"force_field": field_most, "natural_cost": MOST_COST, "natural_gold": 127, "natural_energy": 127}
    for name, most in limits.items():
        outside = columns[name][(columns[name] < 0) | (columns[name] > most)]
        if len(outside):
            raise PositionError(f"A cell's {name} must be from 0 to {most}, not {outside[0]}.")
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


def fill_players(game: "Colorfight", users: Sequence[UserText]) -> None:
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
