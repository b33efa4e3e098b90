"""The map adapter of a game: its maps as drawings, for the server and the map editor.

`marchland.maps` does what is the same for every game. A game returns its adapter from `Game.map_adapter`.
"""

import abc
from typing import Any, ClassVar

import msgspec

from marchland.errors import MapError
from marchland.messages import Drawing, MapProblem, MapSpec


class MapAdapter(abc.ABC):
    """Convert a game's maps to drawings and back, check them and generate them. ``data`` is the game's own form."""

    spec: ClassVar[MapSpec]

    @abc.abstractmethod
    def to_drawing(self, data: Any) -> Drawing:
        """The map as a drawing; raises `MapError` if it cannot be read."""

    @abc.abstractmethod
    def from_drawing(self, drawing: Drawing) -> Any:
        """The drawing in the game's own form, playable or not."""

    @abc.abstractmethod
    def problems(self, data: Any) -> list[MapProblem]:
        """Everything wrong with a map that could be read."""

    @abc.abstractmethod
    def players(self, data: Any) -> list[int]:
        """The numbers of players that a map without grave problems is for."""

    @abc.abstractmethod
    def generate(self, generator: str, settings: dict[str, int]) -> Any:
        """A map of one of the generators in `spec`; every setting of the generator is given and in its range."""

    def text(self, data: Any) -> str:
        """The map as a file."""
        return data if isinstance(data, str) else msgspec.json.encode(data).decode()

    def settings(self, data: Any) -> dict[str, Any]:
        """The settings that a match on the map must have."""
        return {}

    def builtin_maps(self) -> dict[str, Any]:
        """The maps that come with the game, by name."""
        return {}

    def named_maps(self) -> list[str]:
        """The names that `marchland.new` takes as ``map``: those of the built-in maps and of what it generates."""
        return list(self.builtin_maps())


class NoMaps(MapAdapter):
    """The adapter of a game whose maps can be neither drawn nor saved."""

    spec = MapSpec(
        topology="square",
        shape="rectangle",
        holes=False,
        sides=(1, 1, 1),
        seats=0,
        form="json",
        layers=[],
        marks=[],
        generators=[],
    )

    def __init__(self, game: str) -> None:
        self._game = game

    def to_drawing(self, data: Any) -> Drawing:
        """Refuse every map."""
        raise MapError(f"{self._game} has no maps that can be drawn or saved.")

    def from_drawing(self, drawing: Drawing) -> Any:
        """Refuse every drawing."""
        raise MapError(f"{self._game} has no maps that can be drawn or saved.")

    def problems(self, data: Any) -> list[MapProblem]:
        """None: no map can be read."""
        return []

    def players(self, data: Any) -> list[int]:
        """None: no map can be read."""
        return []

    def generate(self, generator: str, settings: dict[str, int]) -> Any:
        """Refuse: there are no generators."""
        raise MapError(f"{self._game} has no map generators.")
