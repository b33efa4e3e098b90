"""The games' own bots play as ordinary seats; they think in a process beside the server."""

import asyncio
import contextlib
import itertools
import logging
import sys
from typing import Any

import msgspec

_PATIENCE = 30.0  # seconds for one answer, after which the process is started anew
_LONGEST_LINE = 256 * 1024 * 1024

log = logging.getLogger(__name__)


class BotWorker:
    """Asks the worker process for orders; starts it when it is needed, and again if it dies."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[list[Any]]] = {}
        self._numbers = itertools.count()
        self._starting = asyncio.Lock()

    async def orders(self, game: str, bot: str, seed: int, view: bytes) -> list[Any]:
        """What a bot does about what it sees; nothing if it fails."""
        number = next(self._numbers)
        answer: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        question = {"id": number, "game": game, "bot": bot, "seed": seed, "view": msgspec.Raw(view)}
        try:
            process = await self._running()
            self._waiting[number] = answer
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            await process.stdin.drain()
            return await asyncio.wait_for(answer, _PATIENCE)
        except TimeoutError:
            log.warning("bots are too slow", extra={"game": game, "bot": bot})
            await self.close()
        except OSError:
            log.warning("bots have died", extra={"game": game, "bot": bot})
        finally:
            self._waiting.pop(number, None)
        return []

    def forget(self, game: str, bot: str, seed: int) -> None:
        """The match of a bot is over: what it remembers is of no use any more."""
        if self._process is not None and self._process.stdin is not None and self._process.returncode is None:
            self._process.stdin.write(msgspec.json.encode({"game": game, "bot": bot, "seed": seed}) + b"\n")

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "marchland.arena.worker",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=_LONGEST_LINE,
                    start_new_session=True,  # Ctrl-C is for the server, which then ends its bots
                )
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            answer = msgspec.json.decode(line)
            waiting = self._waiting.get(answer["id"])
            if waiting is not None and not waiting.done():
                waiting.set_result(answer["orders"])
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result([])

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        reader, self._reader = self._reader, None  # while this one ends, somebody may start the next
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if reader is not None:
            await reader
