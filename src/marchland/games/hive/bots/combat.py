"""Fights where attacks do damage: strike together, give way to more, guard hives, and finish enemies off."""

from typing import Final

import numpy as np

from marchland.games.hive.bots.situation import Situation
from marchland.games.hive.rules.state import HIVE

_NEAR: Final = 2
"""Bees within so many steps of each other count as one fight."""
_GUARDED: Final = 5
"""An enemy's bee so near a hive is met. Hunting them elsewhere costs more than it yields."""
_BESIEGED: Final = 3
"""Enemies so near a hive besiege it."""


def strike(now: Situation) -> None:
    """Attack what stands beside bees: first what dies of it, then the weakest, bees before hives."""
    if not now.bees:
        return
    foreign = now.memory.foreign_hives.copy()
    foreign[now.foes] = True
    targets: dict[int, list[tuple[int, int]]] = {}
    beside = now.geometry.neighbours[now.bees]
    for bee in np.array(now.bees)[(foreign[beside] & (beside >= 0)).any(axis=1)].tolist():
        for way, cell in now.geometry.ways[bee]:
            if foreign[cell]:
                targets.setdefault(cell, []).append((bee, way))
    ready = {bee for strikers in targets.values() for bee, _ in strikers}
    weakest_first = sorted(targets, key=lambda cell: (now.kind[cell] == HIVE, now.hp[cell], now.noise[cell]))
    for must_die in (True, False):
        for cell in weakest_first:
            strikers = [(bee, way) for bee, way in targets[cell] if bee in ready]
            blows = -(-int(now.hp[cell]) // now.damage)
            if must_die and len(strikers) < blows:
                continue
            for bee, way in strikers[: blows if must_die else None]:
                now.give(bee, "attack", way)
                ready.remove(bee)


def retreat(now: Situation, excess: int) -> None:
    """Bees that meet so many enemies more than friends step back: who is pursued cannot be struck."""
    if not now.bees or not len(now.foes):
        return
    bees = np.array(now.bees)
    outnumbered = now.count_near(bees, now.foes, _NEAR) >= now.count_near(bees, now.own_bees, _NEAR) + excess
    if not outnumbered.any():
        return
    threat = now.geometry.distance[now.foes].min(axis=0)
    for bee in bees[outnumbered].tolist():
        ways = [(way, cell) for way, cell in now.geometry.ways[bee] if threat[cell] > threat[bee] and now.is_open(cell)]
        if ways:
            now.go(bee, *max(ways, key=lambda step: (threat[step[1]], now.noise[step[1]])))


def guard(now: Situation) -> None:
    """Enough bees to kill it go for each enemy near a hive that is outnumbered there."""
    if not now.bees or not len(now.foes) or not now.hives:
        return
    near = now.geometry.distance[now.foes][:, now.hives].min(axis=1) <= _GUARDED
    outnumbered = now.count_near(now.foes, now.own_bees, _GUARDED) > now.count_near(now.foes, now.foes, _GUARDED)
    for foe in now.foes[near & outnumbered].tolist():
        distance = now.geometry.distance[foe]
        guards = sorted((bee for bee in now.bees if 1 < distance[bee] <= _GUARDED), key=distance.__getitem__)
        for bee in guards[: int(now.hp[foe]) + 1]:
            now.walk(bee, foe)


def wall_in(now: Situation) -> None:
    """Where enemies outnumber the bees round a hive, these build walls in the doors that enemies are near."""
    if not now.bees or not len(now.foes) or not now.hives:
        return
    hives = np.array(now.hives)
    besieged = now.count_near(hives, now.foes, _BESIEGED) > now.count_near(hives, now.own_bees, _BESIEGED)
    threat = now.geometry.distance[now.foes].min(axis=0)
    for hive in hives[besieged].tolist():
        doors = {cell for _, cell in now.geometry.ways[hive]}
        for bee in [bee for bee in now.bees if bee in doors]:
            ways = [(way, cell) for way, cell in now.geometry.ways[bee] if cell in doors and now.is_open(cell)]
            exposed = [(way, cell) for way, cell in ways if threat[cell] <= 2]
            if exposed and now.purse >= now.wall_cost:
                now.build_wall(bee, *now.pick(exposed))


def assault(now: Situation) -> None:
    """Bees without work go for the nearest enemies that are known, walls included."""
    goals = now.memory.foreign_hives | now.memory.foreign_walls
    goals[now.foes] = True
    cells = np.flatnonzero(goals)
    for bee in list(now.bees) if len(cells) else []:
        distance = now.geometry.distance[bee][cells] + now.noise[cells]
        goal = int(cells[distance.argmin()])
        for way, cell in now.geometry.ways[bee]:
            if cell == goal:
                now.give(bee, "attack", way)
                break
        else:
            now.walk(bee, goal)
