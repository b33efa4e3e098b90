"""Adapters to the games' original protocols ("wires") over matches, rooms and rounds.

A wire has no rules, no clock and no second copy of a match: its requests call the same services as our own API, and
the same match can be watched and joined there.
"""

import importlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from marchland.server.game_loader import GameLoader
from marchland.server.http.auth import Authenticator
from marchland.server.http.errors import ErrorFormat
from marchland.server.http.routing import Endpoint, ErrorHandler, Router
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.wire.require_game import require_game

WIRES: Mapping[str, str] = {
    "colorfight": "marchland.server.wire.colorfight:ColorfightWire",
    "datspulse-final": "marchland.server.wire.datspulse:FinalRounds",
    "datspulse-test": "marchland.server.wire.datspulse:TestRounds",
    "hive": "marchland.server.wire.hive:HiveWire",
}
"""The class of each wire by name; its paths begin with its ``prefix``."""


class Wire:
    """One protocol: its routes, and its background work while the server runs."""

    game: ClassVar[str]
    """The game whose matches it plays."""
    prefix: ClassVar[str]
    """Where its paths begin, as in ``/colorfight``."""
    endpoints: ClassVar[Sequence[Endpoint]]
    """Its routes, with paths that follow the prefix."""
    error_handlers: ClassVar[Mapping[type[Exception], ErrorHandler]] = {}
    """Exceptions with another status than in our own API."""

    def __init__(self, manager: MatchManager, service: MatchService, authenticator: Authenticator) -> None:
        raise NotImplementedError

    def services(self) -> tuple[object, ...]:
        """What its handlers may take by type, beside the services of every handler."""
        return ()

    def router(self, prefix: str, games: GameLoader) -> Router:
        """Its routes behind a prefix, which is its own or ``/``; requests wait until the game is loaded."""
        return Router(
            prefix,
            tuple(self.endpoints),
            wrap=require_game(self.game, games),
            error_handlers=self.error_handlers,
            services=self.services(),
        )

    def error_body(self, status: int, message: str) -> Any:
        """The body of an error response in the form that its clients expect."""
        raise NotImplementedError

    async def begin(self) -> None:
        """Start its background work."""

    async def close(self) -> None:
        """Stop its background work."""


def load_wires() -> dict[str, type[Wire]]:
    """Import the class of every wire, by name."""
    loaded = {}
    for name, place in WIRES.items():
        module, _, kind = place.partition(":")
        loaded[name] = getattr(importlib.import_module(module), kind)
    return loaded


class WireRouter:
    """The routes of all wires, with those of one at ``/`` as well; finds the wire that owns a path."""

    def __init__(self, wires: Mapping[str, Wire], root: str | None) -> None:
        self._wires = wires
        self._root = None if root is None else wires[root]
        self._root_paths = re.compile(r"(?!)")

    def routers(self, games: GameLoader) -> list[Router]:
        """One router for each wire, and one for ``/``."""
        routers = [wire.router(wire.prefix, games) for wire in self._wires.values()]
        if self._root is not None:
            at_root = self._root.router("/", games)
            self._root_paths = re.compile("|".join(_path_pattern(endpoint.path) for endpoint in at_root.endpoints))
            routers.append(at_root)
        return routers

    def error_format(self, path: str) -> ErrorFormat | None:
        """The error format of the wire that owns a path; None for our own paths."""
        for wire in self._wires.values():
            if f"{path}/".startswith(f"{wire.prefix}/"):
                return wire.error_body
        if self._root is not None and self._root_paths.fullmatch(path.rstrip("/")):
            return self._root.error_body
        return None


def _path_pattern(path: str) -> str:
    """A regular expression for the paths of a route."""
    return "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]*\})", path))


__all__ = ["WIRES", "Wire", "WireRouter", "load_wires"]
