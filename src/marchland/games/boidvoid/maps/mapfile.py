"""BoidVoid's maps: a JSON file, how it is read, and what is wrong with one.

{"width": 4, "height": 3,
 "tiles": [".a.#",
           " nc.",
           "p..."],
 "homes": [[[0, 0], [1, 0]], [[3, 2]]],
 "points": [{"at": [2, 1], "bonuses": {"attack": 20}}],
 "npcs": [{"at": [1, 2], "stats": {"health": 60}}]}

A tile is . clear, a asteroid field, n nebula, c conduit, p planet, # obstacle or a blank for a hole. ``homes`` holds
for each team the tiles that it owns at the start, its first home first. On a server, places of ``points``, ``bonuses``,
``npcs`` and ``obstacles`` may name an NFT of the ledger: ``{"at": [2, 1], "nft": 2000000001}``.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import numpy as np

from marchland.board import Board
from marchland.core.map_files import MapFolder
from marchland.errors import MapError, did_you_mean
from marchland.games.boidvoid.rules.constants import BONUS_NAMES, STAT_NAMES

LETTERS: Final = ".ancp"
OBSTACLE: Final = "#"
HOLE: Final = " "
EDITOR_SIDE: Final = 50
MOST_SIDE: Final = 2048

NPC_STATS: Final = ("attack", "defense", "health", "range", "critical_chance", "critical_value")

MAPS: Final = MapFolder("BoidVoid", __package__, ".json")
"""The maps that come with the game."""

Pair = tuple[int, int]


class Place(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A tile with bonuses of its own, or a point of importance."""

    at: Pair
    bonuses: dict[str, int] = {}
    nft: int | None = None


class ObstaclePlace(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An obstacle that is an NFT."""

    at: Pair
    nft: int


class Character(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A non-playable character, with the modifiers in which it differs from the usual one."""

    at: Pair
    stats: dict[str, int] = {}
    nft: int | None = None


class MapText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The file."""

    width: int
    height: int
    tiles: list[str]
    homes: list[list[Pair]]
    points: list[Place] = []
    npcs: list[Character] = []
    bonuses: list[Place] = []
    name: str = ""
    obstacles: list[ObstaclePlace] = []

    def cells(self) -> list[Pair]:
        """The tiles that exist, row by row."""
        return [(x, y) for y, row in enumerate(self.tiles) for x, letter in enumerate(row) if letter != HOLE]

    def board(self) -> Board:
        """The board of the tiles that exist."""
        if all(HOLE not in row for row in self.tiles):
            return Board.hex_rectangle(self.width, self.height)
        return Board.of_cells("hex", np.array(self.cells()), dialect="odd-r")

    def names_nfts(self) -> bool:
        """Whether a ledger is needed to play on it."""
        nfts = [*(place.nft for place in (*self.points, *self.bonuses)), *(npc.nft for npc in self.npcs)]
        return bool(self.obstacles) or any(nft is not None for nft in nfts)

    def letter(self, at: Pair) -> str:
        """What is written at [x, y]; a hole outside the rectangle."""
        x, y = at
        return self.tiles[y][x] if 0 <= y < self.height and 0 <= x < self.width else HOLE

    def terrain(self, letter: str) -> int:
        """The terrain's number; an obstacle stands on a clear tile."""
        return max(LETTERS.find(letter), 0)


def read(text: str) -> MapText:
    """The map in a JSON text, or `MapError` with the first thing that is wrong."""
    try:
        found = msgspec.json.decode(text, type=MapText)
    except msgspec.MsgspecError as problem:
        raise MapError(f"The map cannot be read: {problem}.".replace("$.", "")) from None
    problems = mistakes(found)
    if problems:
        raise MapError(problems[0])
    return found


def read_data(data: Mapping[str, Any]) -> MapText:
    """The map in plain data, which may be unplayable."""
    try:
        return msgspec.convert(data, MapText)
    except msgspec.ValidationError as problem:
        raise MapError(f"The map cannot be read: {problem}.".replace("$.", "")) from None


def mistakes(found: MapText) -> list[str]:
    """Everything that makes the map unplayable."""
    if not (1 <= found.width <= MOST_SIDE and 1 <= found.height <= MOST_SIDE):
        return [f"A map has sides of 1 to {MOST_SIDE}, not {found.width} x {found.height}."]
    if len(found.tiles) != found.height or any(len(row) != found.width for row in found.tiles):
        return [f"tiles must be {found.height} rows of {found.width} letters, as height and width say."]
    problems = [
        f"[{x}, {y}] is {letter!r}; a tile is one of . a n c p # or a blank."
        for y, row in enumerate(found.tiles)
        for x, letter in enumerate(row)
        if letter not in LETTERS + OBSTACLE + HOLE
    ]
    if len(found.homes) < 2:
        problems.append("homes must list the starting tiles of two teams at least.")
    taken: dict[Pair, str] = {}
    for team, homes in enumerate(found.homes):
        if not homes:
            problems.append(f"Team {team} has no home.")
        for at in homes:
            problems += _misplaced(found, at, f"A home of team {team}", taken)
    standing: dict[Pair, str] = {}
    for npc in found.npcs:
        problems += _misplaced(found, npc.at, "An NPC", standing)
        problems += _unknown(npc.stats, NPC_STATS, "An NPC", STAT_NAMES)
        if npc.stats.get("health", 1) < 1:
            problems.append(f"The NPC at {list(npc.at)} has no health.")
    covered: dict[Pair, str] = {}
    for obstacle in found.obstacles:
        problems += _misplaced(found, obstacle.at, "An obstacle", covered)
        if obstacle.at in taken or obstacle.at in standing:
            problems.append(f"An obstacle is at {list(obstacle.at)}, but so is a home or an NPC.")
    for places, what in ((found.points, "A point of importance"), (found.bonuses, "A tile with bonuses")):
        seen: dict[Pair, str] = {}
        for place in places:
            problems += _misplaced(found, place.at, what, seen)
            problems += _unknown(place.bonuses, BONUS_NAMES, what, BONUS_NAMES)
    return problems


def _misplaced(found: MapText, at: Pair, what: str, taken: dict[Pair, str]) -> list[str]:
    problems = []
    if found.letter(at) in (HOLE, OBSTACLE):
        problems.append(f"{what} is at {list(at)}, where no unit can be.")
    if at in taken:
        problems.append(f"{what} is at {list(at)}, but so is {taken[at].lower()}.")
    taken[at] = what
    return problems


def _unknown(given: Mapping[str, int], allowed: tuple[str, ...], what: str, names: tuple[str, ...]) -> list[str]:
    problems = [f"{what} has no {name!r}; {did_you_mean(name, allowed)}" for name in given if name not in allowed]
    limit = 1000 if names is BONUS_NAMES else 100_000
    return problems + [f"{what}'s {name} is out of bounds." for name, value in given.items() if abs(value) > limit]


def complaints(found: MapText) -> list[str]:
    """What makes a map that can be played unfair or dull."""
    board = found.board()
    blocked = np.array([found.letter(at) == OBSTACLE for at in found.cells()])
    field = board.field([board.index(*found.homes[0][0])], np.where(blocked, -1, 1))
    cut_off = [team for team, homes in enumerate(found.homes) if field[board.index(*homes[0])] < 0]
    said = [f"Team {team} cannot reach team 0." for team in cut_off]
    if len({len(homes) for homes in found.homes}) > 1:
        said.append("The teams start with different numbers of tiles.")
    return said


def find(map: Any) -> MapText:
    """The map called so, or the one that this JSON text or this plain data is."""
    if isinstance(map, Mapping):
        return read(json.dumps(map))
    if not isinstance(map, str):
        raise MapError(f"A map is a name, a JSON text or its data, not {type(map).__name__}.")
    return read(MAPS.resolve(map))


def write(found: MapText) -> str:
    """The map as a file, a line for each row of tiles."""
    data: dict[str, Any] = msgspec.to_builtins(found)
    lines = ",\n  ".join(json.dumps(row) for row in data.pop("tiles"))
    head = ", ".join(f"{json.dumps(name)}: {json.dumps(data.pop(name))}" for name in ("width", "height"))
    rest = "".join(f",\n {json.dumps(name)}: {json.dumps(value)}" for name, value in data.items())
    return f'{{{head},\n "tiles": [\n  {lines}]{rest}}}\n'


def check_map(text: str) -> list[str]:
    """Why no match can be played on a map file."""
    try:
        found = msgspec.json.decode(text, type=MapText)
    except msgspec.MsgspecError as problem:
        return [f"The map cannot be read: {problem}.".replace("$.", "")]
    return mistakes(found)


def remarks(text: str) -> list[str]:
    """What is unfair or dull on a map that can be played on."""
    return complaints(msgspec.json.decode(text, type=MapText))


def looks_like_map(text: str) -> bool:
    """Whether the text is meant as a map of this game: an object in JSON."""
    return text.lstrip().startswith("{")
