"""The options of a local match: bots, settings and map, parsed and checked."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from marchland.bots import split_specs
from marchland.core.game import Game
from marchland.errors import ConfigError, MapError, MarchlandError, UnknownNameError, did_you_mean


def bots_of(text: str | None, kind: type[Game]) -> list[str]:
    """The bots by name, path or command; without any, the game's greedy one against itself."""
    if text is None:
        usual = "greedy" if "greedy" in kind.bots else next(iter(kind.bots))
        return [usual] * max(2, kind.least_players)
    specs = split_specs(text)
    if not all(specs):
        raise UnknownNameError(f"--bots takes names with commas between them, like --bots greedy,random, not {text!r}.")
    return specs


def config_of(kind: type[Game], rules: str | None, pairs: Sequence[str]) -> dict[str, Any]:
    """Settings from ``--rules`` and every ``--set key=value``, checked before anything is compiled or played."""
    written: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise ConfigError(f"--set takes a setting and its value, like --set max_turn=100, not {pair!r}.")
        written[name.strip()] = value.strip()
    values = kind.config_type.from_text(written)
    if rules is not None:
        presets = kind.config_type.presets
        if rules not in presets:
            hint = did_you_mean(rules, presets) if presets else "it has one set of rules only."
            raise UnknownNameError(f"{kind.name} has no rules {rules!r}; {hint}")
        values[kind.config_type.preset_field] = rules
    kind.config_type.build(values)
    return values


def map_of(text: str | None) -> Any:
    """A map: the content of a file if there is one of that name, else a name that the game knows."""
    if text is None:
        return None
    path = Path(text)
    if not path.is_file():
        if os.sep in text or path.suffix:
            raise MapError(f"There is no map file {text}.")
        return text
    try:
        content = path.read_text()
    except OSError as problem:
        raise MapError(f"The map {text} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise MapError(f"The map {text} is no text.") from None
    try:
        data = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError) as problem:
        if path.suffix == ".json":
            raise MapError(f"The map {text} is no JSON: {problem}.") from None
        return content
    return data if isinstance(data, dict) else content


def check_writable(path: Path, option: str = "--save") -> None:
    """Refuse a path that cannot be written, before long matches are played for it."""
    if path.is_dir():
        raise MarchlandError(f"{path} is a folder; {option} takes the name of a file.")
    if not path.parent.is_dir():
        raise MarchlandError(f"The folder {path.parent} does not exist; create it first, or save elsewhere.")
    try:
        tempfile.TemporaryFile(dir=path.resolve().parent).close()
    except OSError as problem:
        raise MarchlandError(f"{path} cannot be written: {problem.strerror}.") from None
