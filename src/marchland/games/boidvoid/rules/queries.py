"""What Python asks of the rules, one compiled call each: where a unit may go or spawn, how far and hard it strikes."""

from marchland.board.cells import distance
from marchland.games.boidvoid.rules.capture_build import build_turns, capture_turns
from marchland.games.boidvoid.rules.combat import counter_of, damage_with, defense_of, force_of, range_of
from marchland.games.boidvoid.rules.constants import BUILDING, CAPTURING, STRIKES_BACK
from marchland.games.boidvoid.rules.movement import destinations
from marchland.games.boidvoid.rules.spawning import spawn_cells
from marchland.games.boidvoid.rules.state import U
from marchland.games.boidvoid.rules.units import place_of
from marchland.games.boidvoid.rules.world import board_in, open_world, units_in
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


@kernel
def task_turns(state, work, at, board, events, rules, unit):
    """The turns that a ship's task takes in all; at least those that are left."""
    world = open_world(state, work, at, board, events, rules)
    units = units_in(world)
    turns = 0
    if units[unit, U.task] == CAPTURING:
        turns = capture_turns(world, unit)
    elif units[unit, U.task] == BUILDING:
        turns = build_turns(world, units[unit, U.aim])
    return max(turns, units[unit, U.wait])


@kernel
def attack_figures(state, work, at, board, events, rules, unit, target, found):
    """Write what an attack would do to ``found``, in hundredths.

    Least and most damage with the chance of the most, the target's defense and health; then the same damage of a
    counterattack, all 0 if there is none after the least damage. No dice are drawn.
    """
    world = open_world(state, work, at, board, events, rules)
    apart = distance(board_in(world), place_of(world, unit), place_of(world, target))
    write_damage(world, unit, apart, found, 0)
    defense, health = defense_of(world, target)
    found[3] = defense
    found[4] = health
    reach = range_of(world, target, place_of(world, target))
    if counter_of(world, target, apart, reach, found[0], defense + health) == STRIKES_BACK:
        write_damage(world, target, apart, found, 5)
    return 0


@kernel
def write_damage(world, unit, apart, found, first):
    main, additional, bonus, chance, value = force_of(world, unit, apart)
    found[first] = damage_with(world, main + additional, bonus, 0)
    found[first + 1] = damage_with(world, main + additional, bonus, value if chance > 0 else 0)
    found[first + 2] = chance
