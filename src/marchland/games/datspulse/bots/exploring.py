"""Where ants without another task go: to hexes that have not been seen for long."""

from typing import Any, Final

from marchland.board.cells import disk, distance
from marchland.board.tables import Tables
from marchland.games.datspulse.bots.gathering import NO_GOAL
from marchland.games.datspulse.bots.memory import LONG_AGO, Ants, Memory, Rules, Scratch
from marchland.kernels import kernel

_NOISE_BITS: Final = 8
_SAMPLE: Final = 2048
"""Hexes that are compared for one ant."""
_CLAIM: Final = 4
"""How far from an explorer's goal no other explorer goes."""


@kernel
def explore(board: Tables, memory: Memory, scratch: Scratch, ants: Ants, rules: Rules, noise: Any) -> None:
    """Send each ant without a goal to another part of the map."""
    size = len(memory.terrain)
    for cell in range(size):
        age = min(rules.turn - memory.last_seen[cell], LONG_AGO)
        scratch.age[cell] = age if scratch.cost[cell] > 0 else 0
    stride = 1 + size // _SAMPLE
    for row in range(len(ants.id)):
        if ants.health[row] <= 0 or scratch.goal[row] != NO_GOAL:
            continue
        best = -1
        most = 0
        for cell in range(noise[row] % stride, size, stride):
            if scratch.age[cell] > 0:
                value = scratch.age[cell] - 2 * distance(board, ants.cell[row], cell)
                value = (value << _NOISE_BITS) + noise[cell]
                if best < 0 or value > most:
                    best = cell
                    most = value
        if best >= 0:
            scratch.goal[row] = best
            found = disk(board, best, _CLAIM, scratch.near)
            for place in range(found):
                scratch.age[scratch.near[place]] = 0
