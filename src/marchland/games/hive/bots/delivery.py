"""Play where bees carry flowers to their hives and cannot be killed (edition 2025): the most flowers win."""

from typing import Final

import numpy as np

from marchland.games.hive.bots.geometry import Numbers
from marchland.games.hive.bots.memory import FAR
from marchland.games.hive.bots.situation import Situation
from marchland.games.hive.rules.state import FIELD, HIDDEN

_GAIN: Final = 1.5
"""Flowers that a new bee must be expected to bring for each that it costs."""
_SITE_GAIN: Final = 1.5
"""The same for a hive."""
_SHARED: Final = 2
"""Bees that are on their way to or from one field at a time."""
_BESIEGED: Final = 2
"""A loaded enemy so near a free door of its hive finds a wall there."""


def distance_home(now: Situation) -> Numbers:
    """Steps from each cell to the nearest hive of the player."""
    if not now.hives:
        return np.full(len(now.kind), FAR)
    steps: Numbers = np.min([now.memory.steps_to(hive) for hive in now.hives], axis=0)
    return steps


def deliver(now: Situation, home: Numbers) -> None:
    """Loaded bees go home; those beside a hive deliver. The nearest go first, so that others can follow them."""
    loaded = [bee for bee in now.bees if now.carries[bee]]
    for bee in sorted(loaded, key=lambda bee: home[bee]):
        if home[bee] <= 1:
            now.give(bee, "forage")
        else:
            now.follow(bee, home)


def expected_flowers(now: Situation) -> float:
    """The flowers in known fields, and as many for each hidden cell as for a known one."""
    hidden = np.count_nonzero(now.terrain == HIDDEN)
    return float(now.flowers.sum()) * len(now.terrain) / max(1, len(now.terrain) - int(hidden))


def useful_bees(now: Situation) -> int:
    """So many bees that one more would win less from the others than it costs, if they have as many."""
    flowers, bees = expected_flowers(now), now.bee_count
    share = flowers * bees / (2 * bees * (2 * bees + 1)) if bees else flowers
    return bees + int(share > _GAIN * now.bee_cost)


def fetch(now: Situation, home: Numbers) -> None:
    """Empty bees go where the way there and home is shortest."""
    blooms = (now.terrain == FIELD) & (now.flowers > 0) & (now.memory.cost > 0)
    blooms[now.foes] = False
    fields = np.flatnonzero(blooms)
    bees = list(now.bees)
    if not bees or not len(fields):
        return
    trips = np.array([now.memory.steps_to(bee)[fields] for bee in bees], np.float32)
    trips += home[fields] + now.noise[fields]
    places = np.minimum(now.flowers[fields], _SHARED)
    for _ in bees:
        bee, place = divmod(int(trips.argmin()), len(fields))
        if trips[bee, place] >= FAR:
            return
        trips[bee] = FAR
        places[place] -= 1
        if not places[place]:
            trips[:, place] = FAR
        now.walk(bees[bee], int(fields[place]))


def settle(now: Situation, home: Numbers) -> None:
    """Found a hive where the ways that it saves are worth more flowers than it costs."""
    price = now.hive_cost + now.bee_cost
    bees = [bee for bee in now.bees if not now.carries[bee]]
    if now.purse < now.hive_cost or len(bees) < 2:
        return
    fields = np.flatnonzero((now.terrain == FIELD) & (now.flowers > 0))
    flowers, trips = now.flowers[fields], np.minimum(home[fields], len(home))
    if not len(fields):
        return
    saved = (np.maximum(0, trips - now.geometry.distance[:, fields]) * flowers).sum(axis=1)
    worth = 2 * saved * flowers.sum() / (2 * (trips + 1) * flowers).sum() / 2
    worth[(now.memory.cost != 1) | (now.terrain != 0)] = 0
    nearest = np.array([now.memory.steps_to(bee) for bee in bees])
    steps = nearest.min(axis=0)
    score = np.where(steps < FAR, worth - steps, 0) + now.noise
    site = int(score.argmax())
    if worth[site] < _SITE_GAIN * price:
        return
    bee = bees[int(nearest[:, site].argmin())]
    if bee == site:
        now.build_hive(bee)
    else:
        now.reserved += now.hive_cost
        now.walk(bee, site)


def harass(now: Situation) -> None:
    """Bees without flowers to fetch stun loaded enemies, and stand or build walls before the doors of their hives."""
    foes = now.foes[now.carries[now.foes] > 0]
    hives = np.flatnonzero(now.memory.foreign_hives)
    for bee in list(now.bees):
        near = [(way, cell) for way, cell in now.geometry.ways[bee] if cell in foes]
        if near:
            now.give(bee, "attack", now.pick(near)[0])
    if not len(hives):
        return
    beside = now.geometry.distance[hives].min(axis=0) == 1
    for bee in [bee for bee in now.bees if beside[bee]]:
        ways = [(way, cell) for way, cell in now.geometry.ways[bee] if beside[cell] and now.is_open(cell)]
        wanted = [door for door in ways if len(foes) and now.geometry.distance[door[1]][foes].min() <= _BESIEGED]
        if wanted and now.purse >= now.wall_cost:
            now.build_wall(bee, *now.pick(wanted))
        else:
            now.bees.remove(bee)
    doors = np.flatnonzero(beside & (now.kind == 0) & (now.memory.cost > 0))
    for bee, door in now.assign(now.bees, doors):
        now.walk(bee, door)
