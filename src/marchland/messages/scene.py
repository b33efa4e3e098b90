"""The picture of a match: a legend once, then frames."""

from typing import Literal

import msgspec

from marchland.messages.orders import Harm, PickKind
from marchland.messages.words import Language, Words

LayerType = Literal["code", "player", "players", "number"]
ArgumentType = Literal["cell", "piece", "kind", "player", "team", "number", "hundredths", "steps", "choice"]
"""A ``kind`` is the index of a kind of piece, ``hundredths`` are a hundred times what people read."""
BattleRole = Literal["", "opens", "outcome", "detail"]
Motion = Literal["", "glide", "arc", "ripple", "fade"]
GroundStyle = Literal[
    "acid",
    "azure",
    "barrier",
    "channel",
    "clay",
    "forest",
    "haze",
    "lava",
    "meadow",
    "mountain",
    "paved",
    "rock",
    "rubble",
    "sand",
    "soil",
    "water",
]
"""How a viewer paints ground: a colour and a texture of its own for each."""


class Layer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One value a cell, and how to read it."""

    name: str
    type: LayerType
    palette: list[str] = []
    least: int = 0
    most: int = 0
    still: bool = False
    """The layer never changes: it is in the first frame only."""
    styles: dict[str, GroundStyle] = {}
    """By word of the palette how ground is painted. The first layer with styles is the ground, others lie over it."""
    glyphs: dict[str, str] = {}
    """By word of the palette the glyph that stands on the cell; elsewhere than on the ground, a letter by default."""
    hidden_code: int = -1
    """The code of cells out of sight; -1 where the layer has none."""


class PieceKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """One kind of piece, and the names of the numbers it carries."""

    name: str
    glyph: str
    numbers: list[str] = []
    gauge: bool = False
    """The first number is a level, like health: a ring shows how much is left of the most there was."""
    words: dict[str, list[str]] = {}
    """By name of a number what its values mean, where they are codes."""
    progress: tuple[str, str] | None = None
    """The numbers that are the turns left of a task and its turns in all: a ring shows how much is done."""
    picture: str = ""
    """The number that is a template of the server's ledger, whose picture shows the piece; 0 for none."""


class EventKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """One kind of event: its arguments by name, and how it moves."""

    name: str
    args: dict[str, ArgumentType]
    motion: Motion = ""
    choices: list[str] = []
    ends_player: bool = False
    """The player it names is out of the match."""
    battle: BattleRole = ""
    """It opens a battle; or it belongs to the one of its argument ``battle``, else to the one that it follows."""


class Parameter(msgspec.Struct, frozen=True, omit_defaults=True):
    """One parameter of a verb."""

    name: str
    pick: PickKind
    optional: bool = False
    choices: list[str] = []


class Verb(msgspec.Struct, frozen=True, omit_defaults=True):
    """One verb as a button: its key, when it takes effect, and what to pick for it."""

    do: str
    params: list[Parameter]
    help: str = ""
    key: str = ""
    when: Literal["turn", "now"] = "turn"
    role: str = ""
    harms: Harm = ""
    """Viewers ask before an order that damages or destroys something of the player's own."""


class BoardShape(msgspec.Struct, frozen=True):
    """The board: its cells by coordinates, in the order in which frames name them."""

    topology: Literal["square", "hex"]
    dialect: str
    size: int
    box: tuple[int, int, int, int]
    """Minimum and maximum of the first coordinate, then of the second."""
    chunk: int = 32


class Legend(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything a viewer needs once to draw every frame."""

    game: str
    version: int
    board: BoardShape
    layers: list[Layer]
    kinds: list[PieceKind]
    events: list[EventKind]
    verbs: list[Verb]
    figures: list[str]
    ground_layer: int = -1
    """The layer that is the ground of every cell; -1 for the first code layer that never changes, if there is one."""
    team_figure: str = ""
    """The figure that is a player's team; layers and numbers of pieces of that name hold teams, too."""
    unranked_figures: list[str] = []
    """Figures that describe a player, like a role, and do not measure success."""
    figure_words: dict[str, list[str]] = {}
    """By name of a figure what its values mean, where they are codes."""
    words: dict[Language, Words] = {}
    """The game's words, by language. English is complete; replays of earlier versions have none."""
    avatar_figure: str = ""
    """The figure that is a template of the server's ledger, whose picture shows the player; 0 for none."""
    team_figures: list[str] = []
    """The figures of a team, in the order in which teams are ranked; without any, players compete for themselves."""


class Patch(msgspec.Struct, frozen=True, array_like=True):
    """New values of one layer in one chunk: offsets inside the chunk (row by row) and their values."""

    chunk: int
    layer: int
    offsets: list[int]
    values: list[int]


class SceneEvent(msgspec.Struct, frozen=True, array_like=True):
    """An event by the index of its kind, with its arguments in the legend's order."""

    kind: int
    args: list[int | list[int] | None]


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """What changed since the frame before; a key frame holds every cell."""

    turn: int
    players: list[list[int]]
    """For each player whether it lives (1 or 0), then its figures in the legend's order."""
    patches: list[Patch]
    seq: int = 0
    key: bool = False
    names: list[str] = []
    board: BoardShape | None = None
    """In a key frame: the board, which a late joiner may have made larger than the legend says."""
    pieces: list[list[int]] = []
    """Pieces that are new or changed: id, kind, owner (-1 for none), cell's two coordinates, numbers."""
    piece_names: dict[int, str] = {}
    """Names of pieces that have one, like swarms: in a key frame all of them, else those of new or changed pieces."""
    gone: list[int] = []
    events: list[SceneEvent] = []
    places: list[int] = []
    """By player its place if the match ended now; empty where the audience may not know."""
    teams: list[list[int]] = []
    """By team its figures, in the legend's order."""
    remembered: list[Patch] = []
    """Cells out of sight as they were when they were last seen: in a key frame all of them, else those that left."""
    audience: int | None = None
