"""What a picture of a Colorfight match shows."""

from typing import TYPE_CHECKING, Final

from marchland.core.scene import Picture
from marchland.games.colorfight.appearance import BUILDING_GLYPHS
from marchland.games.colorfight.state import BUILDINGS, Cells, Players
from marchland.messages import EventKind, Layer

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

LAYERS: Final = (
    Layer("owner", "player"),
    Layer("building", "code", palette=list(BUILDINGS), glyphs=BUILDING_GLYPHS),
    Layer("level", "number", most=3),
    Layer("force_field", "number", most=1000),
    Layer("natural_cost", "number", most=300, still=True),
    Layer("natural_gold", "number", most=10, still=True),
    Layer("natural_energy", "number", most=10, still=True),
)

FIGURES: Final = ("gold", "energy", "cells", "gold_source", "energy_source", "tech_level")

_WORDS: Final = list(BUILDINGS)

# Events, by their place below.
CAPTURED, SHIELDED, REPELLED, BUILT, UPGRADED, HOME_LOST, RUINED, DIED = range(8)

EVENTS: Final = (
    EventKind("captured", {"at": "cell", "by": "player", "from": "player", "building": "choice"}, "ripple", _WORDS),
    EventKind("shielded", {"at": "cell", "by": "player", "force_field": "number"}, "ripple"),
    EventKind("repelled", {"at": "cell", "by": "player", "from": "player"}, "arc"),
    EventKind("built", {"at": "cell", "by": "player", "building": "choice"}, "", _WORDS),
    EventKind("upgraded", {"at": "cell", "by": "player", "level": "number"}),
    EventKind("home_lost", {"at": "cell", "player": "player", "to": "player", "gold": "number"}, "fade"),
    EventKind("ruined", {"at": "cell", "player": "player", "building": "choice"}, "fade", _WORDS),
    EventKind("died", {"player": "player"}, "fade", ends_player=True),
)


def picture(game: "Colorfight") -> Picture:
    """The whole board: Colorfight has no fog."""
    cells: Cells = game.part(Cells)
    players: Players = game.part(Players)
    layers = (
        cells.owner,
        cells.building,
        cells.level,
        cells.force_field,
        cells.natural_cost,
        cells.natural_gold,
        cells.natural_energy,
    )
    figures = [getattr(players, name).tolist() for name in FIGURES]
    alive = (1 - players.dead).tolist()
    return Picture(layers, [list(row) for row in zip(alive, *figures, strict=True)])
