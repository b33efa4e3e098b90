"""A worker process of the server: requests, responses, restart with backoff."""

import asyncio
import contextlib
import itertools
import logging
import sys
import time
from collections.abc import Callable
from typing import Final

import msgspec

from marchland.arena.worker import Request, Response, encode_message

_TIMEOUT: Final = 30.0
"""Seconds without any sign of life, after which the process is killed."""
_FIRST_DELAY: Final = 0.5
_MAX_DELAY: Final = 30.0
_STREAM_LIMIT: Final = 1 << 20

log = logging.getLogger(__name__)


class WorkerLostError(Exception):
    """The process died or hung before it answered; it has forgotten everything."""


class WorkerProcess:
    """Runs `marchland.arena.worker` while it is needed. ``generation`` grows with each start."""

    def __init__(self, name: str, niceness: int = 0, timeout: float = _TIMEOUT) -> None:
        self.generation = 0
        self._name = name
        self._niceness = niceness
        self._timeout = timeout
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Response]] = {}
        self._numbers = itertools.count()
        self._starting = asyncio.Lock()
        self._heard = 0.0
        self._delay = 0.0
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The process id, while the process runs."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    @property
    def unanswered(self) -> int:
        """Requests that wait for their response."""
        return len(self._waiting)

    async def start(self) -> int:
        """Make sure that the process runs; returns its generation."""
        async with self._starting:
            if self._is_closed:
                raise WorkerLostError(self._name)
            if self.pid is None:
                await asyncio.sleep(self._delay)
                self._delay = min(max(_FIRST_DELAY, 2 * self._delay), _MAX_DELAY)
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "marchland.arena.worker",
                    str(self._niceness),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=_STREAM_LIMIT,
                    start_new_session=True,  # Ctrl-C is for the server, which then ends its workers
                )
                self._process = process
                self.generation += 1
                self._reader = asyncio.create_task(self._read(process))
            return self.generation

    async def ask(self, make_request: Callable[[int], Request], generation: int) -> Response:
        """Send a request, made from its number, and wait for the response; `WorkerLostError` if there will be none."""
        process = self._process
        if generation != self.generation or self.pid is None or process is None or process.stdin is None:
            raise WorkerLostError(self._name)
        number = next(self._numbers)
        answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self._heard = time.monotonic()
        self._waiting[number] = answer
        try:
            process.stdin.write(encode_message(make_request(number)))
            await process.stdin.drain()
            while not (await asyncio.wait((answer,), timeout=self._timeout))[0]:
                if time.monotonic() - self._heard >= self._timeout:
                    log.warning("worker timed out", extra={"worker": self._name})
                    await self._kill(process)
            self._delay = 0.0
            return answer.result()
        except OSError:
            raise WorkerLostError(self._name) from None
        finally:
            self._waiting.pop(number, None)

    def send(self, request: Request) -> None:
        """Send a request that has no response; nothing happens if the process does not run."""
        if self.pid is not None and self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(encode_message(request))

    async def close(self) -> None:
        """End the process; it does not start again."""
        self._is_closed = True
        process = self._process
        if process is not None:
            await self._kill(process)
        if self._reader is not None:
            await self._reader

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        decoder = msgspec.msgpack.Decoder(Response)
        try:
            while True:
                size = int.from_bytes(await process.stdout.readexactly(4), "big")
                response = decoder.decode(await process.stdout.readexactly(size))
                self._heard = time.monotonic()
                waiting = self._waiting.get(response.number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(response)
        except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
            await self._kill(process)
        if not self._is_closed:
            log.warning("worker ended", extra={"worker": self._name, "code": process.returncode})
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(WorkerLostError(self._name))

    @staticmethod
    async def _kill(process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
