"""Map files of a game: what ``marchland map`` does with them, and those that come with the game."""

import functools
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any, NamedTuple

from marchland.errors import MapError, did_you_mean


class MapFiles(NamedTuple):
    """What ``marchland map`` needs of a game, returned by `Game.map_files`."""

    generate: Callable[..., Any]
    """A new map; its keyword arguments are what ``--set`` takes."""
    check: Callable[[str], list[str]]
    """Why no match can be played on the text of a map file: as `Game.new` judges it, but everything at once."""
    looks_like_map: Callable[[str], bool]
    """Whether a text is meant as a map of this game, right or wrong."""
    write: Callable[[Any], str] = str
    """What ``generate`` returns as the text of a map file."""
    remarks: Callable[[str], list[str]] = lambda text: []
    """What is unfair or unusual on a map that can be played on."""


class MapFolder:
    """The map files in a game's package, one for each map that comes with the game."""

    def __init__(self, title: str, package: str, suffix: str, name_pattern: str = r"[a-z][a-z0-9_-]*") -> None:
        self._title, self._package, self._suffix = title, package, suffix
        self._is_name = re.compile(name_pattern).fullmatch

    def names(self) -> list[str]:
        """The maps' names, smallest map first."""
        sizes = {name: len(text.split()) for name, text in self._texts.items()}
        return sorted(sizes, key=lambda name: (sizes[name], name))

    def read(self, name: str) -> str:
        """The text of the map called so."""
        if name not in self._texts:
            raise MapError(f"{self._title} has no map {name!r}; {did_you_mean(name, self.names())}")
        return self._texts[name]

    def resolve(self, map: str) -> str:
        """The text of the map called so; what cannot be a name is the text of a map itself."""
        return self.read(map) if self._is_name(map) else map

    @functools.cached_property
    def _texts(self) -> dict[str, str]:
        return {
            entry.name.removesuffix(self._suffix): entry.read_text()
            for entry in files(self._package).iterdir()
            if entry.name.endswith(self._suffix)
        }
