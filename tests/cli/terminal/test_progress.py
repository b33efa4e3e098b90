"""Progress while a game compiles: a bar on a terminal, one line elsewhere, nothing if nothing compiles."""

from collections.abc import Callable
from typing import Any

import pytest

from marchland.cli.terminal.progress import compile_bars, load_game

LINE = "Compiling checkers, once on this machine"


class Checkers:
    """A game that compiles in three steps, or is cached."""

    name = "checkers"

    def __init__(self, *steps: float) -> None:
        self.steps = steps

    def load(self, *, compile: bool = True, on_progress: Callable[[float], None] | None = None) -> bool:
        for step in self.steps:
            if on_progress is not None:
                on_progress(step)
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make rich take stderr for a terminal."""
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "100"}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("terminal")
def test_a_terminal_shows_a_bar_while_a_game_compiles(capsys: pytest.CaptureFixture[str]) -> None:
    game: Any = Checkers(0.0, 0.4, 1.0)
    load_game(game)
    shown = capsys.readouterr()
    assert LINE in shown.err and "100%" in shown.err
    assert shown.out == ""


@pytest.mark.usefixtures("terminal")
def test_a_cached_game_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    game: Any = Checkers()
    load_game(game)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("terminal")
def test_games_that_compile_at_once_have_a_bar_each(capsys: pytest.CaptureFixture[str]) -> None:
    with compile_bars() as report:
        report("checkers", 0.5)
        report("chess", 0.25)
    shown = capsys.readouterr().err
    assert LINE in shown and "Compiling chess" in shown


def test_bars_are_not_drawn_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    with compile_bars() as report:
        report("checkers", 0.5)
    assert capsys.readouterr().err == ""
