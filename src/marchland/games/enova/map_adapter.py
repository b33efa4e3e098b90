"""Enova's maps as drawings: a character of a map file is a cell."""

import re
from typing import Final

from marchland.core.map_adapter import MapAdapter
from marchland.errors import MapError
from marchland.games.enova.appearance import TERRAIN_GLYPHS, TERRAIN_STYLES
from marchland.games.enova.maps import mapfile
from marchland.games.enova.maps.worlds import GENERATED
from marchland.games.enova.rules.terrain import CASTLE, SYMBOLS, TERRAIN
from marchland.messages import Drawing, MapGenerator, MapLayer, MapMark, MapObject, MapProblem, MapSpec

_PLACE: Final = re.compile(r"[Ll]ine (\d+), column (\d+)")
_MOST_PLAYERS: Final = 64  # on a map without seats, where castles are random

_SPEC: Final = MapSpec(
    topology="square",
    shape="rectangle",
    holes=False,
    sides=(1, 256, 17),
    seats=len(mapfile.SEATS),
    form="text",
    layers=[MapLayer("terrain", "code", list(TERRAIN), ["o", "x", "c"], styles=TERRAIN_STYLES, glyphs=TERRAIN_GLYPHS)],
    marks=[MapMark("seat", TERRAIN_GLYPHS["castle"], "s", "seat", owned=True, once=True, ground=CASTLE)],
    generators=[
        MapGenerator("lattice", {"players": (1, 60, 4), "castle_spacing": (2, 16, 4), "least_castles": (1, 16, 2)})
    ],
)


class EnovaMapAdapter(MapAdapter):
    """Enova's maps for the server and the map editor."""

    spec = _SPEC

    def to_drawing(self, data: str) -> Drawing:
        """The map as a drawing."""
        rows = [line.tiles for line in mapfile.read_lines(data)]
        if (
            not rows
            or any(len(row) != len(rows[0]) for row in rows)
            or set("".join(rows)) - set(SYMBOLS + mapfile.SEATS)
        ):
            raise MapError(" ".join(mapfile.check_map(data)[:3]))
        terrain = [SYMBOLS.find(mark) if mark in SYMBOLS else CASTLE for row in rows for mark in row]
        marks = [
            MapObject("seat", (column, line), mapfile.SEATS.index(mark))
            for line, row in enumerate(rows)
            for column, mark in enumerate(row)
            if mark in mapfile.SEATS
        ]
        return Drawing((0, len(rows[0]) - 1, 0, len(rows) - 1), [terrain], marks)

    def from_drawing(self, drawing: Drawing) -> str:
        """The drawing as a map file."""
        seats = {mark.at: mapfile.SEATS[mark.owner] for mark in drawing.marks}
        lines = (
            "".join(seats.get((column, row), SYMBOLS[code]) for column, code in enumerate(values))
            for row, values in enumerate(drawing.rows())
        )
        return "\n".join(lines) + "\n"

    def problems(self, data: str) -> list[MapProblem]:
        """Mistakes with the cells that they name; remarks in a file are no rows."""
        rows = {line.number: row for row, line in enumerate(mapfile.read_lines(data))}
        return [
            MapProblem(
                sentence,
                [(int(column) - 1, rows[int(line)]) for line, column in _PLACE.findall(sentence) if int(line) in rows],
            )
            for sentence in mapfile.check_map(data)
        ]

    def players(self, data: str) -> list[int]:
        """As many as have seats or, without seats, castles."""
        chart = mapfile.read_map(data)
        places = len(chart.seats) or min(int((chart.terrain == CASTLE).sum()), _MOST_PLAYERS)
        return list(range(1, places + 1))

    def named_maps(self) -> list[str]:
        """The generated worlds: no map comes with the game."""
        return list(GENERATED)

    def generate(self, generator: str, settings: dict[str, int]) -> str:
        """The lattice for so many players."""
        return mapfile.new_map(**settings)
