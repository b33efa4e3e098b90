"""``marchland map``: make a map of a game that plays on map files, and check one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marchland.cli.options import OrderedGroup

if TYPE_CHECKING:
    from marchland.core.map_files import MapFiles


@click.group("map", cls=OrderedGroup)
def maps() -> None:
    """Make and check map files."""


@maps.command()
@click.argument("game", help="The game.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="An option of the generator; repeatable.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write it to a file.")
def new(game: str, settings: Sequence[str], output: Path | None) -> None:
    """Generate a new map."""
    from marchland.cli.terminal.output import stdout_console
    from marchland.errors import MapError

    text = _generate(game, _options(settings))
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
@click.option("--game", metavar="GAME", help="The game; detected if not given.")
def check(file: Path, game: str | None) -> None:
    """Say whether a map can be played on; list what is wrong with it or unfair on it, by line and column."""
    from marchland.cli.terminal.output import stdout_console
    from marchland.errors import MapError

    try:
        text = file.read_text()
    except OSError as problem:
        raise MapError(f"{file} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise MapError(f"{file} is no text.") from None
    game = game or _game_of(file, text)
    files = _map_files(game)
    problems = files.check(text)
    remarks = [] if problems else files.remarks(text)
    for sentence in problems or remarks:
        stdout_console().print(f"{file}: {sentence}", markup=False, highlight=False, soft_wrap=True)
    if problems:
        raise MapError(f"{file} is no map that {game} can be played on: {len(problems)} to mend.")
    verdict = (
        f"can be played on, but may be unfair: {len(remarks)} to look at" if remarks else f"is a good map for {game}"
    )
    stdout_console().print(f"{file} {verdict}.", markup=False, highlight=False)


def _game_of(file: Path, text: str) -> str:
    """The one game that the map may be meant for."""
    from marchland.errors import MapError, choices

    known = _games_with_map_files()
    likely = [name for name, files in known.items() if files.looks_like_map(text)]
    if len(likely) == 1:
        return likely[0]
    looks = f"may be a map for {choices(likely)}" if likely else "looks like no game's map"
    raise MapError(f"{file} {looks}: say with --game which it is for; {choices(known)} have map files.")


def _games_with_map_files() -> "dict[str, MapFiles]":
    from marchland import registry

    found = {name: kind.map_files() for name, kind in registry.find_all().items()}
    return {name: files for name, files in found.items() if files is not None}


def _map_files(game: str) -> "MapFiles":
    from marchland import registry
    from marchland.errors import UnknownNameError, choices

    files = registry.find(game).map_files()
    if files is None:
        raise UnknownNameError(f"{game} has no map files; {choices(_games_with_map_files())} have.")
    return files


def _generate(game: str, options: dict[str, Any]) -> str:
    """The text of a new map file."""
    import inspect

    from marchland.errors import ConfigError, did_you_mean

    files = _map_files(game)
    known = list(inspect.signature(files.generate).parameters)
    for name in options:
        if name not in known:
            raise ConfigError(f"A map of {game} has no {name!r}; {did_you_mean(name, known)}")
    try:
        return files.write(files.generate(**options))
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
