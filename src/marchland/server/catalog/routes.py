"""HTTP routes of the catalogue of games."""

import asyncio

from marchland import registry
from marchland.messages import GameInfo, GameLoading
from marchland.server.catalog import service
from marchland.server.http.routing import api_router, get
from marchland.server.matches.manager import MatchManager


@get("/games")
async def list_games() -> list[str]:
    """The games' names."""
    return registry.games()


@get("/loading")
async def show_loading(manager: MatchManager) -> list[GameLoading]:
    """Which games are loaded: after a start of the server, rules may have to be compiled first."""
    return manager.games.status()


@get("/games/{game}")
async def describe_game(game: str) -> GameInfo:
    """A game: its players, settings, presets, bots, orders and maps."""
    return await asyncio.to_thread(service.describe_game, game)


router = api_router(
    "games",
    list_games,
    show_loading,
    describe_game,
)
