"""The games that can be hosted here."""

import asyncio
import functools

from litestar import Router

from marchland import maps, registry
from marchland.core.config import Config
from marchland.core.season_hooks import SeasonHooks, SeasonState
from marchland.errors import Refused, UnknownNameError
from marchland.messages import GameInfo, GameLoading
from marchland.server.catalog.config_schema import explained
from marchland.server.http.routing import get
from marchland.server.matches.manager import MatchManager

_TEAMS = 2
"""As many as a season's match has at least."""


@get("/games")
async def list_games() -> list[str]:
    """The games' names."""
    return registry.games()


@get("/loading")
async def show_loading(manager: MatchManager) -> list[GameLoading]:
    """Which games can be played yet: after a start of the server, rules may have to be compiled first."""
    return manager.games.status()


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
    hooks = kind.season_hooks
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
        maps=maps.find_adapter(name).spec,
        preset_field=kind.config_type.preset_field,
        preset_values=kind.config_type.presets,
        items={item: hooks.item_schema(item) for item in hooks.item_kinds} if hooks else {},
        jobs={job: hooks.job_descriptions[job] for job in hooks.manual_jobs} if hooks else {},
        seasonal=_seasonal(hooks, kind.config_type) if hooks else [],
    )


def _seasonal(hooks: SeasonHooks, config: type[Config]) -> list[str]:
    """The settings that a season decides: by its number of teams, or by its dates and turns."""
    decided = {*hooks.match_settings(_TEAMS), *SeasonState._fields}
    return [name for name in config.__struct_fields__ if name in decided]


router = Router("/", route_handlers=[list_games, show_loading, describe_game], tags=["games"])
