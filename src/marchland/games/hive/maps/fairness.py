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
_SIXTHS: Final = {6: 1, 3: 2, 2: 3, 4: 3}
"""Sixths of a turn that bring the slots of so many players onto each other. Five of six places are never alike."""


def check_map(text: str) -> list[str]:
    """Why no match can be played on a map file, with line and column."""
    return mistakes(text) or list(_fits_no_players(parse(text)))


def remarks(text: str) -> list[str]:
    """What is unfair on a map that can be played on, with line and column."""
    return complaints(parse(text))


def complaints(map: HiveMap) -> list[str]:
    """Everything that a player would find unfair, with line and column."""
    return [*_useless_slots(map), *_fits_no_players(map), *_out_of_reach(map), *_lopsided(map)]


def place(map: HiveMap, cell: int) -> str:
    """Where a cell stands in its file."""
    row, column = map.board.at(cell)
    return f"line {row + 1}, column {2 * column + 1}"


def _useless_slots(map: HiveMap) -> Iterator[str]:
    for slot in map.slots:
        mine = [start for start in map.starts if start.slot == slot]
        if not any(start.kind in (BEE, HIVE) for start in mine):
            yield f"{place(map, mine[0].cell)}: slot {slot} starts with walls only and can never act."


def _fits_no_players(map: HiveMap) -> Iterator[str]:
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
    """For each number of players the map looks the same after the turn that brings their slots onto each other."""
    uneven: dict[int, tuple[int, int]] = {}
    for players, sixths in _SIXTHS.items():
        if set(SLOTS[players]) <= set(map.slots):
            difference = _difference(map, players, sixths)
            if difference is not None:
                uneven[players] = difference
            elif sixths == 1:  # what is alike after a sixth of a turn is so after a third and a half
                return
    if uneven:
        players, (cell, image) = min(uneven.items())
        where = place(map, image) if image >= 0 else "outside the map"
        listed = " or ".join(str(count) for count in sorted(uneven))
        turn = _TURNS[_SIXTHS[players]]
        yield (
            f"{place(map, cell)}: the map is not symmetric for {listed} players; "
            f"after {turn} of a turn this cell lies on {where}."
        )


def _difference(map: HiveMap, players: int, sixths: int) -> tuple[int, int] | None:
    """The first cell whose image differs from it, and that image (-1: no cell); slots may count round either way."""
    axes = np.asarray(map.board.tables.axes).reshape(-1, 3).astype(np.int64)
    middle, size = axes.sum(axis=0), len(axes)
    spots = [tuple(spot) for spot in (axes * size - middle).tolist()]
    index = {spot: cell for cell, spot in enumerate(spots)}
    images = [index.get(_turned(spot, sixths), -1) for spot in spots]
    content = [(int(terrain), *_NO_START) for terrain in map.terrain]
    for start in map.starts:
        if start.slot in SLOTS[players]:
            content[start.cell] = (EMPTY, start.kind, start.slot)
    differences = [_first_difference(content, images, sixths * sense) for sense in (1, -1)]
    found = [difference for difference in differences if difference is not None]
    return max(found) if len(found) == len(differences) else None


def _first_difference(content: list[Content], images: list[int], slots: int) -> tuple[int, int] | None:
    for cell, image in enumerate(images):
        if image < 0 or content[image] != _moved_on(content[cell], slots):
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
