"""What workers do: fetch, raid or deliver, by the calories that it brings a turn."""

from typing import Any, Final

from marchland.board.cells import disk, distance
from marchland.board.tables import Tables
from marchland.games.datspulse.bots.memory import Ants, Memory, Rules, Scratch, is_foreign_nest, is_home
from marchland.games.datspulse.rules.state import ACID, APPLE, BREAD, NECTAR, NEIGHBOURS, NOTHING, ROCK, SOLDIER, WORKER
from marchland.kernels import kernel

NO_GOAL: Final = -1
_HOME: Final = -1
_NOTHING_TO_DO: Final = -2
_SCALE: Final = 1 << 16
_NOISE_BITS: Final = 8
_RAID_SHARE: Final = 12
"""The eighths that stolen nectar is worth: its victim loses it too."""
_GUARD_RANGE: Final = 3
_MOST_GUARDS: Final = 2


@kernel
def worth(food: int) -> Any:
    """The calories of one unit, in tens."""
    if food == NECTAR:
        return 6
    return 2 if food == BREAD else 1 if food == APPLE else 0


@kernel
def distance_home(board: Tables, rules: Rules, cell: int) -> Any:
    return min(
        distance(board, cell, rules.home[0]), distance(board, cell, rules.home[1]), distance(board, cell, rules.home[2])
    )


@kernel
def turns_for(steps: int, speed: int) -> Any:
    return max((steps + speed - 1) // speed, 1)


@kernel
def list_piles(memory: Memory, scratch: Scratch, rules: Rules) -> Any:
    """List the known food, the nectar of foreign nests included; how many hexes."""
    count = 0
    for cell in range(len(memory.terrain)):
        if memory.amount[cell] > 0 and memory.food[cell] != NOTHING and not is_home(rules, cell):
            scratch.piles[count] = cell
            scratch.left[count] = memory.amount[cell]
            count += 1
    return count


@kernel
def gather(board: Tables, memory: Memory, scratch: Scratch, ants: Ants, rules: Rules, noise: Any) -> None:
    """Give every worker and every loaded ant its best errand, the best of all first."""
    piles = list_piles(memory, scratch, rules)
    for row in range(len(ants.id)):
        scratch.rate[row] = -1
        if ants.health[row] > 0 and (ants.kind[row] == WORKER or ants.amount[row] > 0):
            choose(board, memory, scratch, ants, rules, noise, piles, row)
    while True:
        best = -1
        for row in range(len(ants.id)):
            if scratch.rate[row] > 0 and (best < 0 or scratch.rate[row] > scratch.rate[best]):
                best = row
        if best < 0:
            return
        scratch.rate[best] = -1
        pile = scratch.choice[best]
        if pile == _HOME:
            scratch.goal[best] = nearest_store(board, scratch, ants, rules, noise, best)
            continue
        scratch.goal[best] = where_to_take(board, memory, rules, noise, scratch.piles[pile], ants.cell[best])
        scratch.left[pile] -= rules.capacity[ants.kind[best]] - ants.amount[best]
        for row in range(len(ants.id)):
            if scratch.rate[row] > 0 and scratch.choice[row] == pile:
                choose(board, memory, scratch, ants, rules, noise, piles, row)


@kernel
def choose(
    board: Tables, memory: Memory, scratch: Scratch, ants: Ants, rules: Rules, noise: Any, piles: int, row: int
) -> None:
    """Find the errand that brings most a turn; ``scratch.choice`` and ``rate`` have it."""
    cell = ants.cell[row]
    speed = rules.speed[ants.kind[row]]
    room = rules.capacity[ants.kind[row]] - ants.amount[row]
    loaded = ants.amount[row] * worth(ants.food[row])
    scratch.choice[row] = _HOME if ants.amount[row] > 0 else _NOTHING_TO_DO
    best = loaded * _SCALE // turns_for(distance_home(board, rules, cell), speed) << _NOISE_BITS
    for pile in range(piles):
        place = scratch.piles[pile]
        if scratch.left[pile] <= 0 or room <= 0:
            continue
        if ants.amount[row] > 0 and memory.food[place] != ants.food[row]:
            continue
        goal = where_to_take(board, memory, rules, noise, place, cell)
        share = risk_share(board, memory, scratch, rules, place)
        if goal < 0 or share == 0:
            continue
        back = turns_for(distance_home(board, rules, goal), speed)
        turns = turns_for(distance(board, cell, goal), speed) + back
        if turns + turns // 4 > rules.turns_left:
            continue
        gain = min(room, scratch.left[pile]) * worth(memory.food[place])
        rate = ((loaded + gain) * share * (_SCALE // 8) // turns << _NOISE_BITS) + noise[place]
        if rate > best:
            best = rate
            scratch.choice[row] = pile
    scratch.rate[row] = best


@kernel
def risk_share(board: Tables, memory: Memory, scratch: Scratch, rules: Rules, place: int) -> Any:
    """The eighths of its value that an errand is worth."""
    if is_foreign_nest(memory, rules, place):
        return 0 if is_guarded(board, memory, scratch, place) else _RAID_SHARE
    if memory.fire[place]:
        return 3
    return 6 if memory.terrain[place] == ACID else 8


@kernel
def is_guarded(board: Tables, memory: Memory, scratch: Scratch, nest: int) -> Any:
    """Whether enemy soldiers were seen so near to a nest that a raider would not come home."""
    found = disk(board, nest, _GUARD_RANGE, scratch.near)
    guards = 0
    for place in range(found):
        guards += memory.foe[scratch.near[place]] == 1 + SOLDIER
    return guards > _MOST_GUARDS


@kernel
def where_to_take(board: Tables, memory: Memory, rules: Rules, noise: Any, place: int, cell: int) -> Any:
    """The hex to go to for the food on ``place``; -1 if there is none."""
    return best_gate(board, memory, rules, noise, place, cell) if is_foreign_nest(memory, rules, place) else place


@kernel
def best_gate(board: Tables, memory: Memory, rules: Rules, noise: Any, store: int, cell: int) -> Any:
    """The nearest free hex beside a foreign nest, whichever of its hexes has the nectar (ruling 30); -1 if none is."""
    best = -1
    least = 0
    for part in range(NEIGHBOURS + 1):
        nest = store if part == NEIGHBOURS else board.neighbours[NEIGHBOURS * store + part]
        if nest < 0 or not is_foreign_nest(memory, rules, nest):
            continue
        for way in range(NEIGHBOURS):
            gate = board.neighbours[NEIGHBOURS * nest + way]
            if gate < 0 or memory.terrain[gate] == ROCK or is_foreign_nest(memory, rules, gate) or memory.foe[gate] > 0:
                continue
            badness = (distance(board, cell, gate) << _NOISE_BITS) + noise[gate]
            if best < 0 or badness < least:
                best = gate
                least = badness
    return best


@kernel
def nearest_store(board: Tables, scratch: Scratch, ants: Ants, rules: Rules, noise: Any, row: int) -> Any:
    """The hex of the own nest to deliver on: free rather than taken, the spot last, where ants are born."""
    size = len(scratch.age)
    best = rules.home[0]
    least = 1 << 40
    for place in range(len(rules.home)):
        cell = rules.home[place]
        badness = distance(board, ants.cell[row], cell) + (1 if place == 0 else 0)
        if scratch.taken[ants.kind[row] * size + cell] > 0 and cell != ants.cell[row]:
            badness += 3
        badness = (badness << _NOISE_BITS) + noise[cell]
        if badness < least:
            least = badness
            best = cell
    return best
