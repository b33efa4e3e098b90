"""DatsPulse's maps as drawings: a hexagon round [0, 0], spots that take three hexes, and food."""

import json
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np

from marchland.core.dice import map_key_from_seed
from marchland.core.map_adapter import MapAdapter
from marchland.errors import MapError
from marchland.games.datspulse.appearance import FOOD_GLYPHS, NEST_GLYPHS, TERRAIN_STYLES
from marchland.games.datspulse.maps import mapfile
from marchland.games.datspulse.maps.generator import generate, nest_of
from marchland.games.datspulse.maps.mapfile import LARGEST, MARKS, MapText
from marchland.games.datspulse.rules.config import GENERATORS, DatspulseConfig
from marchland.games.datspulse.rules.state import FOODS, ROCK, TERRAINS
from marchland.messages import Drawing, MapGenerator, MapLayer, MapMark, MapObject, MapProblem, MapSpec

_LAND: Final = ".:~#"
_FOODS: Final = FOODS[1:]
_MOST: Final = 127  # of a hexagon's radius: its rectangle still fits a drawing
_GENERATOR_SETTINGS: Final = {"players": (1, 64, 4), "radius": (0, 120, 0), "seed": (0, 2**31 - 1, 0)}

_SPEC: Final = MapSpec(
    topology="hex",
    shape="hexagon",
    holes=False,
    sides=(2, _MOST, 12),
    seats=64,
    form="json",
    layers=[
        MapLayer(
            "terrain", "code", [TERRAINS[MARKS[mark]] for mark in _LAND], ["e", "d", "c", "r"], styles=TERRAIN_STYLES
        )
    ],
    marks=[
        MapMark("nest", NEST_GLYPHS["anthill"], "n", "nest", owned=True, once=True, covers=[(1, -1), (0, -1)]),
        *(
            MapMark(food, FOOD_GLYPHS[food], key, "food", numbers={"amount": (1, LARGEST, 5)})
            for food, key in zip(_FOODS, "abk", strict=True)
        ),
    ],
    generators=[MapGenerator(name, _GENERATOR_SETTINGS) for name in GENERATORS],
)


class DatspulseMapAdapter(MapAdapter):
    """Datspulse's maps for the server and the map editor."""

    spec = _SPEC

    def to_drawing(self, data: dict[str, Any]) -> Drawing:
        """The map as a drawing."""
        found = _read(data)
        rows = ["".join(row.split()) for row in found.map]
        if strange := set("".join(rows)) - set(MARKS):
            raise MapError(f"The map has a mark {min(strange)!r}; there are {' '.join(MARKS)}.")
        radius = len(rows) // 2
        # Lengths first: a short text of many empty rows must not make a hexagon of its height.
        if [len(row) for row in rows] != [2 * radius + 1 - abs(row) for row in range(-radius, radius + 1)]:
            raise MapError(
                "The map must be a hexagon: an odd number of rows, each one hex longer up to the middle one."
            )
        spots = [spot for places in _hexagon(radius) for spot in places]
        left, right = min(column for column, _ in spots), max(column for column, _ in spots)
        terrain = [-1] * ((right - left + 1) * len(rows))
        for (column, row), mark in zip(spots, "".join(rows), strict=True):
            terrain[(row + radius) * (right - left + 1) + column - left] = max(_LAND.find(mark), 0)
        marks = [MapObject("nest", spot, team) for team, spot in enumerate(found.spots)]
        marks += [
            MapObject(pile.type, pile.at, -1, {"amount": pile.amount}) for pile in found.food if pile.type in _FOODS
        ]
        return Drawing((left, right, -radius, radius), [terrain], marks)

    def from_drawing(self, drawing: Drawing) -> dict[str, Any]:
        """The drawing as the game takes it."""
        nests = sorted(drawing.of("nest"), key=lambda mark: mark.owner)
        piles = [
            {"at": list(pile.at), "type": pile.kind, "amount": pile.numbers.get("amount", 5)}
            for pile in drawing.of(*_FOODS)
        ]
        rows = ["".join(_LAND[code] for code in row if code >= 0) for row in drawing.rows()]
        return {"map": rows, "spots": [list(mark.at) for mark in nests], "food": piles}

    def text(self, data: dict[str, Any]) -> str:
        """The map as a file, a line for each row."""
        rows = ",\n  ".join(json.dumps(row) for row in data["map"])
        rest = "".join(f',\n "{name}": {json.dumps(data[name])}' for name in ("spots", "food") if name in data)
        return f'{{"map": [\n  {rows}]{rest}}}\n'

    def problems(self, data: dict[str, Any]) -> list[MapProblem]:
        """What makes the map unplayable, else which nests cannot be reached."""
        found = _read(data)
        board, terrain = mapfile.read_map(found.map)
        problems = [] if found.spots else [MapProblem("No player has a nest on this map; it needs one at least.")]
        taken: dict[int, str] = {}
        for team, spot in enumerate(found.spots):
            cell = board.index(*spot)
            home = nest_of(board, cell) if cell >= 0 else (-1,)
            if min(home) < 0:
                problems.append(
                    MapProblem(
                        f"The nest of team {team} has no room: it takes {list(spot)} and the two hexes above.", [spot]
                    )
                )
                continue
            if other := next((taken[hex_] for hex_ in home if hex_ in taken), None):
                problems.append(MapProblem(f"The nests of team {team} and {other} overlap.", [spot]))
            taken.update(dict.fromkeys(home, f"team {team}"))
        for pile in found.food:
            cell = board.index(*pile.at)
            if pile.type not in _FOODS or not 1 <= pile.amount <= LARGEST:
                problems.append(
                    MapProblem(f"The food at {list(pile.at)} must be {', '.join(_FOODS)}, and 1 at least.", [pile.at])
                )
            elif cell < 0 or terrain[cell] == ROCK or cell in taken:
                problems.append(
                    MapProblem(f"The food at {list(pile.at)} must lie on no rock and in no nest.", [pile.at])
                )
        return problems or list(_cut_off(board, terrain, [board.index(*spot) for spot in found.spots], found))

    def players(self, data: dict[str, Any]) -> list[int]:
        """As many as have nests."""
        return list(range(1, len(_read(data).spots) + 1))

    def named_maps(self) -> list[str]:
        """The generators: no map comes with the game."""
        return list(GENERATORS)

    def generate(self, generator: str, settings: dict[str, int]) -> dict[str, Any]:
        """A map for so many teams."""
        config = DatspulseConfig.build({"radius": settings["radius"]})
        world = generate(generator, config, settings["players"], map_key_from_seed(settings["seed"]))
        piles = np.flatnonzero(world.amount)
        return {
            "map": [row.replace("n", ".") for row in mapfile.rows_of(world.board, world.terrain)],
            "spots": [list(world.board.at(spot)) for spot in world.spots],
            "food": [
                {"at": list(world.board.at(cell)), "type": FOODS[world.food[cell]], "amount": int(world.amount[cell])}
                for cell in piles.tolist()
            ],
        }


def _read(data: dict[str, Any]) -> MapText:
    try:
        return msgspec.convert(data, MapText)
    except msgspec.ValidationError as problem:
        raise MapError(f"The map cannot be read: {problem}.".replace("$.", "")) from None


def _hexagon(radius: int) -> list[list[tuple[int, int]]]:
    """Column and row of every hex, row by row."""
    return [
        [(q + (row >> 1), row) for q in range(-radius - min(row, 0), radius - max(row, 0) + 1)]
        for row in range(-radius, radius + 1)
    ]


def _cut_off(board: Any, terrain: Any, spots: list[int], found: MapText) -> Iterator[MapProblem]:
    """Nests that cannot be reached from the first one."""
    field = board.field([spots[0]], np.where(terrain == ROCK, -1, 1).astype(np.int32))
    for team, spot in enumerate(spots):
        if field[spot] < 0:
            yield MapProblem(f"Team {team} cannot reach team 0.", [found.spots[team]], grave=False)
