"""A game loader that compiles nothing, so that tests decide when a game is loaded and how compiling fails."""

import asyncio
from collections.abc import Sequence

from marchland.server.compile_processes import CompileProcesses
from marchland.server.game_loader import CompileError, GameLoader, OnProgress


class FakeBackend:
    """Pretends that the kernel cache holds only the games in ``cached``."""

    def __init__(self, cached: Sequence[str] = (), failures: int = 0) -> None:
        self.cached = set(cached)
        self.failures = failures
        """How often compiling fails, of each game, before it works."""
        self.attempts: list[str] = []
        """The games for which a worker was started, in that order."""
        self.progress: dict[str, OnProgress] = {}
        """Reports the progress of each game that is compiling."""
        self.finish = asyncio.Event()
        """Set it to let every compilation end."""

    def compile_cost(self, game: str) -> float:
        """The longer the name, the longer it takes."""
        return float(len(game))

    def load(self, game: str) -> bool:
        """Whether it is cached."""
        return game in self.cached

    def compile_here(self, game: str) -> None:
        """Not what a server should do."""
        raise AssertionError(f"{game} is compiled in the server")

    async def compile(self, game: str, on_progress: OnProgress) -> None:
        """Fail as often as it should, then wait for ``finish``."""
        self.attempts.append(game)
        if self.attempts.count(game) <= self.failures:
            raise CompileError(f"{game} does not compile")
        self.progress[game] = on_progress
        await self.finish.wait()
        self.cached.add(game)


def loaded_games() -> GameLoader:
    """A loader that has nothing to load: every game can be played."""
    return GameLoader(CompileProcesses(), [])
