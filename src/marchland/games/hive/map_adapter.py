"""Hive's maps as drawings. A map file has a cell every 4 characters; a cell of the drawing is one of the file."""

import re
from typing import Final

from marchland.core.map_adapter import MapAdapter
from marchland.errors import MapError
from marchland.games.hive.appearance import TERRAIN_STYLES
from marchland.games.hive.maps import mapfile
from marchland.games.hive.maps.fairness import complaints
from marchland.games.hive.maps.generator import generate
from marchland.games.hive.maps.mapfile import MAPS
from marchland.games.hive.rules.state import TERRAINS
from marchland.messages import Drawing, MapGenerator, MapLayer, MapMark, MapObject, MapProblem, MapSpec

_LETTERS: Final = ".FR"
_MARKS: Final = {"H": "hive", "B": "bee", "W": "wall"}
_STEP: Final = 4  # characters from cell to cell
_PLACE: Final = re.compile(r"line (\d+), column (\d+)")

_GENERATOR_SETTINGS: Final = {
    "radius": (5, 30, 8),
    "seed": (0, 2**31 - 1, 0),
    "bees": (1, 6, 2),
    "fields": (0, 40, 8),
    "stone": (0, 40, 8),
}

_SPEC: Final = MapSpec(
    topology="hex",
    shape="any",
    holes=True,
    sides=(1, 120, 8),
    seats=6,
    form="text",
    layers=[MapLayer("terrain", "code", list(TERRAINS[: len(_LETTERS)]), ["e", "f", "r"], styles=TERRAIN_STYLES)],
    marks=[
        MapMark(name, name, name[0], "entity", owned=True, ground=0)  # entities start on empty cells
        for name in _MARKS.values()
    ],
    generators=[MapGenerator(name, _GENERATOR_SETTINGS) for name in ("sixths", "thirds")],
)


class HiveMapAdapter(MapAdapter):
    """Hive's maps for the server and the map editor."""

    spec = _SPEC

    def to_drawing(self, data: str) -> Drawing:
        """The map as a drawing."""
        tokens = list(mapfile.read_tokens(data))
        broken = next((problem for token in tokens if (problem := token.problem())), None)
        if broken is not None or not tokens:
            raise MapError(broken or mapfile.mistakes(data)[0])
        places = [((token.column - 1) // _STEP, token.line - 1) for token in tokens]
        columns, lines = [column for column, _ in places], [line for _, line in places]
        box = (min(columns), max(columns), min(lines), max(lines))
        width = box[1] - box[0] + 1
        if width * (box[3] - box[2] + 1) > mapfile.MOST_PLACES:
            raise MapError(mapfile.mistakes(data)[0])
        terrain = [-1] * (width * (box[3] - box[2] + 1))
        marks = []
        for (column, line), token in zip(places, tokens, strict=True):
            terrain[(line - box[2]) * width + column - box[0]] = max(_LETTERS.find(token.text), 0)
            if token.text[0] in _MARKS:
                marks.append(MapObject(_MARKS[token.text[0]], (column, line), int(token.text[1])))
        return Drawing(box, [terrain], marks)

    def from_drawing(self, drawing: Drawing) -> str:
        """The drawing as a map file. Where it begins at an odd row, an empty line comes first."""
        top = drawing.box[2]
        letters = {name: letter for letter, name in _MARKS.items()}
        cells = {mark.at: f"{letters[mark.kind]}{mark.owner}" for mark in drawing.marks}
        lines = [""] * top
        for row, values in enumerate(drawing.rows(), top):
            texts = (
                cells.get((column, row), _LETTERS[code]) if code >= 0 else "" for column, code in enumerate(values)
            )
            indent = " " * (_STEP // 2) if row % 2 else ""
            lines.append((indent + "".join(text.ljust(_STEP) for text in texts)).rstrip())
        return "\n".join(lines) + "\n"

    def problems(self, data: str) -> list[MapProblem]:
        """Mistakes, else what is unfair."""
        if found := mapfile.mistakes(data):
            return [_located(sentence) for sentence in found]
        return [_located(sentence, grave=not self.players(data)) for sentence in complaints(mapfile.parse(data))]

    def players(self, data: str) -> list[int]:
        """For how many its slots are."""
        slots = set(mapfile.parse(data).slots)
        return [count for count, wanted in mapfile.SLOTS.items() if set(wanted) <= slots]

    def builtin_maps(self) -> dict[str, str]:
        """The maps that come with the game."""
        return {name: MAPS.read(name) for name in MAPS.names()}

    def generate(self, generator: str, settings: dict[str, int]) -> str:
        """A hexagon whose sixths or thirds are alike."""
        return generate(**settings, symmetry=6 if generator == "sixths" else 3)


def _located(sentence: str, *, grave: bool = True) -> MapProblem:
    """The sentence with the cells that it names."""
    cells = [((int(column) - 1) // _STEP, int(line) - 1) for line, column in _PLACE.findall(sentence)]
    return MapProblem(sentence[0].upper() + sentence[1:], cells, grave)
