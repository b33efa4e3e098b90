"""Capturing and building, which occupy a ship for some turns. Compiled."""

from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    B_CAPTURE,
    BUILDING,
    BY_BURNING,
    CAPTURING,
    IDLE,
    IN_BUILDING,
    N_STRUCTURE,
    NO_TEAM,
    NO_UNIT,
    SHIPS_AT,
    STATS,
    STRUCTURES_AT,
    SWARMS_AT,
)
from marchland.games.boidvoid.rules.constants import BUILD as BUILD_RATE
from marchland.games.boidvoid.rules.constants import BUILT as IS_BUILT
from marchland.games.boidvoid.rules.events import BUILD_BEGUN, BUILT, CANCELLED, CAPTURE_BEGUN, CAPTURED
from marchland.games.boidvoid.rules.nfts import add_traits, find_free_item, fits
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import C, N, P, T, U
from marchland.games.boidvoid.rules.units import abandon_task, begin_task, bonus_at, end_task, full_health
from marchland.games.boidvoid.rules.world import (
    OK,
    board_in,
    cells_in,
    head_in,
    items_in,
    players_in,
    rules_in,
    teams_in,
    traits_in,
    units_in,
)
from marchland.kernels import kernel


@kernel
def cancel_task(world, unit):
    units = units_in(world)
    if units[unit, U.task] == IDLE:
        return Why.NOTHING_TO_CANCEL.value
    emit(world.events, CANCELLED, units[unit, U.id], units[unit, U.task])
    abandon_task(world, unit)
    return OK


@kernel
def begin_capture(world, unit):
    """Ruling 7."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    cell = units[unit, U.cell]
    team = units[unit, U.team]
    if units[team, U.status] != ALONE:  # a team's mothership has the team's row
        return Why.MOTHERSHIP_MISSING.value
    if cells[cell, C.owner] == team:
        return Why.OWN_TILE.value
    turns = capture_turns(world, unit)
    begin_task(units, unit, CAPTURING, turns, 0)
    emit(world.events, CAPTURE_BEGUN, units[unit, U.id], code_of(board, cell), turns)
    return OK


@kernel
def capture_turns(world, unit):
    """The turns that a ship needs to capture the tile it is on."""
    cells = cells_in(world)
    units = units_in(world)
    rules = rules_in(world)
    cell = units[unit, U.cell]
    bonus = bonus_at(world, cell, B_CAPTURE, units[unit, U.team], NO_UNIT, True)
    turns = max(1, rules.capture_turns + bonus)  # ruling 28
    return turns * rules.foreign_factor if cells[cell, C.owner] != NO_TEAM else turns


@kernel
def build_turns(world, item):
    """The turns that building with an NFT takes."""
    return max(1, traits_in(world)[item * STATS + BUILD_RATE] + rules_in(world).build_turns)


@kernel
def begin_build(world, player, unit, nft):
    """Ruling 8: the NFT is burned when building starts."""
    cells = cells_in(world)
    units = units_in(world)
    items = items_in(world)
    board = board_in(world)
    cell = units[unit, U.cell]
    if cells[cell, C.owner] != units[unit, U.team]:
        return Why.NOT_OWN_TILE.value
    if cells[cell, C.structure] != NO_UNIT:
        return Why.HAS_STRUCTURE.value
    why, item = find_free_item(world, player, nft, BY_BURNING)
    if why != OK:
        return why
    place = head_in(world)[STRUCTURES_AT] + item
    if items[item, N.kind] != N_STRUCTURE or not fits(world, item, place):
        return Why.WRONG_NFT.value
    turns = build_turns(world, item)
    items[item, N.use] = IN_BUILDING
    items[item, N.mode] = BY_BURNING
    begin_task(units, unit, BUILDING, turns, item)
    emit(world.events, BUILD_BEGUN, units[unit, U.id], code_of(board, cell), turns)
    return OK


@kernel
def advance_captures_and_builds(world):
    """ "updating structure building and captures (and finishing the ones that fulfilled the requirements)"."""
    head = head_in(world)
    units = units_in(world)
    for ship in range(head[SHIPS_AT], head[SWARMS_AT]):
        task = units[ship, U.task]
        if task == CAPTURING and units[units[ship, U.team], U.status] != ALONE:
            continue  # without the mothership a capture freezes (ruling 7)
        if task in (CAPTURING, BUILDING):
            units[ship, U.wait] -= 1
            if units[ship, U.wait] <= 0:
                if task == CAPTURING:
                    capture_tile(world, ship)
                else:
                    finish_structure(world, ship)
                end_task(units, ship)


@kernel
def capture_tile(world, ship):
    head = head_in(world)
    cells = cells_in(world)
    players = players_in(world)
    teams = teams_in(world)
    units = units_in(world)
    board = board_in(world)
    player = ship - head[SHIPS_AT]
    cell = units[ship, U.cell]
    team = units[ship, U.team]
    former = cells[cell, C.owner]
    has_point = cells[cell, C.point]
    if former != NO_TEAM:
        teams[former, T.tiles] -= 1
        teams[former, T.points] -= has_point
    cells[cell, C.owner] = team
    teams[team, T.tiles] += 1
    teams[team, T.points] += has_point
    players[player, P.tiles] += 1
    players[player, P.points] += has_point
    emit(world.events, CAPTURED, units[ship, U.id], code_of(board, cell), team, former)


@kernel
def finish_structure(world, ship):
    head = head_in(world)
    cells = cells_in(world)
    players = players_in(world)
    teams = teams_in(world)
    units = units_in(world)
    items = items_in(world)
    board = board_in(world)
    item = units[ship, U.aim]
    cell = units[ship, U.cell]
    row = head[STRUCTURES_AT] + item
    units[row, U.status] = ALONE
    units[row, U.team] = units[ship, U.team]
    units[row, U.cell] = cell
    units[row, U.item] = item
    units[row, U.aim] = 1
    add_traits(world, item, row, 1)
    units[row, U.health] = full_health(world, row)
    cells[cell, C.structure] = row
    items[item, N.use] = IS_BUILT
    items[item, N.target] = row
    teams[units[ship, U.team], T.structures] += 1
    players[ship - head[SHIPS_AT], P.structures] += 1
    emit(world.events, BUILT, units[row, U.id], code_of(board, cell), units[ship, U.id])
