"""Random natural values and homes of a Colorfight map, compiled (ruling 17)."""

from typing import Any, Final

from marchland.board.cells import distance
from marchland.board.tables import DEGREE, HEIGHT, WIDTH, Longs, Tables
from marchland.core.dice import Dice, draw
from marchland.games.colorfight.rules.state import rules_of
from marchland.kernels import kernel

# What a draw is for.
GOLD, ENERGY, SPREAD, HOMES, SEATS = range(5)

_FIXED_POINT: Final = 1000
_TRIES: Final = 1000


@kernel
def natural_values(
    board: Tables,
    dice: Dice,
    symmetric: bool,
    gold: Any,
    energy: Any,
    natural_cost: Any,
    cost: Longs,
    spare: Longs,
    rules: Any,
) -> None:
    """Gold and energy uniform, cost by both and chance, then blurred."""
    rules = rules_of(rules)
    width = board.shape[WIDTH]
    height = board.shape[HEIGHT]
    least = rules.cost_spread[0]
    choices = rules.cost_spread[1] - least + 1
    for cell in range(len(gold)):
        x = cell % width
        y = cell // width
        if symmetric:  # all eight mirror images draw alike
            x = min(x, width - 1 - x)
            y = min(y, height - 1 - y)
            x, y = min(x, y), max(x, y)
        place = y * 65536 + x
        gold[cell] = 1 + draw(dice, GOLD, place, rules.natural_most)
        energy[cell] = 1 + draw(dice, ENERGY, place, rules.natural_most)
        share = least + draw(dice, SPREAD, place, choices)
        raw = (gold[cell] + energy[cell]) * rules.cost_factor * share // 1000
        cost[cell] = min(max(raw, rules.cost_clip[0]), rules.cost_clip[1]) * _FIXED_POINT
    for _ in range(rules.blur_passes):
        blur(board, cost, spare, rules.blur_percent)
        for cell in range(len(cost)):
            cost[cell] = spare[cell]
    for cell in range(len(cost)):
        natural_cost[cell] = max(cost[cell] // _FIXED_POINT, 1)


@kernel
def blur(board: Tables, cost: Longs, blurred: Longs, percent: int) -> None:
    """Each cell takes a share of every neighbour's cost and gives each as much of its own."""
    degree = board.shape[DEGREE]
    for cell in range(len(cost)):
        exchange = 0
        for place in range(cell * degree, cell * degree + degree):
            neighbour = board.neighbours[place]
            if neighbour >= 0:
                exchange += cost[neighbour] - cost[cell]
        blurred[cell] = cost[cell] + exchange * percent // 100


@kernel
def symmetric_homes(board: Tables, dice: Dice, apart: int, homes: Longs) -> bool:
    """Mirror images of one random cell, at least ``apart`` from each other; False if none was found."""
    side = board.shape[WIDTH]
    for attempt in range(_TRIES):
        start = draw(dice, HOMES, attempt, side * side)
        for seat in range(len(homes)):
            homes[seat] = mirror(start % side, start // side, seat * 8 // len(homes), side)
        if far_enough(board, homes, max(apart, 1)):
            return True
    return False


@kernel
def mirror(x: int, y: int, turn: int, side: int) -> int:
    """The image of (x, y): even turns are rotations by a quarter, odd ones mirror images (ruling 24)."""
    if turn % 2:
        x, y = y, x
    for _ in range(turn // 2):
        x, y = side - 1 - y, x
    return y * side + x


@kernel
def far_enough(board: Tables, homes: Longs, apart: int) -> bool:
    for seat in range(len(homes)):
        for other in range(seat):
            if homes[seat] == homes[other] or distance(board, homes[seat], homes[other]) < apart:
                return False
    return True


@kernel
def spread_homes(board: Tables, dice: Dice, rounds: int, candidates: int, homes: Longs) -> None:
    """In the first round each home is the candidate farthest from those before it, later from all others.

    A home that was placed early is moved away from the later ones, else the last place would be the worst. None stands
    on another.
    """
    size = len(board.neighbours) // board.shape[DEGREE]
    for visit in range(rounds * len(homes)):
        home = visit % len(homes)
        placed = min(visit, len(homes))
        best = -1
        farthest = 0
        if placed == len(homes):
            best = homes[home]
            farthest = to_nearest(board, homes, placed, home, best)
        attempt = 0
        while attempt < candidates or best < 0:
            cell = draw(dice, HOMES, visit * 1_000_000 + attempt, size)
            nearest = to_nearest(board, homes, placed, home, cell)
            if nearest > farthest:
                best = cell
                farthest = nearest
            attempt += 1
        homes[home] = best


@kernel
def to_nearest(board: Tables, homes: Longs, placed: int, home: int, cell: int) -> int:
    """How far ``cell`` is from the nearest of the homes that are placed, ``home`` itself not counted."""
    nearest = 1_000_000
    for other in range(placed):
        if other != home:
            nearest = min(nearest, distance(board, cell, homes[other]))
    return nearest


@kernel
def draw_seats(dice: Dice, homes: Longs) -> None:
    """Shuffle the homes, so that no seat has a better chance than another."""
    for place in range(len(homes) - 1, 0, -1):
        other = draw(dice, SEATS, place, place + 1)
        homes[place], homes[other] = homes[other], homes[place]
