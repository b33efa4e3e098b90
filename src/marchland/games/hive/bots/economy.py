"""Gathering, spawning and exploring."""

from typing import Final

import numpy as np

from marchland.games.hive.bots.memory import FAR
from marchland.games.hive.bots.situation import Situation
from marchland.games.hive.rules.orders import DIRECTIONS
from marchland.games.hive.rules.state import FIELD, HIDDEN

_SCOUTED: Final = 3
"""Bees that explore keep so far from each other's targets."""


def forage(now: Situation) -> None:
    """Bees in a blooming field gather."""
    blooms = (now.terrain == FIELD) & (now.flowers > 0)
    for bee in [bee for bee in now.bees if blooms[bee] and not now.carries[bee]]:
        now.give(bee, "forage")


def gather(now: Situation) -> None:
    """Bees without work go to the nearest free fields."""
    for bee, goal in now.assign(now.bees, now.free_fields):
        now.walk(bee, goal)
        now.free_fields = now.free_fields[now.free_fields != goal]


def explore(now: Situation) -> None:
    """What is left goes to see the nearest part of the map that is still hidden."""
    hidden = np.flatnonzero((now.terrain == HIDDEN) & (now.memory.cost > 0))
    for bee in list(now.bees):
        if not len(hidden):
            return
        steps = now.memory.steps_to(bee)[hidden] + now.noise[hidden]
        place = int(steps.argmin())
        if steps[place] < FAR:
            goal = int(hidden[place])
            now.walk(bee, goal)
            hidden = hidden[now.geometry.distance[goal][hidden] > _SCOUTED]


def spawn(now: Situation, most: int) -> None:
    """Hives create bees beside the work that waits for them; a new bee takes its first step in the same turn."""
    for hive in now.hives:
        doors = [(way, cell) for way, cell in now.geometry.ways[hive] if now.is_open(cell)]
        if now.bee_count >= most or now.purse - now.reserved < now.bee_cost or not doors:
            continue
        goal = -1
        if len(now.free_fields):
            steps = now.memory.steps_to(hive)[now.free_fields] + now.noise[now.free_fields]
            goal = int(now.free_fields[steps.argmin()])
            now.free_fields = now.free_fields[now.free_fields != goal]
        to_goal = now.memory.steps_to(goal) if goal >= 0 else now.noise
        way, cell = min(doors, key=lambda door: to_goal[door[1]] + now.noise[door[1]])
        now.purse -= now.bee_cost
        now.bee_count += 1
        now.taken.add(cell)
        now.orders.append({"do": "spawn", "unit": int(now.id[hive]), "dir": DIRECTIONS[way]})
        if cell == goal:
            now.late_orders.append({"do": "forage", "unit": now.geometry.at[cell]})
        elif goal >= 0 and (step := now.step_toward(cell, to_goal)) is not None:
            now.taken.discard(cell)
            now.taken.add(step[1])
            now.late_orders.append({"do": "move", "unit": now.geometry.at[cell], "dir": DIRECTIONS[step[0]]})
