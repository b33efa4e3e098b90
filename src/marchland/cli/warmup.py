"""``marchland warmup``: compile games ahead of their first match."""

from collections.abc import Callable, Sequence

import click


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...", help="The games; all of them if none is named.")
def warmup(games: Sequence[str]) -> None:
    """Compile the games' rules and bots, once on this machine."""
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from marchland import registry
    from marchland.cli.terminal.output import stdout_console
    from marchland.cli.terminal.progress import compile_bars
    from marchland.processors import count_processors

    names = [registry.find(name).name for name in games] or list(registry.find_all())
    with ThreadPoolExecutor(count_processors()) as pool, compile_bars() as report:
        compiling = [pool.submit(_compile, name, report) for name in names]
        for number, done in enumerate(as_completed(compiling), start=1):
            stdout_console().print(f"[{number}/{len(names)}] {done.result()} is ready.")


def _compile(name: str, report: Callable[[str, float], None]) -> str:
    """Compile a game in a process of its own; returns its name."""
    import subprocess

    from marchland.compile_worker import read_progress, worker_command
    from marchland.errors import MarchlandError

    pipe, error = subprocess.PIPE, ""
    command = worker_command(name, batch=True)
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as worker:
        for line in worker.stdout or ():
            progress = read_progress(line)
            if progress is not None and progress.error:
                error = progress.error
            elif progress is not None:
                report(name, progress.done)
        if worker.wait():
            raise MarchlandError(f"{name} could not be compiled: {error or f'exit code {worker.returncode}'}.")
    return name
