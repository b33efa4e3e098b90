"""What a picture of a Colorfight match shows."""

from typing import TYPE_CHECKING, Final

from marchland.core.scene import Picture
from marchland.games.colorfight.appearance import BUILDING_GLYPHS
from marchland.games.colorfight.rules.state import BUILDINGS, Cells, Players
from marchland.messages import Layer

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


def picture(game: "Colorfight", player: int | None) -> Picture:
    """The whole board: Colorfight has no fog."""
    cells: Cells = game.arrays(Cells)
    players: Players = game.arrays(Players)
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
