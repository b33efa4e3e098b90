"""What a picture of a DatsPulse match shows."""

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from marchland.core.orders import decode_cell
from marchland.core.scene import Picture
from marchland.core.state import NO_PLAYER
from marchland.games.datspulse.appearance import ANT_GLYPHS, FOOD_GLYPHS, NEST_GLYPHS, NEST_STYLES, TERRAIN_STYLES
from marchland.games.datspulse.rules.events import BLOCKED, EVENTS, MOVED, NOT_SPAWNED, PLACES, RAIDED
from marchland.games.datspulse.rules.state import (
    ACID,
    ANTHILL,
    DIRT,
    EMPTY,
    FOODS,
    HIDDEN,
    KINDS,
    NOTHING,
    ROCK,
    TERRAINS,
    Cells,
    Teams,
)
from marchland.games.datspulse.views import ants_in_sight, food_by_hex, look_around
from marchland.messages import Layer, PieceKind

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse

Rows = npt.NDArray[Any]

# What is usual comes first in a picture and stays blank in a terminal: most of the land is empty.
_DRAWN: Final = (EMPTY, ANTHILL, DIRT, ACID, ROCK, HIDDEN)
_IN_PICTURE: Final = np.argsort(_DRAWN)
_VEILED: Final = _DRAWN.index(HIDDEN)

LAYERS: Final = (
    Layer("nest", "player"),
    Layer(
        "terrain",
        "code",
        palette=[TERRAINS[kind] for kind in _DRAWN],
        styles=TERRAIN_STYLES | NEST_STYLES,
        glyphs=NEST_GLYPHS,
        hidden_code=_VEILED,
    ),
    Layer("food", "code", palette=list(FOODS), glyphs=FOOD_GLYPHS),
    Layer("amount", "number", most=15),
)

PIECES: Final = tuple(PieceKind(name, ANT_GLYPHS[name], ["health", "food", "amount"], gauge=True) for name in KINDS)

FIGURES: Final = ("score", "ants", "lost", "walked")
_UNKNOWN: Final = -1

_PRIVATE: Final = (BLOCKED, NOT_SPAWNED)  # of an order, and of a roll
_TERRAIN: Final = 1  # the layer that shows what is hidden


def picture(game: "Datspulse", player: int | None) -> Picture:
    """What ``player`` sees, without the owners of enemy ants and foreign nests and without other teams' figures."""
    cells: Cells = game.arrays(Cells)
    sight = look_around(game, player)
    seen = sight.seen != 0
    known = seen & (cells.nest == player) if player is not None else seen
    food, amount = food_by_hex(game)
    layers = (
        np.where(known, cells.nest, NO_PLAYER),
        _IN_PICTURE[np.where(seen, cells.terrain, HIDDEN)],
        np.where(seen, food, NOTHING),
        np.where(seen, amount, 0),
    )
    pieces: dict[int, tuple[int, ...]] = {}
    for team, ant in ants_in_sight(game, sight):
        owner = team if player in (None, team) else NO_PLAYER
        pieces[ant.id] = (ant.kind, owner, *game.board.at(ant.cell), ant.health, ant.food, ant.amount)
    return Picture(layers, figures(game, player), pieces)


def figures(game: "Datspulse", player: int | None) -> list[list[int]]:
    """That every team lives, then its figures, to itself and to spectators."""
    teams: Teams = game.arrays(Teams)
    columns = zip(game.scores(), teams.living.tolist(), teams.lost.tolist(), teams.walked.tolist(), strict=True)
    return [
        [1, *values] if player in (None, seat) else [1, *[_UNKNOWN] * len(FIGURES)]
        for seat, values in enumerate(columns)
    ]


def witnessed_events(game: "Datspulse", player: int, before: Picture, after: Picture, event_rows: Rows) -> Rows:
    """What befell the team's own ants and nest, and what happened at hexes in sight before or after (ruling 39).

    Owners of other ants are masked, and so are their ids unless they were in sight. Events are sorted by ant: the
    order in which they happened would reveal which enemies belong together.
    """
    seen = (before.layers[_TERRAIN] != _VEILED) | (after.layers[_TERRAIN] != _VEILED)
    witnessed_rows = event_rows[[is_witnessed(game, player, seen, row) for row in event_rows.tolist()]]
    pieces = before.pieces.keys() | after.pieces.keys()
    for row in witnessed_rows:
        mask(row, player, pieces)
    return np.array(sorted(witnessed_rows.tolist(), key=ant_of), witnessed_rows.dtype).reshape(witnessed_rows.shape)


def ant_of(row: list[int]) -> int:
    """The ant that an event befell, or 0."""
    place = PLACES[row[0]].get("ant")
    return 0 if place is None else row[place]


def is_own(player: int, row: Rows | list[int]) -> bool:
    """Whether the event is one of the team's own ants, or of its roll for a new one."""
    place = PLACES[row[0]].get("team")
    return place is not None and bool(row[place] == player)


def is_witnessed(game: "Datspulse", player: int, seen: npt.NDArray[np.bool_], row: list[int]) -> bool:
    """Whether ``player`` may know of this event."""
    kind, places = row[0], PLACES[row[0]]
    if is_own(player, row) or (kind == RAIDED and row[places["from"]] == player):
        return True
    hexes = [decode_cell(game.board.dialect, row[places[name]]) for name in cells_named(kind)]
    known = [at is not None and bool(seen[game.board.index(*at)]) for at in hexes]
    return kind not in _PRIVATE and bool(known) and all(known)


def cells_named(kind: int) -> list[str]:
    """The arguments of an event that are hexes."""
    return [name for name, type_ in EVENTS[kind].args.items() if type_ == "cell"]


def mask(row: Rows, player: int, pieces: AbstractSet[int]) -> None:
    """Make what ``player`` may not know of an event unknown, in place."""
    own = is_own(player, row)  # its log names the ants that met an own ant (ruling 36)
    for name, type_ in EVENTS[row[0]].args.items():
        place = PLACES[row[0]][name]
        stranger = type_ == "piece" and not own and int(row[place]) not in pieces
        if stranger or (type_ == "player" and row[place] != player):
            row[place] = _UNKNOWN
    if row[0] == MOVED and not own:
        row[PLACES[MOVED]["dirt"]] = _UNKNOWN  # the way between was out of sight
