"""The games that can be hosted here."""

import asyncio
import functools
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from litestar import Router

from marchland import canvas, registry
from marchland.core.config import Config
from marchland.core.hosting import Course, Hosting
from marchland.errors import Refused, UnknownNameError
from marchland.messages import GameInfo, GameLoading
from marchland.server.catalog.config_schema import explained
from marchland.server.http.routing import get
from marchland.server.matches.manager import Host

_TEAMS = 2
"""As many as a season's match has at least."""


@get("/games")
async def list_games() -> list[str]:
    """The games' names."""
    return registry.games()


@get("/loading")
async def show_loading(host: Host) -> list[GameLoading]:
    """Which games can be played yet: after a start of the server, rules may have to be compiled first."""
    return host.games.status()


@get("/games/{game:str}")
async def describe_game(game: str) -> GameInfo:
    """A game: its players, settings, presets, bots, orders and maps."""
    return await asyncio.to_thread(_described, game)


@functools.cache
def _described(name: str) -> GameInfo:
    try:
        kind = registry.find(name)
    except UnknownNameError as problem:
        raise Refused("not_found", str(problem)) from None
    return GameInfo(
        name=kind.name,
        version=kind.version,
        players=(kind.least_players, kind.most_players),
        fogged=kind.fogged,
        immediate=kind.act_kernel is not None,
        merging=kind.merging,
        presets=list(kind.config_type.presets),
        bots=list(kind.bots),
        config_schema=explained(kind.config_type),
        verbs=kind.codec.legend(),
        maps=canvas.find(name).KIT,
        preset_field=kind.config_type.preset_field,
        preset_values=kind.config_type.presets,
        items={one: _facts(kind.hosting, one) for one in kind.hosting.item_kinds} if kind.hosting else {},
        jobs={one: _words(kind.hosting, one) for one in kind.hosting.by_hand} if kind.hosting else {},
        seasonal=_seasonal(kind.hosting, kind.config_type) if kind.hosting else [],
    )


@runtime_checkable
class Explained(Protocol):
    """A `Hosting` that can say in words and schemas what it takes and does."""

    job_words: Mapping[str, str]
    """What each job does."""

    def item_schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema of the facts of an item of that kind."""


def _facts(hosting: Hosting, kind: str) -> dict[str, Any]:
    return hosting.item_schema(kind) if isinstance(hosting, Explained) else {"type": "object"}


def _seasonal(hosting: Hosting, config: type[Config]) -> list[str]:
    """Settings that follow from a season's teams, and those of which its course tells what holds instead."""
    told = {*hosting.settings(_TEAMS), *Course._fields}
    return [name for name in config.__struct_fields__ if name in told]


def _words(hosting: Hosting, job: str) -> str:
    return hosting.job_words.get(job, "") if isinstance(hosting, Explained) else ""


router = Router("/", route_handlers=[list_games, show_loading, describe_game], tags=["games"])
