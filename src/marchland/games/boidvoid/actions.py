"""What a player's action does, one at a time and at once. Compiled.

Unit and right, then the unit's state, then the rest: the first thing that is wrong is the reason.
"""

from marchland.board.cells import distance
from marchland.core.events import emit
from marchland.core.kernel import inlined, kernel
from marchland.core.orders import cell_of, code_of
from marchland.games.boidvoid.combat import fight
from marchland.games.boidvoid.daytime import set_automode
from marchland.games.boidvoid.equipment import begin_boost, equip, item_for, stack
from marchland.games.boidvoid.happenings import (
    BUILD_BEGUN,
    CANCELLED,
    CAPTURE_BEGUN,
    DETONATED,
    RATIO_SET,
    SPAWNED,
    SWARM_LEFT,
)
from marchland.games.boidvoid.movement import move
from marchland.games.boidvoid.naming import is_taken, is_valid_name, write_name
from marchland.games.boidvoid.orders import (
    ATTACK,
    AUTOMODE,
    BATTERY,
    BOOST,
    BUILD,
    CANCEL,
    CAPTURE,
    CREATE,
    DETONATE,
    EQUIP,
    LEAVE,
    MOVE,
    SPAWN,
    STACK,
)
from marchland.games.boidvoid.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.state import (
    ALONE,
    B_CAPTURE,
    BUILDING,
    BY_BURNING,
    CAPTURING,
    IDLE,
    IN_BUILDING,
    IN_SWARM,
    JOINING,
    MOTHERSHIP,
    N_STRUCTURE,
    NOBODY,
    SHIP,
    SHIPS_AT,
    STATS,
    SWARM,
    TROOPER,
    WAITING,
    C,
    N,
    P,
    T,
    U,
)
from marchland.games.boidvoid.state import BUILD as BUILD_RATE
from marchland.games.boidvoid.state import JOIN as JOIN_TURNS
from marchland.games.boidvoid.swarms import discharge, enlist, found, wreck
from marchland.games.boidvoid.world import (
    OK,
    board_in,
    bonus_at,
    cells_in,
    full_health,
    head_in,
    is_beside,
    items_in,
    open_world,
    players_in,
    row_of,
    rules_in,
    stat_of,
    step_cost,
    teams_in,
    traits_in,
    units_in,
)


@kernel
def obey(state, work, at, board, pool, events, rules, player, verb, a, b, c):
    """One action of a player's; returns what became of it. A refused one changes nothing."""
    world = open_world(state, work, at, board, events, rules)
    head = head_in(world)
    units = units_in(world)
    ship = head[SHIPS_AT] + player
    if verb == BATTERY:
        return set_ratio(world, ship, a)
    if verb == AUTOMODE:
        return set_automode(world, pool, player, a, b)
    if verb == STACK:
        return stack(world, player, a, b, c)
    if verb == BOOST:
        return begin_boost(world, player, a, b, c)
    unit = row_of(world, a)
    why = may_command(world, player, unit)
    if why != OK:
        return why
    if verb == EQUIP:
        return equip(world, player, unit, b)
    if verb == CANCEL:
        return cancel(world, unit)
    if verb == SPAWN:
        return spawn(world, unit, b)
    if units[unit, U.status] == WAITING:
        return Why.NOT_ON_THE_MAP.value
    if verb == LEAVE:
        return leave(world, unit, b)
    if units[unit, U.status] == IN_SWARM:
        return Why.IN_A_SWARM.value
    if units[unit, U.task] != IDLE:  # "Starting a capture locks all other actions."
        return Why.BUSY.value
    if verb == MOVE:
        return move(world, pool, unit, b, c)
    if units[unit, U.acted]:  # ruling 6
        return Why.ACTED.value
    if verb == DETONATE:
        return detonate(world, state, work, at, board, events, rules, unit)
    if verb == ATTACK:
        return attack(world, state, work, at, board, events, rules, player, unit, b)
    if units[unit, U.kind] != SHIP:
        return Why.WRONG_KIND.value
    if verb == CAPTURE:
        return capture(world, unit)
    if verb == BUILD:
        return build(world, player, unit, b)
    if verb == CREATE:
        return create(world, pool, unit, b)
    return join(world, unit, b)


@inlined
def may_command(world, player, unit):
    """A ship obeys its player, swarms and motherships the leader and the vice-leader of their team (ruling 23)."""
    head = head_in(world)
    players = players_in(world)
    units = units_in(world)
    if unit == NOBODY:
        return Why.NO_SUCH_UNIT.value
    kind = units[unit, U.kind]
    if kind == SHIP:
        return OK if unit == head[SHIPS_AT] + player else Why.NOT_YOUR_UNIT.value
    if kind != SWARM and kind != MOTHERSHIP:
        return Why.NOT_YOUR_UNIT.value
    if units[unit, U.team] != players[player, P.team]:
        return Why.OTHER_TEAM.value
    return Why.LEADERS_ONLY.value if players[player, P.role] == TROOPER else OK


@inlined
def set_ratio(world, ship, attack):
    """ "The player can change the Boid battery's value to increase the attack and decrease the defense"."""
    units = units_in(world)
    if attack < 0 or attack > 100:
        return Why.BAD_RATIO.value
    units[ship, U.ratio] = attack
    emit(world.events, RATIO_SET, units[ship, U.id], attack)
    return OK


@inlined
def cancel(world, unit):
    units = units_in(world)
    if units[unit, U.task] == IDLE:
        return Why.NOTHING_TO_CANCEL.value
    emit(world.events, CANCELLED, units[unit, U.id], units[unit, U.task])
    end_task(units, unit)
    return OK


@inlined
def end_task(units, unit):
    units[unit, U.task] = IDLE
    units[unit, U.wait] = 0
    units[unit, U.aim] = 0


@inlined
def begin_task(units, unit, task, turns, aim):
    units[unit, U.task] = task
    units[unit, U.wait] = turns
    units[unit, U.aim] = aim
    units[unit, U.acted] = 1


@kernel
def capture(world, unit):
    """Ruling 7."""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    rules = rules_in(world)
    cell = units[unit, U.cell]
    team = units[unit, U.team]
    if units[team, U.status] != ALONE:  # a team's mothership has the team's row
        return Why.MOTHERSHIP_MISSING.value
    if cells[cell, C.owner] == team:
        return Why.OWN_TILE.value
    turns = max(1, rules.capture_turns + bonus_at(world, cell, B_CAPTURE, team, NOBODY, True))
    if cells[cell, C.owner] != NOBODY:
        turns *= rules.foreign_factor
    begin_task(units, unit, CAPTURING, turns, 0)
    emit(world.events, CAPTURE_BEGUN, units[unit, U.id], code_of(board, cell), turns)
    return OK


@kernel
def build(world, player, unit, nft):
    """Ruling 8: the NFT is burned when building starts."""
    cells = cells_in(world)
    units = units_in(world)
    items = items_in(world)
    traits = traits_in(world)
    board = board_in(world)
    rules = rules_in(world)
    cell = units[unit, U.cell]
    if cells[cell, C.owner] != units[unit, U.team]:
        return Why.NOT_OWN_TILE.value
    if cells[cell, C.structure] != NOBODY:
        return Why.HAS_STRUCTURE.value
    why, item = item_for(world, player, nft, BY_BURNING)
    if why != OK:
        return why
    if items[item, N.kind] != N_STRUCTURE:
        return Why.WRONG_NFT.value
    turns = max(1, traits[item * STATS + BUILD_RATE] + rules.build_turns)
    items[item, N.use] = IN_BUILDING
    begin_task(units, unit, BUILDING, turns, item)
    emit(world.events, BUILD_BEGUN, units[unit, U.id], code_of(board, cell), turns)
    return OK


@kernel
def spawn(world, unit, at):
    """Ruling 9."""
    cells = cells_in(world)
    teams = teams_in(world)
    units = units_in(world)
    board = board_in(world)
    if units[unit, U.status] != WAITING:
        return Why.ALREADY_SPAWNED.value
    if units[unit, U.wait] > 0:
        return Why.RESPAWNING.value
    if units[unit, U.acted]:
        return Why.ACTED.value
    cell = cell_of(board, at)
    if cell == NOBODY:
        return Why.OFF_THE_MAP.value
    team = units[unit, U.team]
    if cells[cell, C.owner] != team and (teams[team, T.tiles] > 0 or cell != refuge(world, team)):
        return Why.NOT_OWN_TILE.value
    if cells[cell, C.unit] != NOBODY or step_cost(world, cell, team, 0) < 0:
        return Why.BLOCKED.value
    cells[cell, C.unit] = unit
    units[unit, U.cell] = cell
    units[unit, U.status] = ALONE
    units[unit, U.health] = full_health(world, unit)
    units[unit, U.points] = 0
    units[unit, U.acted] = 1
    emit(world.events, SPAWNED, units[unit, U.id], code_of(board, cell))
    return OK


@kernel
def refuge(world, team):
    """Where a team without a tile may spawn: the nearest free unowned tile to its first home; the first of equals."""
    cells = cells_in(world)
    teams = teams_in(world)
    board = board_in(world)
    best = NOBODY
    nearest = 0
    for cell in range(len(cells)):
        if cells[cell, C.owner] == NOBODY and cells[cell, C.unit] == NOBODY and step_cost(world, cell, team, 0) >= 0:
            apart = distance(board, teams[team, T.home] + 0, cell + 0)
            if best == NOBODY or apart < nearest:
                best = cell
                nearest = apart
    return best


@kernel
def detonate(world, state, work, at, board, events, rules, unit):
    """ "The player can destroy their own ship"; a swarm goes with all its ships (ruling 10)."""
    units = units_in(world)
    emit(world.events, DETONATED, units[unit, U.id], code_of(board_in(world), units[unit, U.cell]))
    ship = units[unit, U.swarm] if units[unit, U.kind] == SWARM else unit
    while ship != NOBODY:
        following = units[ship, U.next] if units[unit, U.kind] == SWARM else NOBODY
        wreck(state, work, at, board, events, rules, ship + 0, NOBODY)
        ship = following
    return OK


@kernel
def attack(world, state, work, at, board, events, rules, player, unit, name):
    units = units_in(world)
    target = row_of(world, name)
    if units[unit, U.kind] == MOTHERSHIP:
        return Why.WRONG_KIND.value
    if target == NOBODY:
        return Why.NO_SUCH_UNIT.value
    if units[target, U.team] == units[unit, U.team]:
        return Why.OWN_TEAM.value
    if units[target, U.status] == IN_SWARM:
        return Why.IN_A_SWARM.value
    if units[target, U.status] != ALONE:
        return Why.NOT_ON_THE_MAP.value
    why = fight(state, work, at, board, events, rules, unit + 0, target + 0, player + 0)
    if why == OK and units[unit, U.acted] == 0:  # one that fell is marked already
        units[unit, U.acted] = 1 if units[unit, U.status] == ALONE else 0
    return why


@kernel
def create(world, pool, unit, name):
    """Ruling 11: any free ship, a name unique in the team."""
    units = units_in(world)
    if not is_valid_name(world, pool, name):
        return Why.BAD_NAME.value
    if is_taken(world, pool, name, units[unit, U.team]):
        return Why.NAME_TAKEN.value
    swarm = found(world, unit)
    write_name(world, pool, name, swarm)
    units[unit, U.acted] = 1
    return OK


@kernel
def join(world, unit, name):
    units = units_in(world)
    board = board_in(world)
    swarm = row_of(world, name)
    if swarm == NOBODY:
        return Why.NO_SUCH_UNIT.value
    if units[swarm, U.kind] != SWARM:
        return Why.WRONG_KIND.value
    if units[swarm, U.team] != units[unit, U.team]:
        return Why.OTHER_TEAM.value
    if not is_beside(board, units[unit, U.cell], units[swarm, U.cell]):
        return Why.NOT_ADJACENT.value
    begin_joining(world, unit, swarm)
    return OK


@kernel
def begin_joining(world, unit, swarm):
    """At once, or after the ship's Swarm Join Turns."""
    units = units_in(world)
    turns = stat_of(world, unit, JOIN_TURNS)
    units[unit, U.acted] = 1
    if turns > 0:
        begin_task(units, unit, JOINING, turns, units[swarm, U.id])
    else:
        enlist(world, swarm, unit)


@kernel
def leave(world, unit, to):
    """ "This will deduct all the player's action points and move the ship to an adjacent tile to the swarm.\""""
    cells = cells_in(world)
    units = units_in(world)
    board = board_in(world)
    if units[unit, U.status] != IN_SWARM:
        return Why.NOT_IN_A_SWARM.value
    if units[unit, U.acted]:
        return Why.ACTED.value
    cell = cell_of(board, to)
    if cell == NOBODY:
        return Why.OFF_THE_MAP.value
    swarm = units[unit, U.swarm]
    if not is_beside(board, units[swarm, U.cell], cell):
        return Why.NOT_ADJACENT.value
    if cells[cell, C.unit] != NOBODY or step_cost(world, cell, units[unit, U.team], 0) < 0:
        return Why.BLOCKED.value
    emit(world.events, SWARM_LEFT, units[unit, U.id], units[swarm, U.id], code_of(board, cell))
    discharge(world, unit)
    cells[cell, C.unit] = unit
    units[unit, U.cell] = cell
    units[unit, U.status] = ALONE
    units[unit, U.points] = 0
    units[unit, U.acted] = 1
    return OK
