"""Progress with rate and time left, on stderr and only where somebody looks at it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from marchland.cli.look import ACCENT, GOOD
from marchland.cli.output import asides


class Advance(Protocol):
    """Says how far the work has come."""

    def __call__(self, done: int) -> None:
        """``done`` of the total, counted from the start."""


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Turns a second, once it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", "muted")


@contextmanager
def progress(what: str, total: int | None, redraws_per_second: float = 10) -> Iterator[Advance]:
    """A bar while the block runs; nothing at all where stderr is no terminal."""
    console = asides()
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
    """The seconds that have passed, for work that cannot tell how far it is; drawn seldom, so as not to disturb it."""
    console = asides()
    if not console.is_terminal:
        yield
        return
    columns = (TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, refresh_per_second=1) as clock:
        clock.add_task(what, total=None)
        yield
