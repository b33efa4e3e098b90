"""The files of deploy/: their content, the commands in them, and the programs that check them."""

import configparser
import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pytest
import yaml  # type: ignore[import-untyped]

from marchland.cli import marchland as command_line
from tests.support.pages import ROOT

DEPLOY = ROOT / "deploy"
PORT = 8000
"""Where a server listens, in every file."""
UNPACKED = ROOT / ".venv" / "debian"
"""Where tests/programs.sh puts programs that it does not install."""


def read(name: str) -> str:
    return (DEPLOY / name).read_text()


def read_yaml(name: str) -> Any:
    return yaml.safe_load(read(name))


def read_unit(name: str) -> configparser.ConfigParser:
    """A unit of systemd; a repeated key has the values of all its lines."""

    class Repeated(dict[str, Any]):
        def __setitem__(self, key: str, value: Any) -> None:
            if isinstance(value, list) and key in self:
                self[key].extend(value)
            else:
                super().__setitem__(key, value)

    unit = configparser.ConfigParser(dict_type=Repeated, strict=False, interpolation=None, comment_prefixes="#")
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / name)
    return unit


def container_instructions() -> list[tuple[str, str]]:
    """The instructions of the container file with their arguments, in their order."""
    lines = [line for line in read("Containerfile").splitlines() if line and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(word, " ".join(rest.split())) for word, _, rest in (line.partition(" ") for line in joined.splitlines())]


def parse_command(words: Sequence[str]) -> dict[str, Any]:
    """The options of a ``marchland`` command as the command line reads them; fails on one that does not exist."""
    command: click.Command = command_line
    rest = list(words)
    with click.Context(command, info_name="marchland") as context:
        while isinstance(command, click.Group):
            _, found, rest = command.resolve_command(context, rest)
            assert found is not None
            command = found
        return command.make_context(command.name, rest, parent=context).params


def unit_command(name: str = "marchland.service") -> list[str]:
    return shlex.split(read_unit(name)["Service"]["ExecStart"])


def find_program(name: str) -> tuple[str, dict[str, str]]:
    """A program and the environment that it needs; skips the test where it is not installed."""
    own = UNPACKED / "usr" / "sbin" / name
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if found is not None:
        return found, dict(os.environ)
    if own.exists():
        libraries = os.pathsep.join(str(path) for path in (UNPACKED / "usr" / "lib").glob("*-linux-gnu*"))
        return str(own), {**os.environ, "LD_LIBRARY_PATH": libraries}
    pytest.skip(f"{name} is not installed here; with it (on Debian: apt install {name}) this runs too")


def copy_with(name: str, folder: Path, **replaced: str) -> Path:
    """A copy of a file in which some text is replaced."""
    text = read(name)
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    copy = folder / name
    copy.write_text(text)
    return copy
