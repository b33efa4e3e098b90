"""The catalogue of games, and which of them are loaded."""

from typing import Any, Literal

import msgspec

from marchland.messages.map_spec import MapSpec
from marchland.messages.scene import Verb


class GameInfo(msgspec.Struct, frozen=True):
    """A game in the catalogue."""

    name: str
    version: int
    players: tuple[int, int]
    """Minimum and maximum."""
    most_seats: int
    """The seats of a match that a player may start on the usual board; organisers may start larger ones."""
    fogged: bool
    immediate: bool
    """Whether it has actions that take effect at once."""
    merging: Literal["replace", "unit", "append"]
    presets: list[str]
    bots: list[str]
    config_schema: dict[str, Any]
    """JSON Schema; the extension ``x-group`` is the heading of a setting in forms."""
    verbs: list[Verb]
    maps: MapSpec
    preset_field: str = "rules"
    """The setting that names the preset."""
    preset_values: dict[str, dict[str, Any]] = {}
    """The settings in which each preset differs from the defaults."""
    items: dict[str, dict[str, Any]] = {}
    """The kinds of items of the ledger that it reads, each with the JSON Schema of an item's facts."""
    jobs: dict[str, str] = {}
    """Jobs that an organiser of a season may run manually, and what each does."""
    seasonal: list[str] = []
    """The settings that a season sets by its teams and its clock."""


LoadingState = Literal["waiting", "compiling", "loaded", "failed"]


class GameLoading(msgspec.Struct, frozen=True):
    """The progress of loading a game; its matches can be played when it is loaded."""

    game: str
    state: LoadingState
    progress: float = 0.0
    """The compiled fraction, from 0 to 1."""
    error: str = ""
    """Why it failed, in one line; the server's log has the details."""


class Readiness(msgspec.Struct, frozen=True):
    """Whether a server can play every game."""

    ready: bool
    games: list[GameLoading]
