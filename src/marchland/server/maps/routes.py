"""Maps: those that come with games, and those that are kept here."""

import asyncio
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Router
from litestar.params import Parameter
from litestar.types import Scope
from sqlalchemy import Connection

import marchland
from marchland import maps, registry
from marchland.errors import MarchlandError, Refused
from marchland.messages import MapCheck, MapCreate, MapDetails, MapInfo, MapReport, MapRequest, MapUpdate
from marchland.messages.text import LINE
from marchland.server.audit import record
from marchland.server.http.auth import Authenticator, Caller, address_of, caller_or_none, require_caller, require_role
from marchland.server.http.payload_limits import check_depth
from marchland.server.http.rate_limit import RateLimited
from marchland.server.http.routing import delete, get, post, put
from marchland.server.maps import queries
from marchland.server.maps.queries import User
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.setup import validate_request, with_map_settings, with_team_seats
from marchland.store import Store

_COLON = ":"  # in the id of a map that comes with a game; ids of kept ones have none


@get("/maps")
async def list_maps(
    store: Store, game: Annotated[str | None, Parameter(max_length=40, pattern=LINE)] = None
) -> list[MapInfo]:
    """The maps of a game, or of all: those that come with it, then those that are kept here."""
    builtin = await asyncio.to_thread(_builtin_maps, game)
    return builtin + await store.read(partial(queries.listed, game=game))


@get("/maps/{map_id:str}")
async def show_map(map_id: str, scope: Scope, store: Store, authenticator: Authenticator) -> MapDetails:
    """One map, in every form."""
    _slow_down(authenticator, caller_or_none(scope) or address_of(scope))
    game, colon, name = map_id.partition(_COLON)
    if colon:
        return await asyncio.to_thread(_builtin_sheet, game, name)
    info = await store.read(partial(queries.find, id=map_id))
    data = await store.read(partial(queries.content, id=map_id))
    return MapDetails(info, await asyncio.to_thread(maps.check_map, info.game, data))


@post("/maps")
async def create_map(data: MapCreate, scope: Scope, store: Store) -> MapInfo:
    """Keep a map under a name; refused if nobody could play on it. For organisers."""
    caller = _organiser(scope)
    report = await _playable(data.game, data.data)
    await asyncio.to_thread(_check_name, data.game, data.name)
    new = msgspec.structs.replace(data, data=report.data)

    def work(connection: Connection) -> MapInfo:
        record(connection, caller, "create map", data.name, {"game": data.game})
        return queries.create(connection, new, caller.id)

    made: MapInfo = await store.write(work)
    return made


@put("/maps/{map_id:str}")
async def change_map(map_id: str, data: MapUpdate, scope: Scope, store: Store, manager: MatchManager) -> MapInfo:
    """Change a kept map. Matches on it keep their copy; what is planned on it must still fit. For organisers."""
    caller = _organiser(scope)
    info = await store.read(partial(queries.find, id=map_id))
    report = await _playable(info.game, data.data)
    await asyncio.to_thread(_check_name, info.game, data.name)
    for user in await store.read(partial(queries.users, id=map_id)):
        await manager.games.require(info.game)
        await asyncio.to_thread(_fits, user, report.data)
    new = msgspec.structs.replace(data, data=report.data)

    def work(connection: Connection) -> MapInfo:
        record(connection, caller, "change map", data.name, {"game": info.game, "id": map_id, "before": info.name})
        return queries.change(connection, map_id, new)

    changed: MapInfo = await store.write(work)
    return changed


@delete("/maps/{map_id:str}")
async def remove_map(map_id: str, scope: Scope, store: Store) -> None:
    """Forget a kept map; refused while a room, a round or a season plans to play on it. For organisers."""
    caller = _organiser(scope)

    def work(connection: Connection) -> None:
        info = queries.find(connection, map_id)
        if users := queries.users(connection, map_id):
            raise Refused("in_use", f"The {users[0].kind} {users[0].name!r} plays on this map; close it first.")
        record(connection, caller, "remove map", info.name, {"game": info.game, "id": map_id})
        queries.remove(connection, map_id)

    await store.write(work)


@post("/maps/check", status_code=200)
async def check_map(data: MapCheck, scope: Scope, authenticator: Authenticator) -> MapReport:
    """Everything wrong with a map, and the map in every form; nothing is kept. For everybody with a token."""
    _slow_down(authenticator, require_caller(scope))
    check_depth([data.data])
    if (data.data is None) == (data.drawing is None):
        raise Refused("bad_request", "A map to be checked is given either as data or as a drawing.")
    if data.drawing is not None:
        return await asyncio.to_thread(maps.check_drawing, data.game, data.drawing)
    return await asyncio.to_thread(maps.check_map, data.game, data.data)


@post("/maps/draw", status_code=200)
async def draw_map(data: MapRequest, scope: Scope, manager: MatchManager, authenticator: Authenticator) -> MapReport:
    """A map of one of the game's generators; nothing is saved. For everybody with a token."""
    _slow_down(authenticator, require_caller(scope))
    registry.find(data.game)
    await manager.games.require(data.game)
    return await asyncio.to_thread(maps.generate, data.game, data.generator, data.settings)


def _organiser(scope: Scope) -> Caller:
    caller = require_caller(scope)
    require_role(caller, "organiser")
    return caller


def _slow_down(authenticator: Authenticator, who: Caller | str) -> None:
    """A large map may take a second of work: no account, and no address, has that as often as other requests."""
    if waiting := authenticator.at_maps.take(who if isinstance(who, str) else who.id):
        raise RateLimited(waiting)


async def _playable(game: str, data: Any) -> MapReport:
    """The map, if it can be played; refused with the first thing that is wrong."""
    check_depth([data])
    report = await asyncio.to_thread(maps.check_map, game, data)
    if not report.playable:
        raise Refused("bad_request", next(one.sentence for one in report.problems if one.grave))
    return report


def _check_name(game: str, name: str) -> None:
    if name in maps.find_adapter(game).builtin_maps():
        raise Refused("name_taken", f"There is a map {name!r} of {game} already; it comes with the game.")


def _fits(user: User, data: Any) -> None:
    """Refuse a map on which what is planned could not be played."""
    template = with_team_seats(user.template, ()) if user.kind == "season's game" else user.template
    try:
        wish = with_map_settings(template, data)
        validate_request(wish)
        marchland.new(wish.game, len(wish.seats), rules=wish.rules, config=wish.config, map=data)
    except MarchlandError as problem:
        what = f"The {user.kind} {user.name!r} plays on this map, and could not on the new one"
        raise Refused("in_use", f"{what}: {problem} Close it first, or keep the new map under another name.") from None


def _builtin_maps(wanted: str | None) -> list[MapInfo]:
    """The maps that come with a game, or with every game."""
    return [
        MapInfo(f"{game}{_COLON}{name}", game, name, "built-in")
        for game in registry.find_all()
        if wanted in (None, game)
        for name in maps.find_adapter(game).builtin_maps()
    ]


def _builtin_sheet(game: str, name: str) -> MapDetails:
    known = maps.find_adapter(game).builtin_maps() if game in registry.games() else {}
    if name not in known:
        raise Refused("not_found", f"There is no map {game + _COLON + name!r}.")
    return MapDetails(MapInfo(f"{game}{_COLON}{name}", game, name, "built-in"), maps.check_map(game, known[name]))


router = Router(
    "/",
    route_handlers=[list_maps, show_map, create_map, change_map, remove_map, check_map, draw_map],
    tags=["maps"],
)
