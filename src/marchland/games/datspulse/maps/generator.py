"""DatsPulse's maps: where the nests stand and what the land is like (ruling 1)."""

import functools
import math
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.core.dice import roll
from marchland.errors import MapError
from marchland.games.datspulse.maps.noise import noise
from marchland.games.datspulse.rules.config import GENERATORS, DatspulseConfig
from marchland.games.datspulse.rules.state import ACID, ANTHILL, APPLE, DIRT, EMPTY, NOTHING, ROCK

Numbers = npt.NDArray[Any]
Key = tuple[int, int]

# What a draw is for.
ROCKS, ACIDS, DIRTS, FOODS, KINDS, AMOUNTS, SEATS, STRAYS, ZONES = range(9)

MARGIN: Final = 4
"""How far a nest stays from the edge."""
CLEARING: Final = 2
"""How far round its spot the land is empty."""
RING: Final = 4
"""So many teams stand round the centre and not on it."""
CLOSEST: Final = 6
"""How near nests may come to each other on a map that is given too small for the usual distance."""

BIOMES: Final = ((5, 10, 7), (16, 6, 6), (6, 12, 6), (6, 9, 10), (20, 7, 6))
"""The percentages of dirt, acid and rock that a team's zone may have: meadow, mud, acid marsh, crags, mire.

Each leaves 61 to 78 % empty, so that every map has the shares of ruling 1; on average they are the recorded ones.
"""


class World(NamedTuple):
    """A map: for each hex its terrain and food, for each team the hex of its spot."""

    board: Board
    terrain: Numbers
    food: Numbers
    amount: Numbers
    spots: list[int]


def check(map: Any) -> None:
    """Refuse what is neither a generator's name nor a map."""
    if map is not None and not isinstance(map, Mapping) and map not in GENERATORS:
        have = ", ".join(GENERATORS)
        raise MapError(f"DatsPulse has no map {reprlib.repr(map)}; there are {have}, or an object with a map in rows.")


def generate(name: str, config: DatspulseConfig, teams: int, key: Key) -> World:
    """A map for so many teams."""
    board, sites, period = sites_for(name, config, teams, key)
    spots = shuffled(sites, key)
    paint = Painter(board, key, period if name == "lattice" else 0)
    zones = nearest(board, sites) if name == "biomes" else np.zeros(board.size, np.int64)
    terrain = np.full(board.size, EMPTY, np.int8)
    for zone in range(int(zones.max()) + 1):
        shares = (config.dirt_percent, config.acid_percent, config.rock_percent)
        if name == "biomes":
            shares = BIOMES[roll(*key, 0, 0, ZONES, zone, len(BIOMES))]
        paint.cover(terrain, zones == zone, shares)
    for spot in spots:
        terrain[board.disk(spot, CLEARING)] = EMPTY
    nests = np.array([nest_of(board, spot) for spot in spots])
    terrain[nests] = ANTHILL
    open_ways(board, terrain, nests)
    return World(board, terrain, *paint.scatter(terrain, config), spots)


# ---------------------------------------------------------------- nests


def nest_of(board: Board, spot: int) -> tuple[int, int, int]:
    """The spot, its upper right and its upper left neighbour (ruling 2)."""
    first = spot * board.degree
    left, right = (board.directions.index(name) for name in ("NW", "NE"))
    beside = board.tables.neighbours
    return spot, int(beside[first + right]), int(beside[first + left])


def radius_for(config: DatspulseConfig, teams: int) -> int:
    """The radius whose hexagon has enough hexes for every team."""
    hexes = teams * config.hexes_per_team
    return max(config.least_radius, math.ceil((math.sqrt(max(12 * hexes - 3, 0)) - 3) / 6))


def sites_for(name: str, config: DatspulseConfig, teams: int, key: Key) -> tuple[Board, list[int], int]:
    """The board, a hex for each team's spot, and the period after which the land round a spot repeats on a lattice."""
    if not config.radius:
        spacing = config.nest_spacing
        points, period = layout(spacing, teams)
        radius = max(radius_for(config, teams), reach_of(points) + config.nest_error + MARGIN)
    else:
        radius = config.radius
        for spacing in range(config.nest_spacing, CLOSEST - 1, -1):
            points, period = layout(spacing, teams)
            if reach_of(points) + error_at(spacing, config) + MARGIN <= radius:
                break
        else:
            raise MapError(f"A map of radius {radius} has no room for {teams} nests.")
    board = Board.hexagon(radius, dialect="odd-r")
    stray = error_at(spacing, config) if name != "lattice" else 0
    return board, stray_sites(board, points, stray, key), period


def error_at(spacing: int, config: DatspulseConfig) -> int:
    """How far nests so far apart may stray without coming too near to each other."""
    return min(config.nest_error, (spacing - CLOSEST) // 2)


def layout(spacing: int, count: int) -> tuple[list[tuple[int, int]], int]:
    """Where the nests of so many teams stand, as frame coordinates, and a period of all their differences."""
    if count == RING:
        return rectangle(spacing)
    return triangular(spacing, count), spacing


def rectangle(spacing: int) -> tuple[list[tuple[int, int]], int]:
    """Four points that mirror each other round the centre (ruling 41): two at ``spacing``, one half as far again.

    The triangular lattice would put one of four teams amid the others.
    """
    half = 2 * math.ceil(spacing / 4)  # even, so that mirrored points are hexes
    return mirrored(half // 2, half), half


def triangular(spacing: int, count: int) -> list[tuple[int, int]]:
    """Points of a lattice of triangles, those nearest to the centre: as frame coordinates.

    The centre lies on a point, between two or amid three, whichever keeps them closest together.
    """
    span = math.isqrt(count) + 2
    best: list[tuple[int, int]] = []
    for p0, r0 in ((0, 0), (spacing // 2, 0), (spacing // 3, spacing // 3)):
        grid = [(p0 + spacing * i, r0 + spacing * j) for i in range(-span, span + 1) for j in range(-span, span + 1)]
        reach = sorted(map(length, grid))[count - 1]
        points = [at for at in grid if length(at) < reach]
        points += outermost([at for at in grid if length(at) == reach], count - len(points), ring=p0 == r0 == 0)
        if not best or reach < reach_of(best):
            best = points
    return best


def outermost(points: Sequence[tuple[int, int]], count: int, *, ring: bool) -> list[tuple[int, int]]:
    """So many of the points that are farthest from the centre, so that what stays free lies on all sides alike.

    Of a ring they are spread evenly; of what is no whole ring, the corners stay free.
    """
    if ring:
        around = sorted(points, key=bearing)
        return [around[(2 * place + 1) * len(around) // (2 * count)] for place in range(count)]
    return sorted(points, key=lambda at: (at[0] ** 2 + at[0] * at[1] + at[1] ** 2, at))[:count]


def bearing(at: tuple[int, int]) -> float:
    """In which direction from the centre frame coordinates lie."""
    return math.atan2(math.sqrt(3) * at[1], 2 * at[0] + at[1])


def length(at: tuple[int, int]) -> int:
    """How far frame coordinates are from the centre."""
    return max(abs(at[0]), abs(at[1]), abs(at[0] + at[1]))


def reach_of(points: Sequence[tuple[int, int]]) -> int:
    """How far the farthest is from the centre."""
    return max(length(point) for point in points)


def stray_sites(board: Board, points: Sequence[tuple[int, int]], stray: int, key: Key) -> list[int]:
    """A random hex near each point. Four stray alike and stay a rectangle: one nearer to the others would lose."""
    if len(points) != RING:
        return [strayed(board, *point, stray, key) for point in points]
    cell = strayed(board, *points[0], stray, key)
    p, r = (int(at) for at in board.tables.frame[2 * cell : 2 * cell + 2])
    return [board.index(*board.dialect.from_frame(*point)) for point in mirrored(p, r)]


def mirrored(p: int, r: int) -> list[tuple[int, int]]:
    """A point and its mirror images to the left or right, above or below, and round the centre."""
    return [(p, r), (-p - r, r), (p + r, -r), (-p, -r)]


def strayed(board: Board, p: int, r: int, stray: int, key: Key) -> int:
    """A random hex within ``stray`` of that place."""
    near = board.disk(board.index(*board.dialect.from_frame(p, r)), stray)
    return int(near[roll(*key, 0, 0, STRAYS, (p << 20) + r, len(near))])


def shuffled(sites: Sequence[int], key: Key) -> list[int]:
    """The sites in random order: which team stands where."""
    order: list[int] = []
    for place, site in enumerate(sites):
        other = roll(*key, 0, 0, SEATS, place, place + 1)
        order.insert(other, site)
    return order


def nearest(board: Board, sites: Sequence[int]) -> Numbers:
    """For each hex which of the sites is nearest, the first of equals."""
    axes = np.asarray(board.tables.axes).reshape(-1, 3).T.copy()
    zone, closest = np.zeros(board.size, np.int64), np.full(board.size, 1 << 30)
    for number, site in enumerate(sites):
        distance = functools.reduce(np.maximum, (np.abs(axis - axis[site]) for axis in axes))
        zone[distance < closest] = number
        closest = np.minimum(closest, distance)
    return zone


# ---------------------------------------------------------------- land and food


class Painter:
    """Draws what lies on hexes by their coordinates; with a period, the same round every nest."""

    def __init__(self, board: Board, key: Key, period: int) -> None:
        self._board, self._key, self._period = board, key, period
        self._patches: dict[int, Numbers] = {}

    def noise(self, phase: int, *, patchy: bool = False) -> Numbers:
        """A random number for each hex."""
        out = np.zeros(self._board.size, np.int64)
        frame = self._board.tables.frame
        noise(*self._key, phase, patchy, self._period, frame, out)
        return out

    def cover(self, terrain: Numbers, zone: Numbers, shares: tuple[int, int, int]) -> None:
        """Give rock, acid and dirt their percentages of a zone, in patches."""
        dirt, acid, rock = shares
        for kind, phase, percent in ((ROCK, ROCKS, rock), (ACID, ACIDS, acid), (DIRT, DIRTS, dirt)):
            free = zone & (terrain == EMPTY)
            count = int(np.count_nonzero(zone)) * percent // 100
            if phase not in self._patches:
                self._patches[phase] = self.noise(phase, patchy=True)
            terrain[highest(self._patches[phase], free, count)] = kind

    def scatter(self, terrain: Numbers, config: DatspulseConfig) -> tuple[Numbers, Numbers]:
        """Kind and amount of the food at the start (ruling 4)."""
        open_land = (terrain != ROCK) & (terrain != ANTHILL)
        chosen = highest(self.noise(FOODS), open_land, int(np.count_nonzero(open_land)) * config.food_percent // 100)
        kinds, amounts = APPLE + self.noise(KINDS) % 2, 1 + self.noise(AMOUNTS) % config.pile_most
        return (
            np.where(chosen, kinds, NOTHING).astype(np.int8),
            np.where(chosen, amounts, 0).astype(np.int32),
        )


def highest(values: Numbers, free: Numbers, count: int) -> Numbers:
    """Which of the free hexes have the ``count`` highest values, or a few more where values repeat."""
    if count == 0:
        return np.zeros(len(values), np.bool_)
    candidates = values[free]
    least = np.partition(candidates, len(candidates) - count)[len(candidates) - count]
    chosen: Numbers = free & (values >= least)
    return chosen


def open_ways(board: Board, terrain: Numbers, nests: Numbers) -> None:
    """Break through rock until every nest can be reached from the first, nowhere through a nest."""
    fares = np.where(terrain == ANTHILL, -1, 1).astype(np.int32)
    fares[terrain == ROCK] = -1
    dig = np.where(terrain == ANTHILL, -1, np.where(terrain == ROCK, board.size, 1)).astype(np.int32)
    field = board.field(nests[0].tolist(), fares)
    for nest in nests[1:]:
        gates = [other for cell in nest.tolist() for other in board.neighbours(cell) if terrain[other] != ANTHILL]
        if any(field[gate] >= 0 for gate in gates):
            continue
        way = board.path(int(nests[0][0]), gates[0], dig)
        if way is None:
            raise MapError("The nests lie so close together that they wall each other in.")
        terrain[[cell for cell in way if terrain[cell] == ROCK]] = EMPTY
        fares[way] = 1
        field = board.field(nests[0].tolist(), fares)
