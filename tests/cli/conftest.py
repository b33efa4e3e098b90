"""The command line, run in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import marchland
from marchland.cli import main


class Ran(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]

SMALL = ("--set", "width=10", "--set", "height=10", "--turns", "20")


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """The line that tells of compiling must not turn up in the middle of a test."""
    marchland.new("colorfight")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], compiled: None) -> Run:
    """Run ``marchland`` with these arguments."""

    def run(*arguments: object) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def replay_file(run: Run, tmp_path: Path) -> Path:
    """A replay of twenty turns."""
    path = tmp_path / "game.march"
    assert run("play", "colorfight", *SMALL, "--seed", 5, "--save", path).code == 0
    return path
