"""HTTP routes of maps."""

from typing import Annotated

import msgspec
from starlette.types import Scope

from marchland.messages import MapCheck, MapCreate, MapDetails, MapInfo, MapReport, MapRequest, MapUpdate
from marchland.messages.text import LINE
from marchland.server.http.addresses import limit_key
from marchland.server.http.auth import Authenticator, Caller, address_of
from marchland.server.http.rate_limit import RateLimited
from marchland.server.http.routing import api_router, delete, get, post, put
from marchland.server.maps.service import MapService


@get("/maps")
async def list_maps(
    maps: MapService, game: Annotated[str, msgspec.Meta(max_length=40, pattern=LINE)] | None = None
) -> list[MapInfo]:
    """The maps of a game, or of all: those that come with it, then those that are saved on this server."""
    return await maps.list_maps(game)


@get("/maps/{map_id}")
async def show_map(
    map_id: str, caller: Caller | None, scope: Scope, maps: MapService, authenticator: Authenticator
) -> MapDetails:
    """One map, in every form."""
    _limit_rate(authenticator, caller or limit_key(address_of(scope)))
    return await maps.find(map_id)


@post("/maps", role="organiser")
async def create_map(data: MapCreate, caller: Caller, maps: MapService) -> MapInfo:
    """Save a map under a name; refused if it is not playable. For organisers."""
    return await maps.create(caller, data)


@put("/maps/{map_id}", role="organiser")
async def change_map(map_id: str, data: MapUpdate, caller: Caller, maps: MapService) -> MapInfo:
    """Change a saved map. Existing matches keep their copy; planned ones must still fit. For organisers."""
    return await maps.update(caller, map_id, data)


@delete("/maps/{map_id}", role="organiser")
async def remove_map(map_id: str, caller: Caller, maps: MapService) -> None:
    """Delete a saved map; refused while a room, a round or a season plans matches on it. For organisers."""
    await maps.delete(caller, map_id)


@post("/maps/check", status=200, role="player")
async def check_map(data: MapCheck, caller: Caller, maps: MapService, authenticator: Authenticator) -> MapReport:
    """Everything wrong with a map, and the map in every form; nothing is saved. For every account."""
    _limit_rate(authenticator, caller)
    return await maps.check(data)


@post("/maps/draw", status=200, role="player")
async def draw_map(data: MapRequest, caller: Caller, maps: MapService, authenticator: Authenticator) -> MapReport:
    """A map of one of the game's generators; nothing is saved. For every account."""
    _limit_rate(authenticator, caller)
    return await maps.generate(data)


def _limit_rate(authenticator: Authenticator, client: Caller | str) -> None:
    """Apply the lower rate limit of maps, for an account or an address: a large map may take a second of CPU."""
    if wait := authenticator.at_maps.take(client if isinstance(client, str) else client.id):
        raise RateLimited(wait)


router = api_router(
    "maps",
    list_maps,
    show_map,
    create_map,
    change_map,
    remove_map,
    check_map,
    draw_map,
)
