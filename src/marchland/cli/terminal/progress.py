"""Progress bars with rate and time left, on stderr if that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from marchland.cli.terminal.colours import ACCENT, GOOD
from marchland.cli.terminal.output import stderr_console

if TYPE_CHECKING:
    from rich.progress import TaskID

    from marchland.core.game import Game


class Advance(Protocol):
    """Reports progress."""

    def __call__(self, done: int) -> None:
        """``done`` of the total, counted from the start."""


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Turns a second, once it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", "muted")


@contextmanager
def progress(what: str, total: int | None, redraws_per_second: float = 10) -> Iterator[Advance]:
    """A bar while the block runs; nothing if stderr is not a terminal."""
    console = stderr_console()
    if not console.is_terminal:
        yield lambda done: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30, complete_style=ACCENT, finished_style=GOOD),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True, refresh_per_second=redraws_per_second) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def stopwatch(what: str) -> Iterator[None]:
    """The elapsed seconds, for work that reports no progress; redrawn once a second so as not to disturb it."""
    console = stderr_console()
    if not console.is_terminal:
        yield
        return
    columns = (TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, refresh_per_second=1) as clock:
        clock.add_task(what, total=None)
        yield


@contextmanager
def compile_bars() -> Iterator[Callable[[str, float], None]]:
    """A bar for each game of which progress is reported, from any thread; nothing where stderr is not a terminal."""
    console = stderr_console()
    columns = (
        TextColumn("Compiling {task.description}, once on this machine"),
        BarColumn(bar_width=30, complete_style=ACCENT, finished_style=GOOD),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    tasks: dict[str, TaskID] = {}

    def report(game: str, done: float) -> None:
        if game not in tasks:
            bars.start()  # only now: nothing is drawn if nothing is compiled
            tasks[game] = bars.add_task(game, total=1.0)
        bars.update(tasks[game], completed=done)

    try:
        yield report
    finally:
        bars.stop()


def load_game(kind: "type[Game]") -> None:
    """Load a game; while it compiles, show a bar, or one line where stderr is not a terminal."""
    if not stderr_console().is_terminal:
        kind.load()
        return
    with compile_bars() as report:
        kind.load(on_progress=lambda done: report(kind.name, done))
