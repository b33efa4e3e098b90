"""What a fresh process loads, and how long that takes."""

import subprocess
import sys
import time
from collections.abc import Iterator

import click
import pytest

from marchland import registry
from marchland.cli import marchland

HEAVY = {
    "alembic",
    "httpx",
    "starlette",
    "llvmlite",
    "msgspec",
    "numpy",
    "psycopg",
    "rich",
    "sqlalchemy",
    "uvicorn",
    "websockets",
}
LIBRARIES = "import llvmlite.binding, msgspec, numpy"
STARTS_PER_IMPORT = 2.2
"""How many times as long as the import of its libraries a new match may take where the machine is slow."""
PACKAGES_PER_START, HELPS_PER_START = 6, 20
"""How many times as long as an interpreter without imports the package and its help may take there."""
RUN_HELP = (
    "from marchland.cli import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert not end.code"
)


def loaded_by(script: str, *arguments: str) -> set[str]:
    """The top-level packages that a fresh process has loaded after a script."""
    report = "\nprint(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", f"import sys\n{script}{report}", *arguments]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return {name.partition(".")[0] for name in ran.stderr.split()}


def commands_below(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    """The path of every command, of groups too."""
    for name, command in group.commands.items():
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands_below(command, *path, name)


def seconds_of(*arguments: str) -> float:
    """The shortest of ten fresh processes: other work on the machine only adds."""
    seconds = []
    for _ in range(10):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import marchland") & (HEAVY | {"click"})


@pytest.mark.parametrize("game", registry.games())
def test_a_games_class_loads_neither_its_map_adapter_nor_its_benchmarks(game: str) -> None:
    script = f"import marchland, sys\nmarchland.find({game!r})\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    package = f"marchland.games.{game}"
    assert f"{package}.game" in loaded
    assert not {f"{package}.map_adapter", f"{package}.bench"} & set(loaded)


def test_listing_the_games_loads_nothing_heavy() -> None:
    assert not loaded_by("import marchland\nmarchland.games()") & HEAVY


@pytest.mark.parametrize("path", [(), *commands_below(marchland)], ids=" ".join)
def test_help_loads_nothing_heavy(path: tuple[str, ...]) -> None:
    loaded = loaded_by(RUN_HELP, *path, "--help")
    assert "click" in loaded
    assert not loaded & HEAVY


@pytest.mark.alone
def test_importing_the_package_takes_a_tenth_of_a_second_at_most() -> None:
    assert seconds_of("-c", "import marchland") <= max(0.1, PACKAGES_PER_START * seconds_of("-c", "pass"))


@pytest.mark.alone
def test_help_takes_a_quarter_of_a_second_at_most() -> None:
    assert seconds_of("-m", "marchland", "--help") <= max(0.25, HELPS_PER_START * seconds_of("-c", "pass"))


@pytest.mark.alone
def test_a_new_match_takes_two_fifths_of_a_second_at_most() -> None:
    script = "import marchland; marchland.new('colorfight', 2, seed=0)"
    subprocess.run([sys.executable, "-c", script], check=True)
    assert seconds_of("-c", script) <= max(0.4, STARTS_PER_IMPORT * seconds_of("-c", LIBRARIES))
