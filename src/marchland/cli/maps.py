"""``marchland map``: make a map of a game that plays on map files, and check one."""

from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(name="map", help="Make and check map files.", no_args_is_help=True)


@app.command()
def new(
    game: Annotated[str, typer.Argument(help="Which game.")],
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="What the map should be like; repeatable.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write it to a file.")] = None,
) -> None:
    """Draw a new map."""
    from marchland.cli.output import answers
    from marchland.errors import MapError

    text = _drawn(game, _options(settings or []))
    if output is None:
        answers().file.write(text)
        return
    try:
        output.write_text(text)
    except OSError as problem:
        raise MapError(f"{output} cannot be written: {problem.strerror}.") from None
    answers().print(f"A new map for {game} is in {output}.", markup=False, highlight=False)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="The map file.")],
    game: Annotated[str | None, typer.Option(help="Which game it is for; found out if not given.")] = None,
) -> None:
    """Name everything that is wrong with a map, by line and column."""
    from marchland.cli.output import answers
    from marchland.errors import MapError

    try:
        text = file.read_text()
    except OSError as problem:
        raise MapError(f"{file} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise MapError(f"{file} is no text.") from None
    problems = {name: _mapfile(name).check_map(text) for name in ([game] if game else _with_map_files())}
    likely = min(problems, key=lambda name: len(problems[name]))
    if not problems[likely]:
        answers().print(f"{file} is a good map for {likely}.", markup=False, highlight=False)
        return
    for complaint in problems[likely]:
        answers().print(f"{file}: {complaint}", markup=False, highlight=False, soft_wrap=True)
    raise MapError(f"{file} is no map that {likely} can be played on: {len(problems[likely])} to mend.")


def _with_map_files() -> list[str]:
    from importlib.util import find_spec

    from marchland import registry

    return [name for name in registry.games() if find_spec(f"marchland.games.{name}.mapfile")]


def _mapfile(game: str) -> Any:
    import importlib

    from marchland import registry
    from marchland.errors import UnknownNameError, choices

    registry.find(game)
    if game not in _with_map_files():
        raise UnknownNameError(f"{game} has no map files; {choices(_with_map_files())} have.")
    return importlib.import_module(f"marchland.games.{game}.mapfile")


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


def _options(pairs: list[str]) -> dict[str, Any]:
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
