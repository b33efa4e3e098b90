"""New ants, then new food (seed: "Order" 5 and 6; rulings 3, 4, 15), compiled."""

from typing import Final

from marchland.core.dice import draw, roll
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER, TURN
from marchland.games.datspulse.rules.ants import GROWN, GROWN_AT, GROWTH, ID, SPAWN, action_key, enter, is_occupied
from marchland.games.datspulse.rules.events import GREW, LIMIT, NO_ROOM, NOT_SPAWNED, SPAWNED
from marchland.games.datspulse.rules.state import (
    APPLE,
    ID_HALF,
    ID_KEY0,
    ID_KEY1,
    ID_TEAMS,
    MOST_SERIAL,
    NEST_HEXES,
    NOTHING,
    PILES,
    ROCK,
    SCOUT,
    SOLDIER,
    WORKER,
)
from marchland.kernels import kernel

_TRIES: Final = 32


@kernel
def spawn(head, cells, teams, nests, ants, board, dice, events, rules):
    """One roll a team; skipped where an ant of that kind stands on the spot, or at the limit (ruling 3)."""
    slots = len(ants.id) // len(teams.ants)
    for team in range(len(teams.ants)):
        spot = nests.cell[team * NEST_HEXES]
        kind = roll_kind(dice, team, rules)
        if teams.living[team] >= rules.ant_limit:
            emit(events, NOT_SPAWNED, code_of(board, spot), kind, team, LIMIT)
        elif holds_kind(cells, ants, spot, kind):
            emit(events, NOT_SPAWNED, code_of(board, spot), kind, team, NO_ROOM)
        else:
            born = hatch(head, cells, teams, ants, team, slots, kind, spot, rules)
            emit(events, SPAWNED, born, code_of(board, spot), kind, team)


@kernel
def roll_kind(dice, team, rules):
    rolled = draw(dice, SPAWN, team, rules.spawn[WORKER] + rules.spawn[SOLDIER] + rules.spawn[SCOUT])
    if rolled < rules.spawn[WORKER]:
        return WORKER
    return SOLDIER if rolled < rules.spawn[WORKER] + rules.spawn[SOLDIER] else SCOUT


@kernel
def holds_kind(cells, ants, cell, kind):
    found = False
    link = cells.first[cell]
    while link:
        found = found or (ants.health[link - 1] > 0 and ants.kind[link - 1] == kind)
        link = ants.next[link - 1]
    return found


@kernel
def hatch(head, cells, teams, ants, team, slots, kind, spot, rules):
    """A new ant on the spot; returns its id."""
    row = team * slots + teams.ants[team]
    teams.ants[team] += 1
    teams.living[team] += 1
    ants.id[row] = next_id(head, teams, team)
    ants.key[row] = action_key(head, ants.id[row])
    ants.kind[row] = kind
    ants.team[row] = team
    ants.health[row] = rules.health[kind]
    enter(cells, ants, row, spot)
    return ants.id[row]


@kernel
def next_id(head, teams, team):
    """Ids ascend within a team by the turn, whatever hatched elsewhere or before (ruling 38)."""
    serial = max(teams.serial[team], min(2 * head[TURN], MOST_SERIAL // 2)) + 1  # two ants hatch on turn 0
    teams.serial[team] = serial
    upper = team // ID_HALF
    lower = team % ID_HALF
    for step in range(4):  # a Feistel network: another order of the teams for each serial
        mixed = roll(head[ID_KEY0], head[ID_KEY1], serial, step, ID, lower, ID_HALF)
        upper, lower = lower, upper ^ mixed
    return serial * ID_TEAMS + upper * ID_HALF + lower


@kernel
def grow_food(head, cells, teams, ants, board, dice, events, rules):
    """Now and then a pile on a free hex, while there are not too many (ruling 4)."""
    for team in range(len(teams.ants)):
        if head[PILES] >= rules.piles_per_team * len(teams.ants):
            return
        if draw(dice, GROWTH, team, 100) >= rules.growth_percent:
            continue
        cell = free_hex(cells, ants, team, dice)
        if cell >= 0:
            head[PILES] += 1
            cells.food[cell] = APPLE + draw(dice, GROWN, 2 * team, 2)
            cells.amount[cell] = 1 + draw(dice, GROWN, 2 * team + 1, rules.pile_most)
            emit(events, GREW, code_of(board, cell), cells.food[cell], cells.amount[cell])


@kernel
def free_hex(cells, ants, team, dice):
    """A random passable hex without nest, food and ants; -1 if there is none."""
    size = len(cells.terrain)
    cell = 0
    for attempt in range(_TRIES + size):  # on a map so full that no try succeeds, the next free hex will do
        cell = draw(dice, GROWN_AT, team * _TRIES + attempt, size) if attempt < _TRIES else (cell + 1) % size
        open_land = cells.terrain[cell] != ROCK and cells.nest[cell] == NO_PLAYER and cells.food[cell] == NOTHING
        if open_land and not is_occupied(cells, ants, cell):
            return cell
    return -1


@kernel
def first_scouts(head, cells, teams, nests, ants, rules):
    """What every team starts with, before the first roll (ruling 3)."""
    slots = len(ants.id) // len(teams.ants)
    for team in range(len(teams.ants)):
        if teams.ants[team] == 0:  # a position of turn 0 may have ants already
            hatch(head, cells, teams, ants, team, slots, SCOUT, nests.cell[team * NEST_HEXES], rules)
