"""A process that compiles one game into the kernel cache: ``python -m marchland.compile_worker GAME``.

The compiler holds a process-wide lock, so games compile in parallel only in processes of their own, and a server goes
on answering meanwhile. Each line on standard output is a `Progress` message. The worker exits when its standard input
is closed: it does not outlive the process that started it, even if that one is killed.
"""

import argparse
import os
import sys
import threading
import traceback

import msgspec

from marchland.registry import find

NICENESS = 5
"""A server beside it gets the processor first."""


class Progress(msgspec.Struct, omit_defaults=True):
    """The fraction that is compiled, or why compilation failed."""

    done: float = 0.0
    error: str = ""


def worker_command(game: str, *, batch: bool = False) -> list[str]:
    """The command line of the worker for one game."""
    return [sys.executable, "-m", "marchland.compile_worker", game, *(["--batch"] if batch else [])]


def read_progress(line: str | bytes) -> Progress | None:
    """Decode one line of a worker's output; None if a library printed it."""
    try:
        return msgspec.json.decode(line, type=Progress)
    except msgspec.DecodeError:
        return None


def compile_game(game: str, *, batch: bool) -> None:
    """Compile the game's kernels, also those of `Batch` if wanted; report progress on standard output."""
    kind = find(game)
    kind.load(on_progress=lambda done: _write(Progress(done)))
    if batch:
        from marchland.core.batch import Batch

        match = kind.new(max(2, kind.least_players), seed=0)
        Batch([match], threads=1).step([match.pack_orders({})[0]])


def main() -> int:
    """Compile one game; the exit code is 0 if it is in the cache."""
    parser = argparse.ArgumentParser(prog="python -m marchland.compile_worker")
    parser.add_argument("game")
    parser.add_argument("--batch", action="store_true", help="also compile what plays many matches at once")
    options = parser.parse_args()
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    if sys.platform != "win32":
        os.nice(NICENESS)
    try:
        compile_game(options.game, batch=options.batch)
    except Exception as error:
        traceback.print_exc()
        _write(Progress(error=f"{type(error).__name__}: {error}"))
        return 1
    return 0


def _write(progress: Progress) -> None:
    sys.stdout.write(msgspec.json.encode(progress).decode() + "\n")
    sys.stdout.flush()


def _exit_with_parent() -> None:
    """Exit as soon as standard input is closed; `os.read` because a buffered read blocks interpreter shutdown."""
    while os.read(0, 1024):
        pass
    os._exit(2)


if __name__ == "__main__":
    sys.exit(main())
