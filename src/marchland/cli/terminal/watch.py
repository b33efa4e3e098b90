"""Draw a match turn by turn while it is played."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from marchland.arena.local import OnTurn
from marchland.cli.terminal.layout import Plan, TerminalInfo, render
from marchland.cli.terminal.still import still_of
from marchland.core.game import Game
from marchland.core.report import Report
from marchland.messages import ResultState


def title_of(game: str, turn: int, last: int | None = None) -> Text:
    """The line above a board."""
    title = Text(game, "title").append(f"  turn {turn:,}", "default")
    return title.append(f" of {last:,}", "muted") if last else title


def describe_results(report: Report) -> str:
    """How many orders of the turn were done, how many had no effect, how many were refused."""
    states = Counter(result.state for results in report.results.values() for result in results)
    words: dict[ResultState, str] = {"done": "done", "no_effect": "without effect", "refused": "refused"}
    counted = [f"{states[state]:,} {word}" for state, word in words.items() if states[state]]
    return f"orders: {', '.join(counted)}" if counted else "no orders"


@contextmanager
def watch_match(
    console: Console, game: Game, plan: Plan, info: TerminalInfo, last: int | None, delay: float
) -> Iterator[OnTurn]:
    """A live board; the yielded function draws a turn and waits for the rest of ``delay``."""

    def picture(report: Report | None = None) -> Group:
        turn = min(game.turn, last or game.turn)  # after the last turn no other is open
        title = title_of(game.name, turn, last)
        if report is not None:
            title.append(f"  {describe_results(report)}", "muted")
        return render(still_of(game), title, plan, info)

    with Live(picture(), console=console, auto_refresh=False, vertical_overflow="crop") as live:
        shown = time.monotonic()

        def on_turn(game: Game, report: Report) -> None:
            nonlocal shown
            time.sleep(max(0.0, shown + delay - time.monotonic()))
            live.update(picture(report), refresh=True)
            shown = time.monotonic()

        yield on_turn
