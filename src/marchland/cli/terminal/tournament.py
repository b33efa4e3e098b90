"""Standings of a tournament: a live table while it is played, and the table of its results."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from marchland.arena.report import Row, make_rows
from marchland.arena.tournament import Tournament
from marchland.cli.terminal.output import stderr_console, table

_REDRAW = 1.0
_MOST_OF_TIME = 0.2
"""The largest part of the time that is spent on drawing: fits of large tournaments take a while."""
_TITLE_LINES = 4


def standings_table(rows: list[Row], most: int | None = None) -> Table:
    """Rank, bot, rating with its margin, wins, draws and losses against all others."""
    shown = table()
    for heading in ("rank", "range"):
        shown.add_column(heading, justify="right", no_wrap=True)
    shown.add_column("bot", overflow="ellipsis", no_wrap=True, min_width=6)
    for heading in ("rating", "±", "won", "drawn", "lost"):
        shown.add_column(heading, justify="right", no_wrap=True)
    if any(row.failures for row in rows):
        shown.add_column("failed", justify="right", no_wrap=True)
    for row in rows[:most]:
        standing = row.standing
        extent = f"{standing.rank_low}-{standing.rank_high}" if standing.rank_low < standing.rank_high else ""
        cells = [str(standing.rank), extent, standing.version, f"{standing.rating:.0f}", f"{standing.margin:.0f}"]
        cells += [f"{count:,}" for count in (row.duel.wins, row.duel.draws, row.duel.losses)]
        shown.add_row(*cells, *([f"{row.failures:,}"] if row.failures else []))
    if most is not None and most < len(rows):
        shown.add_row("", "", f"and {len(rows) - most:,} more", style="muted")
    return shown


def describe_progress(tournament: Tournament, played: int, seconds: float, rows: list[Row]) -> str:
    """How many matches are played, at which rate, and how long the rest will take."""
    progress = tournament.progress
    words = f"{progress.played:,} match{'es' * (progress.played != 1)}"
    if progress.total:
        words = f"{progress.played:,} of {max(progress.total, progress.planned):,} matches"
    if not played or seconds <= 0:
        return words
    rate = played / seconds
    left = expect_matches(tournament, rows)
    time_left = f", {_duration(max(left - progress.played, 0) / rate)} left" if left is not None else ""
    return f"{words}, {rate * 3600:,.0f} an hour{time_left}"


def expect_matches(tournament: Tournament, rows: list[Row]) -> float | None:
    """How many matches there will be: the limit, or by intervals that narrow with the root of their number."""
    stop, widest = tournament.stop, max((row.standing.margin for row in rows), default=0.0)
    limits: list[float] = [] if stop.matches is None else [max(stop.matches, tournament.progress.planned)]
    if stop.until is not None and len(rows) == len(tournament.field.entrants):
        limits.append(tournament.progress.played * max(widest / stop.until, 1.0) ** 2)
    return min(limits, default=None)


def _duration(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


@contextmanager
def live_standings(tournament: Tournament) -> Iterator[Callable[[], None]]:
    """A table that is drawn again while the block runs, on stderr; nothing where that is no terminal.

    The yielded function is called after each match.
    """
    console = stderr_console()
    if not console.is_terminal:
        yield lambda: None
        return
    began, before, next_drawing = time.monotonic(), -1, 0.0
    with Live(Text("Starting the referees", "muted"), console=console, auto_refresh=False, transient=True) as live:

        def draw() -> None:
            nonlocal next_drawing, before
            now = time.monotonic()
            if now < next_drawing:
                return
            if before < 0:
                before = tournament.progress.played - 1  # what the database had is not part of the rate
            live.update(_picture(tournament, console, tournament.progress.played - before, now - began), refresh=True)
            next_drawing = now + max(_REDRAW, (time.monotonic() - now) / _MOST_OF_TIME)

        yield draw


def _picture(tournament: Tournament, console: Console, played: int, seconds: float) -> Group:
    rows = make_rows(tournament)
    title = Text(tournament.spec.title, "title")
    title.append(f"  {describe_progress(tournament, played, seconds, rows)}", "default")
    last = tournament.played[-1].bundle if tournament.played else None
    reason = Text(f"{' : '.join(last.group)}  {last.why}" if last else "", "muted", no_wrap=True, overflow="ellipsis")
    return Group(title, standings_table(rows, max(console.height - _TITLE_LINES, 3)), reason)
