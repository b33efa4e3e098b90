"""Load every game into this process; compile in worker processes what the kernel cache lacks.

Games whose kernels are cached are loaded before the port opens. The others are compiled one per core, longest first,
while the server answers: a request that needs such a game is held for a moment and then refused with Retry-After.
"""

import asyncio
import contextlib
import gc
import itertools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from marchland.errors import Refused
from marchland.messages import GameLoading, LoadingState
from marchland.processors import count_processors

HOLD = 1.5
"""Seconds for which a request waits for its game."""
RETRY_AFTER = 2
"""Seconds after which a refused request should be sent again."""
_MAX_ATTEMPTS = 4
_FIRST_DELAY = 1.0  # seconds before the second attempt; doubles with each further one

log = logging.getLogger(__name__)

OnProgress = Callable[[float], None]
OnLoaded = Callable[[str], None]


class CompileError(Exception):
    """A game could not be compiled; the text says why."""


class GameBackend(Protocol):
    """How games get into the kernel cache and into this process."""

    def compile_cost(self, game: str) -> float:
        """How long compiling takes compared with other games."""

    def load(self, game: str) -> bool:
        """Load a game into this process, in any thread; False if the kernel cache lacks something."""

    def compile_here(self, game: str) -> None:
        """Compile and load a game in this process, in any thread."""

    async def compile(self, game: str, on_progress: OnProgress) -> None:
        """Compile a game into the kernel cache in another process; raises `CompileError`."""


class GameNotLoaded(Refused):
    """The game is still being compiled or loaded."""

    retry = RETRY_AFTER

    def __init__(self, game: str, progress: float) -> None:
        super().__init__("loading", "game_loading", game=game, percent=round(100 * progress), seconds=RETRY_AFTER)


class GameFailed(Refused):
    """The game could not be compiled; only a restart of the server tries it again."""

    def __init__(self, game: str) -> None:
        super().__init__("game_failed", "game_failed", game=game)


class _Loading:
    """The state of one game."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.state: LoadingState = "waiting"
        self.progress = 0.0
        self.error = ""
        self.loaded = asyncio.Event()
        self.settled = asyncio.Event()
        """Set when the game is loaded or has failed."""

    def finish(self, state: LoadingState, error: str = "") -> None:
        self.state, self.error = state, error
        if state == "loaded":
            self.progress = 1.0
            self.loaded.set()
        self.settled.set()


class GameLoader:
    """The games of this process, and which of them can be played."""

    def __init__(
        self,
        backend: GameBackend,
        games: Sequence[str],
        *,
        hold: float = HOLD,
        first_delay: float = _FIRST_DELAY,
        max_attempts: int = _MAX_ATTEMPTS,
        parallel: int | None = None,
    ) -> None:
        self.on_loaded: list[OnLoaded] = []
        """Called in the event loop for each game that is loaded after `start`."""
        self._backend = backend
        self._games: Mapping[str, _Loading] = {game: _Loading(game) for game in games}
        self._hold = hold
        self._first_delay = first_delay
        self._max_attempts = max_attempts
        self._slots = asyncio.Semaphore(parallel or count_processors())
        self._tasks: list[asyncio.Task[None]] = []

    # ---------------------------------------------------------------- state

    @property
    def all_loaded(self) -> bool:
        """Whether every game can be played."""
        return all(loading.state == "loaded" for loading in self._games.values())

    def is_loaded(self, game: str) -> bool:
        """Whether nothing must be loaded to play the game; True also for a name that is no game's."""
        return game not in self._games or self._games[game].state == "loaded"

    def status(self) -> list[GameLoading]:
        """The state of every game, by name."""
        return [GameLoading(game.game, game.state, game.progress, game.error) for game in self._games.values()]

    async def require(self, game: str) -> None:
        """Return when the game is loaded; raise `GameNotLoaded` if that takes longer than a request may be held."""
        if self.is_loaded(game):
            return
        loading = self._games[game]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._hold):
                await loading.settled.wait()
        if loading.state == "failed":
            raise GameFailed(game)
        if loading.state != "loaded":
            raise GameNotLoaded(game, loading.progress)

    async def wait_until_loaded(self, game: str) -> None:
        """Wait for the game, however long it takes: for work behind which no request waits."""
        if game in self._games:
            await self._games[game].loaded.wait()

    # ---------------------------------------------------------------- loading

    async def load_cached(self) -> None:
        """Load every game whose kernels are cached, off the event loop."""
        began = time.perf_counter()
        for game in await asyncio.to_thread(lambda: list(filter(self._load_if_cached, self._games))):
            self._games[game].finish("loaded")
        missing = [loading.game for loading in self._games.values() if loading.state != "loaded"]
        log.info("cached games loaded", extra={"seconds": round(time.perf_counter() - began, 3), "missing": missing})

    def _load_if_cached(self, game: str) -> bool:
        try:
            return self._backend.load(game)
        except Exception:  # compiling it in a worker shows whether the cache or the game is the cause
            log.exception("cached game could not be loaded", extra={"game": game})
            return False

    def start(self) -> None:
        """Compile and load the games that are not loaded yet, longest first."""
        missing = [loading for loading in self._games.values() if loading.state != "loaded"]
        missing.sort(key=lambda loading: self._backend.compile_cost(loading.game), reverse=True)
        self._tasks = [asyncio.create_task(self._compile_and_load(loading)) for loading in missing]

    async def close(self) -> None:
        """Stop all compile workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _compile_and_load(self, loading: _Loading) -> None:
        try:
            await self._compile_with_retries(loading)
            await self._load(loading)
        except Exception as error:
            log.exception("game failed to load", extra={"game": loading.game})
            loading.finish("failed", str(error) or type(error).__name__)
            return
        loading.finish("loaded")
        gc.freeze()  # a full collection of what was loaded would stop the event loop for 60 ms
        log.info("game loaded", extra={"game": loading.game})
        for notify in self.on_loaded:
            notify(loading.game)

    async def _compile_with_retries(self, loading: _Loading) -> None:
        """Compile with exponential backoff; the last failure is raised."""
        for attempt in itertools.count(1):
            try:
                await self._compile(loading)
                break
            except CompileError as error:
                if attempt == self._max_attempts:
                    raise
                delay = self._first_delay * 2 ** (attempt - 1)
                facts = {"game": loading.game, "error": str(error), "attempt": attempt, "retry_in": delay}
                log.error("compile worker failed", extra=facts)
                loading.state = "waiting"
                await asyncio.sleep(delay)

    async def _compile(self, loading: _Loading) -> None:
        def note_progress(done: float) -> None:
            loading.progress = min(max(done, 0.0), 1.0)

        async with self._slots:
            began = time.perf_counter()
            loading.state, loading.progress = "compiling", 0.0
            log.info("compiling game", extra={"game": loading.game})
            await self._backend.compile(loading.game, note_progress)
        seconds = round(time.perf_counter() - began, 3)
        log.info("game compiled", extra={"game": loading.game, "seconds": seconds})

    async def _load(self, loading: _Loading) -> None:
        if not await asyncio.to_thread(self._backend.load, loading.game):
            # The worker's cache is not ours: the directory is not writable, so that each process has its own.
            log.warning("kernel cache is not shared, compiling in the server", extra={"game": loading.game})
            await asyncio.to_thread(self._backend.compile_here, loading.game)
