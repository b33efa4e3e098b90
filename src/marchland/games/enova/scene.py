"""What a picture of an Enova match shows."""

from typing import TYPE_CHECKING, Final

from marchland.core.scene import Picture
from marchland.games.enova.appearance import TERRAIN_GLYPHS, TERRAIN_STYLES
from marchland.games.enova.state import Cells, Players
from marchland.games.enova.terrain import TERRAIN
from marchland.messages import EventKind, Layer

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova

LAYERS: Final = (
    Layer("owner", "player"),
    Layer("terrain", "code", palette=list(TERRAIN), still=True, styles=TERRAIN_STYLES, glyphs=TERRAIN_GLYPHS),
    Layer("units", "number", most=20),
)

FIGURES: Final = ("castles", "tiles", "units")
"""In the order in which players are ranked (ruling 11)."""

# A battle is told in several rows that share its number (ruling 14); `reports.battle_reports` puts them together.
EVENTS: Final = (
    EventKind("moved", {"from": "cell", "to": "cell", "player": "player", "units": "number"}, "glide"),
    EventKind(
        "battle",
        {"battle": "number", "at": "cell", "against": "cell", "variance": "number", "parties": "number"},
        "ripple",
    ),
    EventKind(
        "force",
        {"battle": "number", "player": "player", "units": "number", "support": "number", "defence": "number"},
    ),
    EventKind("roll", {"battle": "number", "player": "player", "draw": "number", "die": "number", "score": "number"}),
    EventKind("drew_lots", {"battle": "number", "player": "player", "at": "cell", "among": "number"}),
    EventKind("won", {"battle": "number", "player": "player", "at": "cell", "units": "number"}),
    EventKind("killed", {"battle": "number", "player": "player", "at": "cell", "units": "number"}, "fade"),
    EventKind("captured", {"at": "cell", "by": "player", "from": "player"}, "ripple"),
    EventKind(
        "retreated",
        {"battle": "number", "player": "player", "from": "cell", "to": "cell", "units": "number"},
        "glide",
    ),
    EventKind("routed", {"battle": "number", "player": "player", "at": "cell", "units": "number"}, "fade"),
    EventKind("eliminated", {"player": "player"}, "fade", ends_player=True),
    EventKind("produced", {"units": "number"}),
)


def picture(game: "Enova") -> Picture:
    """The whole board: it is open to everybody (ruling 12)."""
    cells: Cells = game.part(Cells)
    players: Players = game.part(Players)
    figures = [getattr(players, name).tolist() for name in FIGURES]
    alive = (1 - players.dead).tolist()
    return Picture((cells.owner, cells.terrain, cells.units), [list(row) for row in zip(alive, *figures, strict=True)])
