"""``marchland map``: make a map of a game that plays on map files, and check one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from marchland.cli.options import OrderedGroup


@click.group("map", cls=OrderedGroup)
def maps() -> None:
    """Make and check map files."""


@maps.command()
@click.argument("game", help="Which game.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="What the map should be like; repeatable.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write it to a file.")
def new(game: str, settings: Sequence[str], output: Path | None) -> None:
    """Draw a new map."""
    from marchland.cli.terminal.output import stdout_console
    from marchland.errors import MapError

    text = _drawn(game, _options(settings))
    if output is None:
        stdout_console().file.write(text)
        return
    try:
        output.write_text(text)
    except OSError as problem:
        raise MapError(f"{output} cannot be written: {problem.strerror}.") from None
    stdout_console().print(f"A new map for {game} is in {output}.", markup=False, highlight=False)


@maps.command()
@click.argument("file", type=click.Path(path_type=Path), help="The map file.")
@click.option("--game", metavar="GAME", help="Which game it is for; found out if not given.")
def check(file: Path, game: str | None) -> None:
    """Name everything that is wrong with a map, by line and column."""
    from marchland.cli.terminal.output import stdout_console
    from marchland.errors import MapError

    try:
        text = file.read_text()
    except OSError as problem:
        raise MapError(f"{file} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise MapError(f"{file} is no text.") from None
    game = game or _game_of(file, text)
    problems = _mapfile(game).check_map(text)
    if not problems:
        stdout_console().print(f"{file} is a good map for {game}.", markup=False, highlight=False)
        return
    for complaint in problems:
        stdout_console().print(f"{file}: {complaint}", markup=False, highlight=False, soft_wrap=True)
    raise MapError(f"{file} is no map that {game} can be played on: {len(problems)} to mend.")


def _game_of(file: Path, text: str) -> str:
    """The one game that the map may be meant for."""
    from marchland.errors import MapError, choices

    likely = [name for name in _with_map_files() if _may_be_for(name, text)]
    if len(likely) == 1:
        return likely[0]
    looks = f"may be a map for {choices(likely)}" if likely else "looks like no game's map"
    raise MapError(f"{file} {looks}: say with --game which it is for; {choices(_with_map_files())} have map files.")


def _may_be_for(game: str, text: str) -> bool:
    """A game's mapfile may tell by ``looks_like_map``, also of a broken map; else the map must be a good one."""
    mapfile = _mapfile(game)
    if hasattr(mapfile, "looks_like_map"):
        return bool(mapfile.looks_like_map(text))
    return not mapfile.check_map(text)


def _with_map_files() -> list[str]:
    from marchland import registry

    return [name for name in registry.games() if _module(name)]


def _mapfile(game: str) -> Any:
    """The module of that game that has ``new_map`` and ``check_map``."""
    from marchland import registry
    from marchland.errors import UnknownNameError, choices

    registry.find(game)
    module = _module(game)
    if module is None:
        raise UnknownNameError(f"{game} has no map files; {choices(_with_map_files())} have.")
    return module


def _module(game: str) -> Any:
    from importlib import import_module
    from importlib.util import find_spec

    name = f"marchland.games.{game}.mapfile"
    module = import_module(name) if find_spec(name) else None
    return module if hasattr(module, "check_map") else None


def _drawn(game: str, options: dict[str, Any]) -> str:
    import inspect

    from marchland.errors import ConfigError, did_you_mean

    make = _mapfile(game).new_map
    known = list(inspect.signature(make).parameters)
    for name in options:
        if name not in known:
            raise ConfigError(f"A map of {game} has no {name!r}; {did_you_mean(name, known)}")
    try:
        return str(make(**options))
    except TypeError as problem:
        raise ConfigError(f"A map of {game} cannot be made so: {problem}.") from None


def _options(pairs: Sequence[str]) -> dict[str, Any]:
    import msgspec

    from marchland.errors import ConfigError

    options: dict[str, Any] = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign or not name.strip():
            raise ConfigError(f"--set takes a name and its value, like --set players=4, not {pair!r}.")
        try:
            options[name.strip()] = msgspec.json.decode(text.strip())
        except msgspec.DecodeError:
            options[name.strip()] = text.strip()
    return options
