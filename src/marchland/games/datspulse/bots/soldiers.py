"""What soldiers do: a wall round the nest that only own ants of other kinds can pass; the others hunt."""

from typing import Any, Final

from marchland.board.cells import distance
from marchland.board.tables import Tables
from marchland.games.datspulse.bots.gathering import NO_GOAL, distance_home, turns_for
from marchland.games.datspulse.bots.memory import Ants, Memory, Rules, Scratch, is_foe_in_sight, is_home
from marchland.games.datspulse.rules.state import NEIGHBOURS, ROCK, SOLDIER
from marchland.kernels import kernel

_NOISE_BITS: Final = 8
_HUNT_RANGE: Final = 8
"""How far a soldier goes after an enemy."""


@kernel
def guard(board: Tables, memory: Memory, scratch: Scratch, ants: Ants, rules: Rules, noise: Any) -> None:
    """Give goals to the soldiers that have none."""
    posts = list_posts(board, memory, scratch, rules)
    hold_posts(board, scratch, ants, rules, posts)
    man_posts(board, scratch, ants, rules, noise, posts)
    relieve_posts(board, scratch, ants, rules, noise, posts)
    hunt(board, memory, scratch, ants, rules, noise)


@kernel
def list_posts(board: Tables, memory: Memory, scratch: Scratch, rules: Rules) -> Any:
    """List the hexes round the own nest that an enemy could raid it from, in ``scratch.piles``; how many."""
    count = 0
    for place in range(len(rules.home)):
        for way in range(NEIGHBOURS):
            cell = board.neighbours[NEIGHBOURS * rules.home[place] + way]
            if cell < 0 or is_home(rules, cell) or memory.terrain[cell] == ROCK:
                continue
            is_known = False
            for other in range(count):
                is_known = is_known or scratch.piles[other] == cell
            if not is_known:
                scratch.piles[count] = cell
                scratch.left[count] = NO_GOAL  # the row of the ant that has the post
                count += 1
    return count


@kernel
def is_free_soldier(scratch: Scratch, ants: Ants, row: int) -> Any:
    return ants.health[row] > 0 and ants.kind[row] == SOLDIER and scratch.goal[row] == NO_GOAL


@kernel
def hold_posts(board: Tables, scratch: Scratch, ants: Ants, rules: Rules, posts: int) -> None:
    """Soldiers on a post stay there."""
    for row in range(len(ants.id)):
        if is_free_soldier(scratch, ants, row) and distance_home(board, rules, ants.cell[row]) == 1:
            for post in range(posts):
                if scratch.piles[post] == ants.cell[row]:
                    scratch.left[post] = row
                    scratch.goal[row] = ants.cell[row]


@kernel
def man_posts(board: Tables, scratch: Scratch, ants: Ants, rules: Rules, noise: Any, posts: int) -> None:
    """Send soldiers to the free posts that are fewest turns away.

    By hexes they would fill the side of the spot first, where they hatch, and leave the other one open to raiders.
    """
    while True:
        best = -1
        chosen = -1
        least = 0
        for post in range(posts):
            if scratch.left[post] != NO_GOAL:
                continue
            for row in range(len(ants.id)):
                if is_free_soldier(scratch, ants, row):
                    turns = turns_for(distance(board, ants.cell[row], scratch.piles[post]), rules.speed[SOLDIER])
                    badness = (turns << _NOISE_BITS) + noise[scratch.piles[post]]
                    if best < 0 or badness < least:
                        best = post
                        chosen = row
                        least = badness
        if best < 0:
            return
        scratch.left[best] = chosen
        scratch.goal[chosen] = scratch.piles[best]


@kernel
def relieve_posts(board: Tables, scratch: Scratch, ants: Ants, rules: Rules, noise: Any, posts: int) -> None:
    """A soldier that hatched inside a full wall takes the post of one that acts before it, which becomes free."""
    for row in range(len(ants.id)):
        if not is_free_soldier(scratch, ants, row) or not is_home(rules, ants.cell[row]):
            continue
        best = -1
        most = -1
        for post in range(posts):
            holder = scratch.left[post]
            cell = scratch.piles[post]
            if holder >= 0 and ants.cell[holder] == cell and distance(board, ants.cell[row], cell) == 1:
                value = (int(holder < row) << _NOISE_BITS) + noise[cell]
                if value > most:
                    best = post
                    most = value
        if best >= 0:
            scratch.goal[scratch.left[best]] = NO_GOAL
            scratch.left[best] = row
            scratch.goal[row] = scratch.piles[best]


@kernel
def hunt(board: Tables, memory: Memory, scratch: Scratch, ants: Ants, rules: Rules, noise: Any) -> None:
    """The others go for the enemy in sight that is nearest and can be beaten."""
    foes = 0
    for cell in range(len(memory.terrain)):
        if is_foe_in_sight(memory, rules, cell) and not memory.fire[cell]:
            scratch.piles[foes] = cell
            foes += 1
    for row in range(len(ants.id)):
        if not is_free_soldier(scratch, ants, row):
            continue
        best = -1
        least = 0
        for foe in range(foes):
            cell = scratch.piles[foe]
            far = distance(board, ants.cell[row], cell)
            if far > _HUNT_RANGE:
                continue
            badness = (far << _NOISE_BITS) + noise[cell]
            if best < 0 or badness < least:
                best = cell
                least = badness
        if best >= 0:
            scratch.goal[row] = best
