"""Map generator. With two teams every tile has its mirror image, so that neither side has an advantage."""

import math
import random
from collections.abc import Iterator

from marchland.board import Board
from marchland.errors import MapError
from marchland.games.boidvoid.maps.mapfile import LETTERS, OBSTACLE, Character, MapText, Pair, Place

_TERRAIN_PERCENT = (8, 6, 5, 3)  # asteroid field, nebula, conduit, planet


def generate(
    width: int = 16,
    height: int = 12,
    teams: int = 2,
    seed: int = 0,
    obstacles: int = 8,
    points: int = 3,
    npcs: int = 2,
    home_radius: int = 1,
) -> MapText:
    """``obstacles`` is a percentage, ``points`` and ``npcs`` are numbers for each team, homes are disks."""
    if not (8 <= width <= 2048 and 8 <= height <= 2048 and 2 <= teams <= 64 and 0 <= obstacles <= 30):
        raise MapError("A map has sides of 8 to 2048, 2 to 64 teams and at most 30 percent of obstacles.")
    height += height % 2  # a half turn brings an odd-r rectangle onto itself only if its height is even
    chance = random.Random(seed)
    board = Board.hex_rectangle(width, height)
    centres = [board.index(*at) for at in _seats(width, height, teams)]
    homes = [_disk(board, centre, home_radius) for centre in centres]
    if len({cell for disk in homes for cell in disk}) < sum(map(len, homes)):
        raise MapError(f"A map of {width} x {height} has no room for {teams} teams with homes of radius {home_radius}.")
    near = {cell for centre in centres for cell in _disk(board, centre, home_radius + 1)}
    letters = ["."] * board.size
    special: list[list[int]] = [[], []]
    draw = _random_cells(board, near, teams, chance)
    for kind, wanted in enumerate((points * teams, npcs * teams)):
        while len(special[kind]) < wanted and (twins := next(draw, None)):
            special[kind] += twins
    for twins in draw:
        letter = _letter(chance, obstacles)
        for cell in twins:
            letters[cell] = letter
    _open_ways(board, letters, centres)
    return MapText(
        width,
        height,
        ["".join(letters[row * width : (row + 1) * width]) for row in range(height)],
        [[board.at(cell) for cell in disk] for disk in homes],
        [Place(board.at(cell)) for cell in sorted(special[0])],
        [Character(board.at(cell)) for cell in sorted(special[1])],
    )


def _seats(width: int, height: int, teams: int) -> Iterator[Pair]:
    """The teams' first homes, evenly round an ellipse; two of them on the diagonal, each the other's image."""
    if teams == 2:
        first = max(2, width // 6), max(2, height // 5)
        yield first
        yield width - 1 - first[0], height - 1 - first[1]
        return
    for team in range(teams):
        angle = math.tau * team / teams
        yield (
            round((width - 1) * (0.5 + 0.36 * math.cos(angle))),
            round((height - 1) * (0.5 + 0.36 * math.sin(angle))),
        )


def _disk(board: Board, centre: int, radius: int) -> list[int]:
    """The centre first, then the tiles round it."""
    return [centre, *(int(cell) for cell in board.disk(centre, radius) if cell != centre)]


def _random_cells(board: Board, near: set[int], teams: int, chance: random.Random) -> Iterator[list[int]]:
    """The cells away from homes in random order; on a map for two each with its image under a half turn."""
    cells = [cell for cell in range(board.size) if cell not in near]
    chance.shuffle(cells)
    for cell in cells:
        image = board.size - 1 - cell
        if teams != 2:
            yield [cell]
        elif cell < image:
            yield [cell, image]


def _letter(chance: random.Random, obstacles: int) -> str:
    lot = chance.randrange(100)
    if lot < obstacles:
        return OBSTACLE
    for letter, percent in zip(LETTERS[1:], _TERRAIN_PERCENT, strict=True):
        lot -= percent
        if lot < obstacles:
            return letter
    return LETTERS[0]


def _open_ways(board: Board, letters: list[str], centres: list[int]) -> None:
    """Clear obstacles until every team can reach every other; the cheapest way passes as few as can be."""
    for centre in centres[1:]:
        fares = [20 if letter == OBSTACLE else 1 for letter in letters]
        for cell in board.path(centres[0], centre, fares) or []:
            for mirrored in (cell, board.size - 1 - cell) if len(centres) == 2 else (cell,):
                letters[mirrored] = "." if letters[mirrored] == OBSTACLE else letters[mirrored]
