"""What a picture of a Hive match shows."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from marchland.core.orders import decode_cell
from marchland.core.scene import Picture
from marchland.games.hive.appearance import TERRAIN_STYLES
from marchland.games.hive.rules.config import HiveConfig
from marchland.games.hive.rules.events import EVENTS
from marchland.games.hive.rules.state import HIDDEN, KINDS, TERRAINS, Cells
from marchland.games.hive.views import Sight, entities_in_sight, look_around, visible_figures
from marchland.messages import Layer, PieceKind

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive

Rows = npt.NDArray[Any]

LAYERS: Final = (
    Layer("terrain", "code", palette=list(TERRAINS), styles=TERRAIN_STYLES, hidden_code=HIDDEN),
    Layer("flowers", "number", most=HiveConfig().field_flowers),
    Layer("influence", "players"),
)

PIECES: Final = tuple(PieceKind(name, name, ["hp", "carries"], gauge=True) for name in KINDS[1:])

FIGURES: Final = ("influence", "flowers", "bees", "hives", "walls")
_UNKNOWN: Final = -1

_MAKERS: Final = {
    kind: 1 + list(event.args).index("maker") for kind, event in enumerate(EVENTS) if "maker" in event.args
}
"""Where the rows of an event name who made something."""


def picture(game: "Hive", player: int | None) -> Picture:
    """What ``player`` sees: everything else is hidden, and other players' figures are -1."""
    cells: Cells = game.arrays(Cells)
    sight = look_around(game, player)
    seen = sight.seen != 0
    layers = (
        np.where(seen, cells.terrain, HIDDEN),
        np.where(seen, cells.flowers, 0),
        np.where(seen, sight.influence, 0),
    )
    rows = entities_in_sight(game, sight)
    coords = game.board.coords[rows.cell].tolist()
    columns = (rows.id, rows.kind - 1, rows.owner, rows.hp, rows.carries)
    pieces = {
        id_: (kind, owner, *at, hp, carries)
        for id_, kind, owner, hp, carries, at in zip(*(column.tolist() for column in columns), coords, strict=True)
    }
    return Picture(layers, figures(game, player, sight), pieces)


def figures(game: "Hive", player: int | None, sight: Sight) -> list[list[int]]:
    """Whether each player lives, then its figures; a player sees only its own."""
    players = visible_figures(game, player, sight)
    return [
        [int(game.is_alive(seat)), *(int(getattr(players, name)[seat]) for name in FIGURES)]
        if player in (None, seat)
        else [1, *[_UNKNOWN] * len(FIGURES)]
        for seat in range(len(game.players))
    ]


def witnessed_events(game: "Hive", player: int, before: Picture, after: Picture, event_rows: Rows) -> Rows:
    """The events all of whose cells lay in sight before or after the turn, and the player's own end (ruling 24).

    The maker of something is named if it was in sight itself.
    """
    seen = (before.layers[0] != HIDDEN) | (after.layers[0] != HIDDEN)
    witnessed_rows = event_rows[[is_witnessed(game, player, seen, row) for row in event_rows.tolist()]]
    pieces = before.pieces.keys() | after.pieces.keys()
    for row in witnessed_rows:
        if row[0] in _MAKERS and row[_MAKERS[row[0]]] not in pieces:
            row[_MAKERS[row[0]]] = _UNKNOWN
    return witnessed_rows


def is_witnessed(game: "Hive", player: int, seen: npt.NDArray[np.bool_], row: list[int]) -> bool:
    """Whether ``player`` may know of this event."""
    kind, *values = row
    args = list(zip(EVENTS[kind].args.values(), values, strict=False))
    places = [decode_cell(game.board.dialect, value) for type_, value in args if type_ == "cell"]
    if not places:
        return ("player", player) in args
    return all(place is not None and seen[game.board.index(*place)] for place in places)
