"""An application of this process with an admin, for tests of the ledger."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.support.asgi import App, Player, running_app
from tests.support.game_loading import loaded_games


def in_app(folder: Path, work: Callable[[App, Player], Awaitable[None]], **settings: Any) -> None:
    """Run ``work`` with the application and its admin."""

    async def run() -> None:
        async with running_app(folder, loaded_games(), **settings) as app:
            await work(app, Player(app, "", "admin", app.headers["X-Auth-Token"]))

    asyncio.run(run())
