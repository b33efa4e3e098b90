"""BoidVoid's maps as drawings: tiles with obstacles and holes, homes, points of importance, characters, bonuses."""

import re
from typing import Any, Final

import msgspec

from marchland.core.map_adapter import MapAdapter
from marchland.errors import MapError
from marchland.games.boidvoid.appearance import (
    OBSTACLE_GLYPHS,
    OBSTACLE_STYLES,
    POINT_GLYPHS,
    TERRAIN_GLYPHS,
    TERRAIN_STYLES,
)
from marchland.games.boidvoid.maps import mapfile
from marchland.games.boidvoid.maps.generator import generate
from marchland.games.boidvoid.maps.mapfile import (
    HOLE,
    LETTERS,
    MAPS,
    OBSTACLE,
    Character,
    MapText,
    ObstaclePlace,
    Place,
)
from marchland.games.boidvoid.rules.constants import BONUS_NAMES, TERRAINS
from marchland.messages import Drawing, MapGenerator, MapLayer, MapMark, MapObject, MapProblem, MapSpec

_TILES: Final = LETTERS + OBSTACLE
_AT: Final = re.compile(r"\[(-?\d+), (-?\d+)\]")
_TEAM: Final = re.compile(r"^Team (\d+)")
_SHIPS_A_TEAM: Final = 8  # as many players as are named for a map
_NFT: Final = {"nft": (0, 2**53 - 1, 0)}  # 0 for none
_BONUSES: Final = {**dict.fromkeys(BONUS_NAMES, (-1000, 1000, 0)), **_NFT}
_STATS: Final = {**dict.fromkeys(mapfile.NPC_STATS, (0, 100000, 0)), **_NFT}

_SPEC: Final = MapSpec(
    topology="hex",
    shape="rectangle",
    holes=True,
    sides=(1, 256, 16),
    seats=64,
    form="json",
    layers=[
        MapLayer(
            "terrain",
            "code",
            [*TERRAINS, "obstacle"],
            ["c", "a", "n", "d", "p", "x"],
            styles=TERRAIN_STYLES | OBSTACLE_STYLES,
            glyphs=TERRAIN_GLYPHS | OBSTACLE_GLYPHS,
        )
    ],
    marks=[
        MapMark("first home", "diamond", "f", "home", owned=True, once=True),
        MapMark("home", "", "h", "home", owned=True),
        MapMark("point of importance", POINT_GLYPHS["point of importance"], "i", "point", numbers=_BONUSES),
        MapMark("npc", "cross", "m", "npc", numbers=_STATS),
        MapMark("bonus", "square", "b", "bonus", numbers=_BONUSES),
        MapMark("obstacle NFT", "hexagon", "o", "bonus", numbers=_NFT),
    ],
    generators=[
        MapGenerator(
            "random",
            {
                "width": (8, 100, 16),
                "height": (8, 100, 12),
                "teams": (2, 64, 2),
                "seed": (0, 2**31 - 1, 0),
                "obstacles": (0, 30, 8),
                "points": (0, 20, 3),
                "npcs": (0, 20, 2),
                "home_radius": (0, 5, 1),
            },
        )
    ],
)


class BoidVoidMapAdapter(MapAdapter):
    """BoidVoid's maps for the server and the map editor."""

    spec = _SPEC

    def to_drawing(self, data: dict[str, Any]) -> Drawing:
        """The map as a drawing."""
        found = mapfile.read_data(data)
        fits = found.height == len(found.tiles) and all(len(row) == found.width for row in found.tiles)
        if not fits or not found.width or set("".join(found.tiles)) - set(_TILES + HOLE):
            raise MapError(mapfile.mistakes(found)[0])
        terrain = [_TILES.find(letter) for row in found.tiles for letter in row]
        marks = [
            MapObject("home" if number else "first home", at, team)
            for team, homes in enumerate(found.homes)
            for number, at in enumerate(homes)
        ]
        marks += [
            MapObject("point of importance", place.at, -1, _numbers(place.bonuses, place.nft)) for place in found.points
        ]
        marks += [MapObject("npc", npc.at, -1, _numbers(npc.stats, npc.nft)) for npc in found.npcs]
        marks += [MapObject("bonus", place.at, -1, _numbers(place.bonuses, place.nft)) for place in found.bonuses]
        marks += [MapObject("obstacle NFT", place.at, -1, _numbers({}, place.nft)) for place in found.obstacles]
        return Drawing((0, found.width - 1, 0, found.height - 1), [terrain], marks)

    def from_drawing(self, drawing: Drawing) -> dict[str, Any]:
        """The drawing as the game takes it. Where it begins at an odd row, a row of holes comes first."""
        above = drawing.box[2]
        teams = max((mark.owner for mark in drawing.marks), default=-1) + 1
        homes: list[list[tuple[int, int]]] = [[] for _ in range(teams)]
        for mark in (*drawing.of("first home"), *drawing.of("home")):
            homes[mark.owner].append(mark.at)

        def places(kind: str) -> list[tuple[tuple[int, int], dict[str, int], int | None]]:
            found = [(mark.at, dict(mark.numbers)) for mark in drawing.of(kind)]
            return [(at, numbers, numbers.pop("nft", None) or None) for at, numbers in found]

        found = MapText(
            drawing.width,
            above + drawing.height,
            [HOLE * drawing.width] * above
            + ["".join(_TILES[code] if code >= 0 else HOLE for code in row) for row in drawing.rows()],
            homes,
            [Place(*place) for place in places("point of importance")],
            [Character(*place) for place in places("npc")],
            [Place(*place) for place in places("bonus")],
            obstacles=[ObstaclePlace(at, nft or 0) for at, _, nft in places("obstacle NFT")],
        )
        plain: dict[str, Any] = msgspec.to_builtins(found)
        return plain

    def text(self, data: dict[str, Any]) -> str:
        """The map as a file, a line for each row of tiles."""
        return mapfile.write(mapfile.read_data(data))

    def problems(self, data: dict[str, Any]) -> list[MapProblem]:
        """Mistakes, else what is unfair, with the tiles that they name."""
        found = mapfile.read_data(data)
        if wrong := mapfile.mistakes(found):
            return [MapProblem(sentence, _named(sentence, found)) for sentence in wrong]
        return [MapProblem(sentence, _named(sentence, found), grave=False) for sentence in mapfile.complaints(found)]

    def players(self, data: dict[str, Any]) -> list[int]:
        """One for each team at least."""
        teams = len(mapfile.read_data(data).homes)
        return list(range(teams, _SHIPS_A_TEAM * teams + 1))

    def settings(self, data: dict[str, Any]) -> dict[str, Any]:
        """A match has as many teams as the map."""
        return {"teams": len(mapfile.read_data(data).homes)}

    def builtin_maps(self) -> dict[str, Any]:
        """The maps that come with the game."""
        return {name: msgspec.json.decode(MAPS.read(name)) for name in MAPS.names()}

    def generate(self, generator: str, settings: dict[str, int]) -> dict[str, Any]:
        """A random map; with two teams a symmetric one."""
        plain: dict[str, Any] = msgspec.to_builtins(generate(**settings))
        return plain


def _numbers(given: dict[str, int], nft: int | None) -> dict[str, int]:
    return given if nft is None else {**given, "nft": nft}


def _named(sentence: str, found: MapText) -> list[tuple[int, int]]:
    cells = [(int(x), int(y)) for x, y in _AT.findall(sentence)]
    team = _TEAM.match(sentence)
    if not cells and team and found.homes[int(team[1])]:
        return [found.homes[int(team[1])][0]]
    return cells
