"""A simple strategy for the protocol: ants fetch food that they see and carry it home."""

import random
from collections import deque
from typing import Any

from tests.support.datspulse_arena_checks import Place, neighbours, place

SPEED = {0: 5, 1: 4, 2: 7}
_ROCK = 5


def plan_moves(arena: dict[str, Any], rng: random.Random) -> list[dict[str, Any]]:
    """A move for each living ant."""
    open_land = {place(tile) for tile in arena["map"] if tile["type"] != _ROCK}
    home = {place(tile) for tile in arena["home"]}
    food = {place(pile) for pile in arena["food"]} - home
    given = []
    for ant in arena["ants"]:
        if ant["health"] == 0:
            continue
        goals = home if ant["food"]["amount"] else food
        path = _shortest_path(place(ant), goals, open_land) or _random_walk(place(ant), open_land, rng)
        given.append({"ant": ant["id"], "path": [{"q": q, "r": r} for q, r in path[: SPEED[ant["type"]]]]})
    return given


def _shortest_path(start: Place, goals: set[Place], open_land: set[Place]) -> list[Place]:
    """The shortest path to any of the goals."""
    before: dict[Place, Place] = {start: start}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here in goals and here != start:
            path = [here]
            while before[path[-1]] != start:
                path.append(before[path[-1]])
            return path[::-1]
        for there in neighbours(here):
            if there in open_land and there not in before:
                before[there] = here
                waiting.append(there)
    return []


def _random_walk(start: Place, open_land: set[Place], rng: random.Random) -> list[Place]:
    path: list[Place] = []
    for _ in range(3):
        around = [there for there in neighbours(path[-1] if path else start) if there in open_land]
        if around:
            path.append(rng.choice(around))
    return path
