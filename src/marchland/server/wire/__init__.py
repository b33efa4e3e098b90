"""The protocols in which the games were first played: adapters over matches, rooms and rounds as everybody has them.

A wire holds no rule, no turn's clock and no second copy of a match: what comes in over it goes where our own API would
send it, and the same match can be watched and joined there.
"""

import importlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from litestar import Router
from litestar.di import Provide

from marchland.server.game_loader import GameLoader
from marchland.server.http.errors import Complaint
from marchland.server.matches.manager import Host
from marchland.server.matches.service import Lobby
from marchland.server.wire.require_game import require_game

WIRES: Mapping[str, str] = {
    "colorfight": "marchland.server.wire.colorfight:ColorfightWire",
    "datspulse-final": "marchland.server.wire.datspulse:FinalRounds",
    "datspulse-test": "marchland.server.wire.datspulse:TestRounds",
    "hive": "marchland.server.wire.hive:HiveWire",
}
"""By name, where each wire is found. Its paths begin with its ``prefix``."""


class Wire:
    """One protocol: its routes, and what it has to look after while the server runs.

    A handler that asks for ``wire`` gets this object; everything else it asks for as any handler of the server's does.
    """

    game: ClassVar[str]
    """The game whose matches it plays."""
    prefix: ClassVar[str]
    """Where its paths begin, as in ``/colorfight``."""
    handlers: ClassVar[Sequence[Any]]
    """Route handlers, with paths that follow the prefix."""
    exception_handlers: ClassVar[Mapping[Any, Any]] = {}
    """What it refuses with another status than we would."""

    def router(self, prefix: str, games: GameLoader) -> Router:
        """Its routes behind a prefix, which is its own or ``/``; they wait until the game is loaded."""
        return Router(
            prefix,
            route_handlers=list(self.handlers),
            middleware=[require_game(self.game, games)],
            dependencies={"wire": Provide(lambda: self, sync_to_thread=False, use_cache=True)},
            exception_handlers=dict(self.exception_handlers),
            include_in_schema=False,
        )

    def complaint(self, status: int, sentence: str) -> Any:
        """What is wrong with a request, as its clients expect to be told."""
        raise NotImplementedError

    async def begin(self, host: Host, lobby: Lobby) -> None:
        """Start whatever goes on by itself."""

    async def close(self) -> None:
        """Stop it."""


def wires() -> dict[str, Wire]:
    """A new object of every wire, by name."""
    made = {}
    for name, place in WIRES.items():
        module, _, kind = place.partition(":")
        made[name] = getattr(importlib.import_module(module), kind)()
    return made


class Switchboard:
    """The routes of all wires, those of one of them at ``/`` as well, and which of them a path belongs to."""

    def __init__(self, made: Mapping[str, Wire], root: str | None, games: GameLoader) -> None:
        self._made = made
        self._at_root = None if root is None else made[root]
        self.routers = [wire.router(wire.prefix, games) for wire in made.values()]
        if self._at_root is not None:
            self.routers.append(self._at_root.router("/", games))
        own = [] if root is None else [_form(route.path) for route in self.routers[-1].routes]
        self._own_at_root = re.compile("|".join(own) or r"(?!)")

    def complaint(self, path: str) -> Complaint | None:
        """How whoever asks for a path expects to be refused; None where nobody but us has paths."""
        for wire in self._made.values():
            if f"{path}/".startswith(f"{wire.prefix}/"):
                return wire.complaint
        if self._at_root is not None and self._own_at_root.fullmatch(path.rstrip("/")):
            return self._at_root.complaint
        return None


def _form(path: str) -> str:
    """What paths of a route look like; the rest of such a path is its parameters'."""
    return "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]*\})", path))


__all__ = ["WIRES", "Switchboard", "Wire", "wires"]
