"""What a greedy player knows of the map, and the room in which it thinks."""

from typing import Any, Final, NamedTuple

import numpy as np

from marchland.board.cells import disk
from marchland.board.tables import Ints, Longs, Tables
from marchland.games.datspulse.rules.config import DatspulseConfig
from marchland.games.datspulse.rules.state import (
    ACID,
    ANTHILL,
    DIRT,
    HIDDEN,
    KINDS,
    NEIGHBOURS,
    ROCK,
    SOLDIER,
)
from marchland.kernels import kernel

LONG_AGO: Final = 60
"""Turns after which a hex is as good as never seen."""
MOST_EXPANDED: Final = 800
"""Hexes that the search for one way looks at."""
_KINDS: Final = len(KINDS)
_FIRE_RANGE: Final = DatspulseConfig().nest_range
_FEAR_OF_ACID: Final = 5
"""Steps that a detour round a hex of acid is worth."""
_FEAR_OF_FIRE: Final = 6
"""And round a hex in reach of a foreign nest."""
_FEAR_OF_SOLDIERS: Final = 4
"""And for others than soldiers round a hex next to an enemy's soldier."""


class Seen(NamedTuple):
    """What is in sight: one value a hex, three a hex for enemies."""

    terrain: Any
    food: Any
    amount: Any
    enemy_health: Any


class Ants(NamedTuple):
    """The own ants in the order in which they act."""

    id: Any
    cell: Any
    kind: Any
    health: Any
    food: Any
    amount: Any


class Rules(NamedTuple):
    """The numbers of the rules that plans depend on, and the own nest, its spot first."""

    home: Any
    speed: Any
    capacity: Any
    dirt_cost: Any
    turn: Any
    turns_left: Any


class Memory(NamedTuple):
    """One value a hex, as it was when last seen."""

    terrain: Longs
    food: Longs
    amount: Longs
    last_seen: Longs
    """The turn."""
    foe: Longs
    """1 + the kind of an enemy that stood there, a soldier before others; 0 for none."""
    fire: Longs
    """Whether a foreign nest reaches the hex."""


class Scratch(NamedTuple):
    """Room for one turn's plan."""

    cost: Longs
    """What entering a hex is worth avoiding: for workers and scouts, then for soldiers; -1 where no ant may go."""
    taken: Longs
    """By kind and hex: whether an own ant stands there, at its new place once it has its orders."""
    age: Longs
    """Turns since a hex was seen, less where an explorer goes already."""
    spent: Longs
    """The cost of the way to a hex, of the search that was here last."""
    came_from: Longs
    """The hex before it on that way, or -1."""
    mark: Longs
    """The search that was here last: one value a hex, and then the number of searches."""
    heap: Longs
    way: Longs
    """The hexes of the way that was found last."""
    near: Ints
    """The hexes of a disk."""
    piles: Longs
    """The hexes that a phase compares: of food, of posts, of enemies."""
    left: Longs
    """For each of them the food that is not assigned yet, or the row of the ant that has the post."""
    goal: Longs
    """By row of the ants: the hex to go to, or -1."""
    choice: Longs
    """By row: the best errand, as a number of ``piles`` or a negative code."""
    rate: Longs
    """By row: what that errand brings a turn; -1 once it is assigned."""


def new_memory(size: int) -> Memory:
    """A memory of nothing."""
    memory = Memory(*(np.zeros(size, np.int64) for _ in Memory._fields))
    memory.last_seen[:] = -LONG_AGO
    return memory


def new_scratch(size: int, slots: int) -> Scratch:
    """Room for a board of so many hexes and a team of so many ants."""
    sizes = {
        "cost": 2 * size,
        "taken": _KINDS * size,
        "mark": size + 1,
        "heap": NEIGHBOURS * MOST_EXPANDED + 1,
        "goal": slots,
        "choice": slots,
        "rate": slots,
    }
    arrays: dict[str, Any] = {name: np.zeros(sizes.get(name, size), np.int64) for name in Scratch._fields}
    arrays["near"] = np.zeros(size, np.int32)
    return Scratch(**arrays)


@kernel
def remember(board: Tables, seen: Seen, memory: Memory, scratch: Scratch, rules: Rules) -> None:
    """Store what is in sight now; what went out of sight stays as it was last seen."""
    for cell in range(len(memory.terrain)):
        if seen.terrain[cell] == HIDDEN:
            continue
        if seen.terrain[cell] == ANTHILL and memory.terrain[cell] != ANTHILL and not is_home(rules, cell):
            found = disk(board, cell, _FIRE_RANGE, scratch.near)
            for place in range(found):
                memory.fire[scratch.near[place]] = 1
        memory.terrain[cell] = seen.terrain[cell]
        memory.food[cell] = seen.food[cell]
        memory.amount[cell] = seen.amount[cell]
        memory.last_seen[cell] = rules.turn
        memory.foe[cell] = 0
        for kind in range(_KINDS):
            if seen.enemy_health[_KINDS * cell + kind] > 0 and memory.foe[cell] != 1 + SOLDIER:
                memory.foe[cell] = 1 + kind


@kernel
def is_home(rules: Rules, cell: int) -> Any:
    return cell == rules.home[0] or cell == rules.home[1] or cell == rules.home[2]


@kernel
def is_foreign_nest(memory: Memory, rules: Rules, cell: int) -> Any:
    return memory.terrain[cell] == ANTHILL and not is_home(rules, cell)


@kernel
def is_foe_in_sight(memory: Memory, rules: Rules, cell: int) -> Any:
    return memory.foe[cell] > 0 and memory.last_seen[cell] == rules.turn


@kernel
def set_costs(board: Tables, memory: Memory, scratch: Scratch, rules: Rules) -> None:
    """What entering each hex costs: its points, and fear."""
    size = len(memory.terrain)
    for cell in range(size):
        cost = rules.dirt_cost if memory.terrain[cell] == DIRT else 1
        if memory.terrain[cell] == ACID:
            cost += _FEAR_OF_ACID
        if memory.fire[cell]:
            cost += _FEAR_OF_FIRE
        if memory.terrain[cell] == ROCK or is_foreign_nest(memory, rules, cell):
            cost = -1
        scratch.cost[cell] = cost
        scratch.cost[size + cell] = cost
    for cell in range(size):
        if memory.foe[cell] == 1 + SOLDIER and memory.last_seen[cell] == rules.turn:
            for way in range(NEIGHBOURS):
                other = board.neighbours[NEIGHBOURS * cell + way]
                if other >= 0 and scratch.cost[other] > 0:
                    scratch.cost[other] += _FEAR_OF_SOLDIERS
