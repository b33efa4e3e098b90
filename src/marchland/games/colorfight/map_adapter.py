"""Colorfight's maps as drawings: three amounts on every cell, and homes."""

import json
from typing import Any, Final

import msgspec

from marchland.core.map_adapter import MapAdapter
from marchland.errors import MapError
from marchland.games.colorfight.appearance import BUILDING_GLYPHS
from marchland.games.colorfight.maps import GENERATORS, MapData
from marchland.games.colorfight.rules.config import MOST_COST
from marchland.messages import Drawing, MapGenerator, MapLayer, MapMark, MapObject, MapProblem, MapSpec

_LAYERS: Final = ("natural_cost", "natural_gold", "natural_energy")
_LEAST_SIDE: Final = 8
_MOST_HOMES: Final = 64
_SEED: Final = (0, 2**31 - 1, 0)

_SPEC: Final = MapSpec(
    topology="square",
    shape="rectangle",
    holes=False,
    sides=(_LEAST_SIDE, 256, 30),
    seats=_MOST_HOMES,
    form="json",
    layers=[
        MapLayer("natural_cost", "number", [], ["c"], least=1, most=MOST_COST, usual=100),
        MapLayer("natural_gold", "number", [], ["g"], least=1, most=100, usual=5),
        MapLayer("natural_energy", "number", [], ["e"], least=1, most=100, usual=5),
    ],
    marks=[MapMark("home", BUILDING_GLYPHS["home"], "h", "home", owned=True, once=True)],
    generators=[
        MapGenerator("symmetric", {"players": (1, 8, 4), "side": (_LEAST_SIDE, 200, 30), "seed": _SEED}),
        MapGenerator(
            "random",
            {
                "players": (1, _MOST_HOMES, 4),
                "width": (_LEAST_SIDE, 200, 30),
                "height": (_LEAST_SIDE, 200, 30),
                "seed": _SEED,
            },
        ),
    ],
)


class ColorfightMapAdapter(MapAdapter):
    """Colorfight's maps for the server and the map editor."""

    spec = _SPEC

    def to_drawing(self, data: dict[str, Any]) -> Drawing:
        """The map as a drawing."""
        found = _read(data)
        height, width = len(found.natural_cost), len(found.natural_cost[0]) if found.natural_cost else 0
        layers = [[value for row in getattr(found, name) for value in row] for name in _LAYERS]
        for name in _LAYERS:
            rows = getattr(found, name)
            if len(rows) != height or any(len(row) != width for row in rows) or not width:
                raise MapError(f"The map's {name} must have as many rows and columns as its natural_cost.")
        return Drawing(
            (0, width - 1, 0, height - 1), layers, [MapObject("home", at, seat) for seat, at in enumerate(found.homes)]
        )

    def from_drawing(self, drawing: Drawing) -> dict[str, Any]:
        """The drawing as the game takes it."""
        homes = sorted(drawing.of("home"), key=lambda mark: mark.owner)
        values: dict[str, Any] = {name: drawing.rows(layer) for layer, name in enumerate(_LAYERS)}
        return {**values, "homes": [list(mark.at) for mark in homes]}

    def text(self, data: dict[str, Any]) -> str:
        """The map as a file, a line for each row."""
        parts = []
        for name in (*_LAYERS, "homes"):
            rows = ",\n  ".join(json.dumps(row) for row in data[name])
            parts.append(f'"{name}": [\n  {rows}]')
        return "{" + ",\n ".join(parts) + "}\n"

    def problems(self, data: dict[str, Any]) -> list[MapProblem]:
        """What makes the map unplayable."""
        found = _read(data)
        width, height = _sides(found)
        problems = []
        if min(width, height) < _LEAST_SIDE:
            problems.append(MapProblem(f"A board has {_LEAST_SIDE} rows and columns at least, not {width} x {height}."))
        if not found.homes:
            problems.append(MapProblem("No player has a home on this map; it needs one at least."))
        first: dict[tuple[int, int], int] = {}
        for seat, at in enumerate(found.homes):
            if not (0 <= at[0] < width and 0 <= at[1] < height):
                problems.append(MapProblem(f"The home of player {seat} is at {list(at)}, outside the board.", [at]))
            if (other := first.setdefault(at, seat)) != seat:
                problems.append(MapProblem(f"Players {other} and {seat} share a home at {list(at)}.", [at]))
        return problems

    def players(self, data: dict[str, Any]) -> list[int]:
        """As many as have homes."""
        return list(range(1, len(_read(data).homes) + 1))

    def settings(self, data: dict[str, Any]) -> dict[str, Any]:
        """The board is as large as the map."""
        width, height = _sides(_read(data))
        return {"width": width, "height": height}

    def named_maps(self) -> list[str]:
        """The generators: no map comes with the game."""
        return list(GENERATORS)

    def generate(self, generator: str, settings: dict[str, int]) -> dict[str, Any]:
        """The map of a match that was made so."""
        from marchland.games.colorfight.game import Colorfight
        from marchland.games.colorfight.rules.state import HOME, Cells

        width, height = (settings["side"],) * 2 if generator == "symmetric" else (settings["width"], settings["height"])
        made = Colorfight.new(
            settings["players"], seed=settings["seed"], config={"width": width, "height": height}, map=generator
        )
        cells: Cells = made.arrays(Cells)
        homes = {int(cells.owner[cell]): made.board.at(cell) for cell in (cells.building == HOME).nonzero()[0].tolist()}
        values = {name: getattr(cells, name).reshape(height, width).tolist() for name in _LAYERS}
        return {**values, "homes": [list(homes[seat]) for seat in sorted(homes)]}


def _read(data: dict[str, Any]) -> MapData:
    try:
        return msgspec.convert(data, MapData)
    except msgspec.ValidationError as problem:
        raise MapError(f"The map cannot be read: {problem}.".replace("$.", "")) from None


def _sides(found: MapData) -> tuple[int, int]:
    return len(found.natural_cost[0]), len(found.natural_cost)
