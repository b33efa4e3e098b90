"""What a picture of an Enova match shows."""

from typing import TYPE_CHECKING, Final

from marchland.core.scene import Picture
from marchland.games.enova.appearance import TERRAIN_GLYPHS, TERRAIN_STYLES
from marchland.games.enova.rules.state import Cells, Players
from marchland.games.enova.rules.terrain import TERRAIN
from marchland.messages import Layer

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova

LAYERS: Final = (
    Layer("owner", "player"),
    Layer("terrain", "code", palette=list(TERRAIN), still=True, styles=TERRAIN_STYLES, glyphs=TERRAIN_GLYPHS),
    Layer("units", "number", most=20),
)

FIGURES: Final = ("castles", "tiles", "units")
"""In the order in which players are ranked (ruling 11)."""


def picture(game: "Enova", player: int | None) -> Picture:
    """The whole board: all players see it (ruling 12)."""
    cells: Cells = game.arrays(Cells)
    players: Players = game.arrays(Players)
    figures = [getattr(players, name).tolist() for name in FIGURES]
    alive = (1 - players.dead).tolist()
    return Picture((cells.owner, cells.terrain, cells.units), [list(row) for row in zip(alive, *figures, strict=True)])
