"""What Python asks of the rules, one compiled call each: where a unit may go or spawn, and how far it reaches."""

from marchland.games.boidvoid.rules.combat import range_of
from marchland.games.boidvoid.rules.movement import destinations
from marchland.games.boidvoid.rules.spawning import spawn_cells
from marchland.games.boidvoid.rules.units import place_of
from marchland.games.boidvoid.rules.world import open_world
from marchland.kernels import kernel


@kernel
def reachable_cells(state, work, at, board, events, rules, unit, cells, costs, parents):
    """`destinations`, for Python."""
    return destinations(open_world(state, work, at, board, events, rules), unit, cells, costs, parents)


@kernel
def spawnable_cells(state, work, at, board, events, rules, unit, found):
    """`spawn_cells`, for Python."""
    return spawn_cells(open_world(state, work, at, board, events, rules), unit, found)


@kernel
def attack_range(state, work, at, board, events, rules, unit):
    """`range_of`, for Python."""
    world = open_world(state, work, at, board, events, rules)
    return range_of(world, unit, place_of(world, unit))
