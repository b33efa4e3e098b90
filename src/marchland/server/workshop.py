"""Games are compiled beside the server, so that its clocks go on meanwhile."""

import asyncio
import gc
import logging
import os
import sys

from marchland.match import Refused
from marchland.registry import find

log = logging.getLogger(__name__)


class Workshop:
    """Compiles each game once, in a process of its own, if this machine has not done so yet."""

    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._settled: set[str] = set()
        self._at_work: dict[str, asyncio.Lock] = {}
        self._benches = asyncio.Semaphore(os.cpu_count() or 1)
        """One for each processor: the first game is ready sooner than if all were compiled at once."""

    async def ready(self, game: str) -> None:
        """Return when a match of the game can start without being compiled."""
        if game in self._ready:
            return
        async with self._at_work.setdefault(game, asyncio.Lock()):
            if game not in self._ready and not await asyncio.to_thread(_is_compiled, game):
                async with self._benches:
                    await self._compile(game)
            self._ready.add(game)

    def settle(self, game: str) -> None:
        """What a game has loaded stays for good: without this, looking for garbage in it stops everything for 60 ms."""
        if game not in self._settled:
            self._settled.add(game)
            gc.collect()
            gc.freeze()

    async def _compile(self, game: str) -> None:
        log.info("compiling", extra={"game": game})
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "marchland",
            "warmup",
            game,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            if await process.wait():
                raise Refused("unavailable", f"{game} could not be compiled on this server.")
        finally:
            if process.returncode is None:
                process.kill()
        log.info("compiled", extra={"game": game})


def _is_compiled(game: str) -> bool:
    return find(game).load(compile=False)
