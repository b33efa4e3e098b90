"""A game's functions for what players see and may order, from the modules in which a game has them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy.typing as npt

from marchland.core.report import Effect, Report
from marchland.core.scene import Picture
from marchland.messages import Forecast, LogLine, Menu, TurnReport

Arrays = dict[str, npt.NDArray[Any]]


class ReadableLog(Protocol):
    """Turns reports into sentences."""

    def add_report(self, game: Any, report: Report) -> list[LogLine]:
        """Add the lines of a step or an action and return them."""


class ResourceLevel(NamedTuple):
    """What a player has of a figure that orders are paid from or that decides what they can do."""

    name: str
    have: int
    income: int | None = None
    """What each turn adds, where the game says so."""


class Views(Protocol):
    """The module ``views`` of a game."""

    def view(self, game: Any, player: int | None, /) -> dict[str, Any]:
        """What a player knows, or a spectator, as plain data."""

    def observe(self, game: Any, player: int, /) -> Arrays:
        """What a player knows, as arrays."""


class Legal(Protocol):
    """The module ``legal`` of a game."""

    def menu(self, game: Any, player: int, verb: str, picked: Mapping[str, Any], /) -> Menu | None:
        """What may be picked for the first parameter of a verb that is not picked yet."""


class Scene(Protocol):
    """The module ``scene`` of a game."""

    def picture(self, game: Any, player: int | None, /) -> Picture:
        """Layers, pieces and figures, as far as a player sees them."""


class Position(Protocol):
    """The module ``position`` of a game."""

    def write(self, game: Any, /) -> dict[str, Any]:
        """The game's own part of a position."""

    def read(self, kind: Any, config: Any, position: dict[str, Any], /) -> Any:
        """The match that a position describes."""


class GameFunctions(NamedTuple):
    """The modules that every game has, and the functions that only some games have."""

    views: Views
    legal: Legal
    scene: Scene
    position: Position
    rebuild: Callable[[Any], Any] | None = None
    """A new match from the values that a position holds, with the checks of `Position.read` on whole arrays.

    For games with large boards: untrusted states are validated so. None: through their positions.
    """
    own_view: Callable[[Any, int | None], dict[str, Any]] | None = None
    """The members of a view that depend on the player, if all others are the same for everyone; `view` ends so."""
    encode_view: Callable[[Any, int | None], bytes] | None = None
    """`view` as JSON, where writing it is faster than encoding it."""
    encode_shared_view: Callable[[Any], bytes] | None = None
    """What views share as JSON, where writing it is faster than encoding it."""
    player_reports: Callable[[Report], Mapping[int, list[TurnReport]]] | None = None
    """By player, what else it learns about a turn."""
    effects: Callable[[Report], Mapping[int, Effect]] | None = None
    """By row of an accepted order, what it did, as far as it is more than ``Done.``; found in the turn's events."""
    prices: Callable[[Any, int, int | None], Mapping[str, Mapping[str, int]]] | None = None
    """By verb the least that a player's order of it costs, by resource; for a cell, where one is picked."""
    probe: Callable[[Any, int, str, int | None], Mapping[str, Any] | None] | None = None
    """An order of a verb, for a cell where one is picked, whose refusal says why the verb is not possible.

    It must not reveal what the player does not see."""
    resources: Callable[[Any, int], Sequence[ResourceLevel]] | None = None
    """What a player gives orders with."""
    forecast: Callable[[Any, int, Mapping[str, Any]], Forecast | None] | None = None
    """What an order of a player would do in a match with all of the player's orders planned."""


class _Undefined:
    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(f"The game has no module with {name!r} and does not override the hook that calls it.")


_UNDEFINED: Any = _Undefined()
NO_FUNCTIONS: Final = GameFunctions(_UNDEFINED, _UNDEFINED, _UNDEFINED, _UNDEFINED)
"""For games that override the hooks themselves."""
