"""Maps: those that come with games, and those that organisers have saved on the server."""

import asyncio
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection

import marchland
from marchland import maps, registry
from marchland.errors import MarchlandError, Refused
from marchland.messages import MapCheck, MapCreate, MapDetails, MapInfo, MapReport, MapRequest, MapUpdate
from marchland.messages.names import skeleton
from marchland.server.audit import record
from marchland.server.game_loader import GameLoader
from marchland.server.http.auth import Caller
from marchland.server.http.payload_limits import check_depth
from marchland.server.maps import queries
from marchland.server.maps.queries import MapUse
from marchland.server.matches.setup import validate_request, with_map_settings, with_team_seats
from marchland.store import Database

_COLON = ":"  # in the id of a built-in map; ids of saved ones have none


class MapService:
    """Lists, checks, generates, saves and changes maps. What takes long runs in a thread."""

    def __init__(self, store: Database, games: GameLoader) -> None:
        self._store = store
        self._games = games

    async def list_maps(self, game: str | None) -> list[MapInfo]:
        """The maps of a game, or of all: the built-in ones, then the saved ones."""
        builtin = await asyncio.to_thread(_list_builtin, game)
        return builtin + await self._store.read(partial(queries.list_maps, game=game))

    async def find(self, map_id: str) -> MapDetails:
        """One map in every form; refused if there is none."""
        game, colon, name = map_id.partition(_COLON)
        if colon:
            return await asyncio.to_thread(_find_builtin, game, name)
        info = await self._store.read(partial(queries.find_map, id=map_id))
        data = await self._store.read(partial(queries.load_content, id=map_id))
        return MapDetails(info, await asyncio.to_thread(maps.check_map, info.game, data))

    async def create(self, caller: Caller, request: MapCreate) -> MapInfo:
        """Save a map; refused if it is not playable."""
        report = await _check_playable(request.game, request.data)
        await asyncio.to_thread(_check_name, request.game, request.name)
        new = msgspec.structs.replace(request, data=report.data)

        def write(connection: Connection) -> MapInfo:
            record(connection, caller, "create map", new.name, {"game": new.game})
            return queries.insert_map(connection, new, caller.id)

        info: MapInfo = await self._store.write(write)
        return info

    async def update(self, caller: Caller, map_id: str, request: MapUpdate) -> MapInfo:
        """Change a saved map; refused if planned matches could not be played on it. Existing matches have a copy."""
        before = await self._store.read(partial(queries.find_map, id=map_id))
        report = await _check_playable(before.game, request.data)
        await asyncio.to_thread(_check_name, before.game, request.name)
        for use in await self._store.read(partial(queries.uses_of, id=map_id)):
            await self._games.require(before.game)
            await asyncio.to_thread(_check_use, use, report.data)
        new = msgspec.structs.replace(request, data=report.data)

        def write(connection: Connection) -> MapInfo:
            details = {"game": before.game, "id": map_id, "before": before.name}
            record(connection, caller, "change map", new.name, details)
            return queries.update_map(connection, map_id, new)

        after: MapInfo = await self._store.write(write)
        return after

    async def delete(self, caller: Caller, map_id: str) -> None:
        """Delete a saved map; refused while a room, a round or a season plans matches on it."""

        def write(connection: Connection) -> None:
            info = queries.find_map(connection, map_id)
            if uses := queries.uses_of(connection, map_id):
                raise Refused("in_use", "map_in_use", kind=uses[0].kind, name=uses[0].name)
            record(connection, caller, "remove map", info.name, {"game": info.game, "id": map_id})
            queries.delete_map(connection, map_id)

        await self._store.write(write)

    async def check(self, request: MapCheck) -> MapReport:
        """Everything that is wrong with a map, and the map in every form."""
        check_depth([request.data])
        if (request.data is None) == (request.drawing is None):
            raise Refused("bad_request", "map_data_or_drawing")
        if request.drawing is not None:
            return await asyncio.to_thread(maps.check_drawing, request.game, request.drawing)
        return await asyncio.to_thread(maps.check_map, request.game, request.data)

    async def generate(self, request: MapRequest) -> MapReport:
        """A map by one of the game's generators; it is not saved."""
        registry.find(request.game)
        await self._games.require(request.game)
        return await asyncio.to_thread(maps.generate, request.game, request.generator, request.settings)


async def _check_playable(game: str, data: Any) -> MapReport:
    """The report of a playable map; otherwise refused with the first problem."""
    check_depth([data])
    report = await asyncio.to_thread(maps.check_map, game, data)
    if not report.playable:
        raise Refused("bad_request", next(problem.sentence for problem in report.problems if problem.grave))
    return report


def _check_name(game: str, name: str) -> None:
    if skeleton(name) in map(skeleton, maps.find_adapter(game).builtin_maps()):
        raise Refused("name_taken", "map_name_built_in", name=name, game=game)


def _check_use(use: MapUse, data: Any) -> None:
    """Refuse a map on which a planned match could not be played."""
    template = with_team_seats(use.template, ()) if use.kind == "season's game" else use.template
    try:
        request = with_map_settings(template, data)
        validate_request(request)
        marchland.new(request.game, len(request.seats), rules=request.rules, config=request.config, map=data)
    except MarchlandError as problem:
        raise Refused("in_use", "map_planned", kind=use.kind, name=use.name, problem=str(problem)) from None


def _list_builtin(wanted: str | None) -> list[MapInfo]:
    """The built-in maps of a game, or of all."""
    return [
        _builtin_info(game, name)
        for game in registry.find_all()
        if wanted in (None, game)
        for name in maps.find_adapter(game).builtin_maps()
    ]


def _find_builtin(game: str, name: str) -> MapDetails:
    builtin = maps.find_adapter(game).builtin_maps() if game in registry.games() else {}
    if name not in builtin:
        raise Refused("not_found", "no_such_map", map=game + _COLON + name)
    return MapDetails(_builtin_info(game, name), maps.check_map(game, builtin[name]))


def _builtin_info(game: str, name: str) -> MapInfo:
    return MapInfo(f"{game}{_COLON}{name}", game, name, "built-in")
