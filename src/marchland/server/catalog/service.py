"""Descriptions of games for clients."""

import functools

from marchland import maps, registry
from marchland.core.config import Config
from marchland.core.season_hooks import SeasonHooks, SeasonState
from marchland.errors import Refused, UnknownNameError
from marchland.messages import GameInfo
from marchland.server.catalog.config_schema import config_schema
from marchland.server.matches.capacity import Capacity

_TEAMS = 2
"""The fewest teams of a season's match."""


def describe_game(name: str, capacity: Capacity) -> GameInfo:
    """A game with its settings, bots, orders and maps; refused if there is none of that name."""
    try:
        kind = registry.find(name)
    except UnknownNameError as problem:
        raise Refused.of("not_found", problem) from None
    return _describe(name, capacity.most_seats(kind))


@functools.cache
def _describe(name: str, most_seats: int) -> GameInfo:
    kind = registry.find(name)
    hooks = kind.season_hooks
    return GameInfo(
        name=kind.name,
        version=kind.version,
        players=(kind.least_players, kind.most_players),
        most_seats=most_seats,
        fogged=kind.fogged,
        immediate=kind.act_kernel is not None,
        merging=kind.merging,
        presets=list(kind.config_type.presets),
        bots=list(kind.bots),
        config_schema=config_schema(kind.config_type),
        verbs=kind.codec.legend(),
        maps=maps.find_adapter(name).spec,
        preset_field=kind.config_type.preset_field,
        preset_values=kind.config_type.presets,
        items={item: hooks.item_schema(item) for item in hooks.item_kinds} if hooks else {},
        jobs={job: hooks.job_descriptions[job] for job in hooks.manual_jobs} if hooks else {},
        seasonal=_seasonal_settings(hooks, kind.config_type) if hooks else [],
    )


def _seasonal_settings(hooks: SeasonHooks, config: type[Config]) -> list[str]:
    """The settings that a season decides: by its number of teams, or by its dates and turns."""
    decided = {*hooks.match_settings(_TEAMS), *SeasonState._fields}
    return [name for name in config.__struct_fields__ if name in decided]
