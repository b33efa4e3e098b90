"""HTTP routes that change and delete the games of seasons."""

from functools import partial

import msgspec
from litestar import Router
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import MatchCreate, SeasonGameInfo, SeasonGameUpdate
from marchland.server.audit import record
from marchland.server.http.auth import require_caller, require_role
from marchland.server.http.patch import apply_patch, fields_set
from marchland.server.http.routing import delete, patch
from marchland.server.matches import queries as match_queries
from marchland.server.matches.service import MatchService
from marchland.server.scheduler import Scheduler
from marchland.server.seasons import queries
from marchland.server.seasons.queries import SeasonGame
from marchland.server.seasons.routes import game_info, with_seats
from marchland.store import Store


@patch("/season-games/{game:str}")
async def change_game(
    game: str, data: SeasonGameUpdate, scope: Scope, store: Store, scheduler: Scheduler, service: MatchService
) -> SeasonGameInfo:
    """Change a game of a season: its settings before it starts, the length of its turns at any time. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")
    before = await store.read(partial(queries.game, game=game))
    after = _changed(before, data)
    if after.template != before.template:
        teams = await store.read(partial(queries.teams_of, game=game))
        await scheduler.factory.validate(with_seats(after.template, teams))

    def work(connection: Connection) -> SeasonGameInfo:
        found = queries.game(connection, game)
        if found.match != before.match:
            raise Refused("started", f"The match of {found.name!r} was made a moment ago; look, then send it again.")
        made = _changed(found, data)
        queries.change_game(connection, made)
        record(connection, caller, "change season game", made.name, data)
        return game_info(connection, made, caller)

    if before.match is not None and after.template.clock != before.template.clock:
        return await service.set_clock(before.match, after.template.clock, work)
    made: SeasonGameInfo = await store.write(work)
    scheduler.wake()
    return made


@delete("/season-games/{game:str}")
async def remove_game(game: str, scope: Scope, store: Store) -> None:
    """Forget a game of a season and its teams, while it has no match. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")

    def work(connection: Connection) -> None:
        found = queries.game(connection, game)
        if found.match is not None and match_queries.find(connection, found.match) is not None:
            raise Refused("started", f"The game {found.name!r} has a match; remove that first.")
        queries.remove_game(connection, found)
        record(connection, caller, "remove season game", found.name)

    await store.write(work)


def _changed(game: SeasonGame, change: SeasonGameUpdate) -> SeasonGame:
    """The game as wished; once its match is there, only what the match can follow."""
    wished = fields_set(change)
    template = game.template
    if isinstance(change.template, MatchCreate):
        template = change.template
        if game.match is not None and msgspec.structs.replace(template, clock=game.template.clock) != game.template:
            raise Refused("started", f"The match of {game.name!r} was made: only its clock can change now.")
    return game._replace(name=wished.get("name", game.name), template=apply_patch(template, change))


router = Router("/", route_handlers=[change_game, remove_game], tags=["seasons"])
