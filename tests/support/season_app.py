"""A season that is on, with one game of BoidVoid, in an application of this process."""

import asyncio
import datetime
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from marchland.server.scheduler import Scheduler
from tests.support.asgi import PATIENCE, App, Player, running_app
from tests.support.game_loading import loaded_games

TODAY = datetime.datetime.now(datetime.UTC).date()
HOURLY = {"kind": "every", "seconds": 3600, "early": False}


def team(name: str, *members: Player | tuple[Player, str]) -> dict[str, Any]:
    """A team; the first member leads it, others are troopers unless their role is given."""
    ranked = [(member, "trooper") if isinstance(member, Player) else member for member in members]
    ranked[0] = (ranked[0][0], "leader")
    return {"name": name, "members": [{"account": member.id, "role": role} for member, role in ranked]}


async def eventually(condition: Callable[[], Awaitable[Any]]) -> Any:
    """Wait until the condition has a value, and return it."""
    async with asyncio.timeout(PATIENCE):
        while not (value := await condition()):
            await asyncio.sleep(0.02)
    return value


class Season(NamedTuple):
    """A running season."""

    app: App
    admin: Player

    async def create_game(self, teams: list[Any], **template: Any) -> dict[str, Any]:
        """A game with these teams, whose match may not exist yet."""
        body = {"name": "void", "template": {"game": "boidvoid", "seats": [{}], **template}, "teams": teams}
        game: dict[str, Any] = await self.admin.must("POST", "/seasons/now/games", body)
        return game

    async def start_game(self, teams: list[Any], **template: Any) -> "SeasonGame":
        """A game whose match runs and has done the jobs of its first day."""
        game = await self.create_game(teams, **template)
        started = SeasonGame(self.admin, game["id"], await eventually(lambda: self._match_of(game["id"])))
        await eventually(lambda: started.jobs("daily_maintenance"))
        return started

    async def _match_of(self, game: str) -> Any:
        match = (await self.admin.must("GET", f"/season-games/{game}"))["match"]
        info = await self.admin.must("GET", f"/matches/{match}") if match else {}
        return match if info.get("state") == "running" else None


class SeasonGame(NamedTuple):
    """A game of the season with its match."""

    admin: Player
    id: str
    match: str

    async def jobs(self, name: str) -> list[Any]:
        """The finished jobs of a name."""
        return [job for job in await self.admin.must("GET", f"/jobs?match={self.match}") if job["name"] == name]

    async def run_job(self, name: str) -> Any:
        """Run a job by hand."""
        return await self.admin.must("POST", "/jobs", {"match": self.match, "name": name})

    async def info(self) -> Any:
        """The game as an organiser sees it."""
        return await self.admin.must("GET", f"/season-games/{self.id}")

    async def view(self) -> Any:
        """The match as a spectator sees it."""
        return await self.admin.must("GET", f"/matches/{self.match}/view")

    async def act(self, player: Player, key: str, **order: Any) -> Any:
        """The result of an immediate action."""
        body = {"order": order, "key": key}
        return (await player.must("POST", f"/matches/{self.match}/act", body))["result"]

    async def spawn(self, player: Player, seat: int) -> None:
        """Put a player's ship on the map."""
        cells = (await player.must("POST", f"/matches/{self.match}/legal", {"do": "spawn", "unit": seat}))["cells"]
        assert (await self.act(player, f"spawn {seat}", do="spawn", unit=seat, at=cells[0]))["ok"]


@asynccontextmanager
async def running_season(folder: Path, **settings: Any) -> AsyncIterator[Season]:
    """An application with a season from today on."""
    async with running_app(folder, loaded_games(), **settings) as app:
        admin = Player(app, "", "admin", app.headers["X-Auth-Token"])
        await admin.must(
            "POST", "/seasons", {"name": "now", "start": str(TODAY), "end": str(TODAY + datetime.timedelta(days=30))}
        )
        waker = asyncio.create_task(_wake_often(app.dependency(Scheduler)))
        try:
            yield Season(app, admin)
        finally:
            waker.cancel()


async def _wake_often(scheduler: Scheduler) -> None:
    """Tick more often than once a second, so that tests need not wait for it."""
    while True:
        await asyncio.sleep(0.05)
        scheduler.wake()
