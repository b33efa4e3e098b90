"""Whether a map gives every player the same chances: symmetric, with flowers in reach, and no player walled in."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from marchland.errors import choices
from marchland.games.hive.maps.mapfile import SLOTS, HiveMap, mistakes, parse
from marchland.games.hive.rules.state import BEE, EMPTY, FIELD, HIVE, STONE

Spot = tuple[int, int, int]
Content = tuple[int, int, int]

_NO_START: Final = (-1, -1)
_TURNS: Final = {1: "a sixth", 2: "a third", 3: "half"}


def check_map(text: str) -> list[str]:
    """What is wrong with a map file: mistakes in its text, else what makes it unfair or unplayable."""
    return mistakes(text) or complaints(parse(text))


def complaints(map: HiveMap) -> list[str]:
    """Everything that a player would find unfair, with line and column."""
    return [*_useless_slots(map), *_out_of_reach(map), *_lopsided(map)]


def place(map: HiveMap, cell: int) -> str:
    """Where a cell stands in its file."""
    row, column = map.board.at(cell)
    return f"line {row + 1}, column {2 * column + 1}"


def _useless_slots(map: HiveMap) -> Iterator[str]:
    for slot in map.slots:
        mine = [start for start in map.starts if start.slot == slot]
        if not any(start.kind in (BEE, HIVE) for start in mine):
            yield f"{place(map, mine[0].cell)}: slot {slot} starts with walls only and can never act."
    if not any(set(wanted) <= set(map.slots) for wanted in SLOTS.values()):
        listed = choices(str(slot) for slot in map.slots)
        yield f"{place(map, map.starts[0].cell)}: no number of players fits the slots {listed}; slot 0 is missing."


def _out_of_reach(map: HiveMap) -> Iterator[str]:
    """Bees walk over everything but stone; walls may be torn down."""
    fields = np.flatnonzero(map.terrain == FIELD)
    if len(fields) == 0:
        yield f"{place(map, 0)}: the map has no field, so no player can gather flowers."
        return
    cost = np.where(map.terrain == STONE, -1, 1)
    for slot in map.slots:
        start = next(start for start in map.starts if start.slot == slot)
        steps = map.board.field([start.cell], cost)
        if (steps[fields] < 0).all():
            yield f"{place(map, start.cell)}: no field can be reached from slot {slot}."
        elif cut := [other for other in map.starts if other.slot > slot and steps[other.cell] < 0]:
            yield f"{place(map, cut[0].cell)}: slot {cut[0].slot} cannot be reached from slot {slot}."


def _lopsided(map: HiveMap) -> Iterator[str]:
    """The map looks the same after the turn that brings its slots onto each other: a sixth, a third or half of one."""
    if len(map.slots) < 2:
        return
    onto = [sixths for sixths in _TURNS if {(slot + sixths) % 6 for slot in map.slots} == set(map.slots)]
    sixths = onto[0] if onto else 1
    differences = [_difference(map, sixths, sense) for sense in (1, -1)]  # slots may count round either way
    found = [difference for difference in differences if difference is not None]
    if len(found) == len(differences):
        cell, image = max(found)
        where = place(map, image) if image >= 0 else "outside the map"
        turn = _TURNS[sixths]
        yield f"{place(map, cell)}: the map is not symmetric; after {turn} of a turn this cell lies on {where}."


def _difference(map: HiveMap, sixths: int, sense: int) -> tuple[int, int] | None:
    """The first cell whose image differs from it, and that image (-1: no cell); slots count round with ``sense``."""
    axes = np.asarray(map.board.tables.axes).reshape(-1, 3).astype(np.int64)
    middle, size = axes.sum(axis=0), len(axes)
    spots = [tuple(spot) for spot in (axes * size - middle).tolist()]
    index = {spot: cell for cell, spot in enumerate(spots)}
    content = [(int(terrain), *_NO_START) for terrain in map.terrain]
    for start in map.starts:
        content[start.cell] = (EMPTY, start.kind, start.slot)
    for cell, spot in enumerate(spots):
        image = index.get(_turned(spot, sixths), -1)
        if image < 0 or content[image] != _moved_on(content[cell], sixths * sense):
            return cell, image
    return None


def _turned(spot: tuple[int, ...], sixths: int) -> Spot:
    """After so many sixths of a turn clockwise; the three axes of a hex board add up to nothing."""
    x, y, z = spot
    for _ in range(sixths):
        x, y, z = -z, -x, -y
    return x, y, z


def _moved_on(content: Content, slots: int) -> Content:
    terrain, kind, slot = content
    return content if slot < 0 else (terrain, kind, (slot + slots) % 6)
