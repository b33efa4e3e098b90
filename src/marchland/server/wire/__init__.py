"""The protocols in which the games were first played: adapters over matches, rooms and rounds as everybody has them.

A wire holds no rule, no turn's clock and no second copy of a match: what comes in over it goes where our own API would
send it, and the same match can be watched and joined there.
"""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from litestar import MediaType, Response, Router, route
from litestar.di import Provide

from marchland.server.host import Host
from marchland.server.lobby import Lobby

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

    prefix: ClassVar[str]
    """Where its paths begin, as in ``/colorfight``."""
    handlers: ClassVar[Sequence[Any]]
    """Route handlers, with paths that follow the prefix."""
    exception_handlers: ClassVar[Mapping[Any, Any]] = {}
    """How it puts refusals into words, where our own are not its own."""

    def router(self, prefix: str) -> Router:
        """Its routes behind a prefix, which is its own or ``/``."""
        return Router(
            prefix,
            route_handlers=[*self.handlers, *self.astray(prefix)],
            dependencies={"wire": Provide(lambda: self, sync_to_thread=False, use_cache=True)},
            exception_handlers=dict(self.exception_handlers),
            include_in_schema=False,
        )

    def complaint(self, status: int, sentence: str) -> Any:
        """What is wrong with a request, as its clients expect to be told."""
        raise NotImplementedError

    def astray(self, prefix: str) -> list[Any]:
        """What answers to paths that it has not; at ``/`` these are not its own."""

        @route("/{path:path}", http_method=["DELETE", "GET", "PATCH", "POST", "PUT"])
        async def nowhere(path: str) -> Response[bytes]:
            body = msgspec.json.encode(self.complaint(404, f"There is no {path}"))
            return Response(body, status_code=404, media_type=MediaType.JSON)

        return [] if prefix == "/" else [nowhere]

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


def routers(made: Mapping[str, Wire], root: str | None) -> list[Router]:
    """The routes of all wires, and those of one of them at ``/`` as well."""
    found = [wire.router(wire.prefix) for wire in made.values()]
    return found if root is None else [*found, made[root].router("/")]


__all__ = ["WIRES", "Wire", "routers", "wires"]
