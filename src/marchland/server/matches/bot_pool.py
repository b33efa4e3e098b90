"""Runs the games' built-in bots in a worker process."""

import asyncio
import contextlib
import itertools
import logging
import sys
from typing import Any

import msgspec

_TIMEOUT = 30.0  # seconds for one answer, after which the process is restarted
_MAX_LINE = 256 * 1024 * 1024

log = logging.getLogger(__name__)


class BotWorker:
    """Asks the worker process for orders; starts it on demand and restarts it if it dies."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[list[Any]]] = {}
        self._numbers = itertools.count()
        self._starting = asyncio.Lock()

    async def orders(self, game: str, bot: str, seed: int, turn: int, view: bytes) -> list[Any]:
        """A bot's orders for a view; none if it fails."""
        number = next(self._numbers)
        answer: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        question = {"id": number, "game": game, "bot": bot, "seed": seed, "turn": turn, "view": msgspec.Raw(view)}
        try:
            process = await self._ensure_running()
            self._waiting[number] = answer
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            await process.stdin.drain()
            return await asyncio.wait_for(answer, _TIMEOUT)
        except TimeoutError:
            log.warning("bot worker timed out", extra={"game": game, "bot": bot})
            await self.close()
        except OSError:
            log.warning("bot worker died", extra={"game": game, "bot": bot})
        finally:
            self._waiting.pop(number, None)
        return []

    def forget(self, game: str, bot: str, seed: int) -> None:
        """Discard the state of a bot whose match is over."""
        if self._process is not None and self._process.stdin is not None and self._process.returncode is None:
            self._process.stdin.write(msgspec.json.encode({"game": game, "bot": bot, "seed": seed}) + b"\n")

    async def _ensure_running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "marchland.arena.worker",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=_MAX_LINE,
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
        reader, self._reader = self._reader, None  # while this process ends, another call may start the next
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if reader is not None:
            await reader
