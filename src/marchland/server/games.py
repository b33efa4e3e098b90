"""The games that can be hosted here."""

import asyncio
import functools

import msgspec
from litestar import Router

from marchland import canvas, registry
from marchland.errors import UnknownNameError
from marchland.match import Refused
from marchland.messages import GameInfo
from marchland.server.routing import get


@get("/games")
async def list_games() -> list[str]:
    """The games' names."""
    return registry.games()


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
        config_schema=msgspec.json.schema(kind.config_type),
        verbs=kind.codec.legend(),
        maps=canvas.find(name).KIT,
    )


router = Router("/", route_handlers=[list_games, describe_game], tags=["games"])
