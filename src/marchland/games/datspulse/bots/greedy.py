"""The greedy player's turn, compiled: remember, give every ant a goal, and move ant by ant in the order they act.

Workers fetch what brings most calories a turn, whether it lies on the map or in a foreign nest; soldiers close the own
nest to raiders; scouts and idle ants look where nothing has been seen for long. Whatever is equal is decided by chance,
so that no part of the map is preferred.
"""

from typing import Any, Final

from marchland.board.tables import Longs, Tables
from marchland.games.datspulse.bots.exploring import explore
from marchland.games.datspulse.bots.gathering import NO_GOAL, gather
from marchland.games.datspulse.bots.memory import Ants, Memory, Rules, Scratch, Seen, is_home, remember, set_costs
from marchland.games.datspulse.bots.routes import find_way, is_blocked, steps_this_turn
from marchland.games.datspulse.bots.soldiers import guard
from marchland.games.datspulse.rules.config import DatspulseConfig
from marchland.games.datspulse.rules.state import NEIGHBOURS
from marchland.kernels import kernel

_ACID_DAMAGE: Final = DatspulseConfig().acid_damage


@kernel
def plan(
    board: Tables, seen: Seen, ants: Ants, memory: Memory, scratch: Scratch, rules: Rules, noise: Any, out: Longs
) -> Any:
    """Write a row of the ants' table, a number of hexes and the hexes for each ant that moves; how much was written."""
    remember(board, seen, memory, scratch, rules)
    set_costs(board, memory, scratch, rules)
    size = len(memory.terrain)
    for row in range(len(ants.id)):
        scratch.goal[row] = NO_GOAL
        if ants.health[row] > 0:
            scratch.taken[ants.kind[row] * size + ants.cell[row]] += 1
    gather(board, memory, scratch, ants, rules, noise)
    guard(board, memory, scratch, ants, rules, noise)
    explore(board, memory, scratch, ants, rules, noise)
    written = 0
    for row in range(len(ants.id)):
        if ants.health[row] > 0:
            written = move(board, memory, scratch, ants, rules, noise, row, out, written)
    for place in range(len(scratch.taken)):
        scratch.taken[place] = 0
    return written


@kernel
def move(
    board: Tables,
    memory: Memory,
    scratch: Scratch,
    ants: Ants,
    rules: Rules,
    noise: Any,
    row: int,
    out: Longs,
    written: int,
) -> Any:
    """Write the way of one ant, as far as it goes this turn."""
    size = len(memory.terrain)
    cell, kind, goal = ants.cell[row], ants.kind[row], scratch.goal[row]
    scratch.taken[kind * size + cell] -= 1
    steps = 0
    if goal != NO_GOAL and goal != cell:
        fear = fear_of_acid(ants.health[row])
        length = find_way(board, memory, scratch, rules, noise, cell, goal, kind, fear)
        steps = steps_this_turn(memory, scratch, rules, length, kind)
        if steps > 0 and scratch.way[steps - 1] == rules.home[0] and ants.amount[row] == 0:
            steps -= 1
    if steps == 0 and is_home(rules, cell):
        steps = step_aside(board, memory, scratch, rules, noise, cell, kind)
    end = scratch.way[steps - 1] if steps > 0 else cell
    scratch.taken[kind * size + end] += 1
    if steps > 0:
        out[written] = row
        out[written + 1] = steps
        for place in range(steps):
            out[written + 2 + place] = scratch.way[place]
        written += 2 + steps
    return written


@kernel
def fear_of_acid(health: int) -> Any:
    """Steps that a detour round a hex of acid is worth to an ant of little health, more than to others."""
    if health <= _ACID_DAMAGE:
        return 60
    return 6 if health <= 3 * _ACID_DAMAGE else 0


@kernel
def step_aside(board: Tables, memory: Memory, scratch: Scratch, rules: Rules, noise: Any, cell: int, kind: int) -> Any:
    """Leave the nest, or at least the spot, for a free hex beside it; how many steps."""
    best = -1
    most = -1
    for way in range(NEIGHBOURS):
        other = board.neighbours[NEIGHBOURS * cell + way]
        if other < 0 or scratch.cost[other] < 0 or is_blocked(memory, scratch, rules, other, kind):
            continue
        if is_home(rules, other) and (cell != rules.home[0] or other == rules.home[0]):
            continue
        value = noise[other] + (0 if is_home(rules, other) else 256)
        if value > most:
            best = other
            most = value
    if best < 0:
        return 0
    scratch.way[0] = best
    return 1
