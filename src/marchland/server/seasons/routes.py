"""HTTP routes of seasons, their games and teams."""

from marchland.messages import (
    SeasonCreate,
    SeasonGameCreate,
    SeasonGameInfo,
    SeasonGameUpdate,
    SeasonInfo,
    SeasonUpdate,
    Team,
)
from marchland.server.http.auth import Caller
from marchland.server.http.routing import api_router, delete, get, patch, post, put
from marchland.server.seasons.service import SeasonService


@get("/seasons")
async def list_seasons(seasons: SeasonService) -> list[SeasonInfo]:
    """All seasons, the first first."""
    return await seasons.list_seasons()


@get("/seasons/{season}")
async def show_season(season: str, seasons: SeasonService) -> SeasonInfo:
    """One season, by id or name."""
    return await seasons.find(season)


@post("/seasons", role="organiser")
async def create_season(data: SeasonCreate, caller: Caller, seasons: SeasonService) -> SeasonInfo:
    """Add a season; refused if it overlaps another. For organisers."""
    return await seasons.create(caller, data)


@patch("/seasons/{season}", role="organiser")
async def change_season(season: str, data: SeasonUpdate, caller: Caller, seasons: SeasonService) -> SeasonInfo:
    """Change a season's name or days; refused if it then overlaps another. For organisers."""
    return await seasons.update(caller, season, data)


@delete("/seasons/{season}", role="organiser")
async def remove_season(season: str, caller: Caller, seasons: SeasonService) -> None:
    """Delete a season that has no games. For organisers."""
    await seasons.delete(caller, season)


@get("/seasons/{season}/games")
async def list_games(season: str, caller: Caller | None, seasons: SeasonService) -> list[SeasonGameInfo]:
    """The games of a season."""
    return await seasons.list_games(caller, season)


@post("/seasons/{season}/games", role="organiser")
async def create_game(season: str, data: SeasonGameCreate, caller: Caller, seasons: SeasonService) -> SeasonGameInfo:
    """Add a game to a season. Its match is created once the season runs and the game has teams. For organisers."""
    return await seasons.create_game(caller, season, data)


@get("/season-games/{game}")
async def show_game(game: str, caller: Caller | None, seasons: SeasonService) -> SeasonGameInfo:
    """One game of a season, by id."""
    return await seasons.find_game(caller, game)


@patch("/season-games/{game}", role="organiser")
async def change_game(game: str, data: SeasonGameUpdate, caller: Caller, seasons: SeasonService) -> SeasonGameInfo:
    """Change a game of a season: its settings before it starts, the length of its turns at any time. For organisers."""
    return await seasons.update_game(caller, game, data)


@delete("/season-games/{game}", role="organiser")
async def remove_game(game: str, caller: Caller, seasons: SeasonService) -> None:
    """Delete a game of a season and its teams, while it has no match. For organisers."""
    await seasons.delete_game(caller, game)


@put("/season-games/{game}/teams", role="organiser")
async def set_teams(game: str, data: list[Team], caller: Caller, seasons: SeasonService) -> SeasonGameInfo:
    """Replace the teams of a game, with their leaders and vice-leaders, also in a running match. For organisers."""
    return await seasons.set_teams(caller, game, data)


@get("/teams", role="player")
async def my_teams(caller: Caller, seasons: SeasonService) -> list[SeasonGameInfo]:
    """The games of seasons in which the caller is a member of a team."""
    return await seasons.list_games_of(caller)


router = api_router(
    "seasons",
    list_seasons,
    show_season,
    create_season,
    change_season,
    remove_season,
    list_games,
    create_game,
    show_game,
    change_game,
    remove_game,
    set_teams,
    my_teams,
)
