"""Games compiled in worker processes and loaded into this one."""

import asyncio
import importlib.util
from pathlib import Path

from marchland import registry
from marchland.compile_worker import read_progress, worker_command
from marchland.server.game_loader import CompileError, GameLoader, OnProgress

_LOGGED_STDERR = 4_000  # bytes of a failed worker's standard error that go into the log


class CompileProcesses:
    """The `GameBackend` of a server: one short-lived worker process per game."""

    def compile_cost(self, game: str) -> float:
        """The size of the game's sources, found without importing the game's class."""
        module = registry.locate(game).partition(":")[0]
        try:
            spec = importlib.util.find_spec(module)  # imports the packages that contain the module
        except Exception:  # the compile worker reports what is wrong
            return 0.0
        if spec is None or spec.origin is None:
            return 0.0
        source = Path(spec.origin)
        in_package = "." in module or spec.submodule_search_locations is not None
        return float(sum(path.stat().st_size for path in (source.parent.rglob("*.py") if in_package else [source])))

    def load(self, game: str) -> bool:
        """Load a game whose kernels are cached."""
        return registry.find(game).load(compile=False)

    def compile_here(self, game: str) -> None:
        """Compile a game in this process."""
        registry.find(game).load(on_progress=lambda done: None)

    async def compile(self, game: str, on_progress: OnProgress) -> None:
        """Run a worker to its end; it is killed if this is cancelled, and exits by itself if this process dies."""
        pipe = asyncio.subprocess.PIPE
        worker = await asyncio.create_subprocess_exec(
            *worker_command(game),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,  # Ctrl-C is for the server, which then ends its workers
        )
        assert worker.stdout is not None and worker.stderr is not None
        try:
            error, stderr = await asyncio.gather(_read_progress(worker.stdout, on_progress), worker.stderr.read())
            code = await worker.wait()
        finally:
            if worker.returncode is None:
                worker.kill()
                await worker.wait()
        if code:
            ended = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
            output = stderr[-_LOGGED_STDERR:].decode(errors="replace").strip()
            raise CompileError("\n".join(filter(None, (error or f"the compile worker ended with {ended}", output))))


async def _read_progress(stdout: asyncio.StreamReader, on_progress: OnProgress) -> str:
    """Pass on each report of a worker; returns the error that it reported, if any."""
    error = ""
    async for line in stdout:
        progress = read_progress(line)
        if progress is not None and progress.error:
            error = progress.error
        elif progress is not None:
            on_progress(progress.done)
    return error


def make_game_loader() -> GameLoader:
    """The loader of a server: all registered games."""
    return GameLoader(CompileProcesses(), registry.games())
