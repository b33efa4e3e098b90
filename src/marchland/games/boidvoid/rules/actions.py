"""What a player's action does, one at a time and at once. Compiled.

Unit and right, then the unit's state, then the rest: the first thing that is wrong is the reason.
"""

from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.games.boidvoid.rules.automode import set_automode
from marchland.games.boidvoid.rules.capture_build import begin_build, begin_capture, cancel_task
from marchland.games.boidvoid.rules.combat import fight
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    IDLE,
    IN_SWARM,
    MOTHERSHIP,
    NO_UNIT,
    SHIP,
    SHIPS_AT,
    SWARM,
    TROOPER,
    WAITING,
)
from marchland.games.boidvoid.rules.damage import destroy_unit
from marchland.games.boidvoid.rules.equipment import begin_boost, equip, stack_nft
from marchland.games.boidvoid.rules.events import (
    DETONATED,
    RATIO_SET,
)
from marchland.games.boidvoid.rules.movement import move
from marchland.games.boidvoid.rules.orders import (
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
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.spawning import spawn
from marchland.games.boidvoid.rules.state import P, U
from marchland.games.boidvoid.rules.swarms import create_swarm, join_swarm, leave_swarm
from marchland.games.boidvoid.rules.units import first_ship, next_ship, row_of
from marchland.games.boidvoid.rules.world import OK, board_in, head_in, players_in, units_in
from marchland.kernels import kernel


@kernel
def apply_action(world, pool, player, verb, a, b, c):
    """Apply one action of a player; returns its result. A refused action changes nothing."""
    head = head_in(world)
    units = units_in(world)
    ship = head[SHIPS_AT] + player
    if verb == BATTERY:
        return set_ratio(world, ship, a)
    if verb == AUTOMODE:
        return set_automode(world, pool, player, a, b)
    if verb == STACK:
        return stack_nft(world, player, a, b, c)
    if verb == BOOST:
        return begin_boost(world, player, a, b, c)
    unit = row_of(world, a)
    why = check_command(world, player, unit)
    if why != OK:
        return why
    if verb == EQUIP:
        return equip(world, player, unit, b)
    if verb == CANCEL:
        return cancel_task(world, unit)
    if verb == SPAWN:
        return spawn(world, unit, b)
    if units[unit, U.status] == WAITING:
        return Why.NOT_ON_THE_MAP.value
    if verb == LEAVE:
        return leave_swarm(world, unit, b)
    if units[unit, U.status] == IN_SWARM:
        return Why.IN_A_SWARM.value
    if units[unit, U.task] != IDLE:  # "Starting a capture locks all other actions."
        return Why.BUSY.value
    if verb == MOVE:
        return move(world, pool, unit, b, c)
    if units[unit, U.acted]:  # ruling 6
        return Why.ACTED.value
    if verb == DETONATE:
        return detonate(world, unit)
    if verb == ATTACK:
        return attack(world, player, unit, b)
    if units[unit, U.kind] != SHIP:
        return Why.WRONG_KIND.value
    if verb == CAPTURE:
        return begin_capture(world, unit)
    if verb == BUILD:
        return begin_build(world, player, unit, b)
    if verb == CREATE:
        return create_swarm(world, pool, unit, b)
    return join_swarm(world, unit, b)


@kernel
def check_command(world, player, unit):
    """A ship obeys its player, swarms and motherships the leader and the vice-leader of their team (ruling 23)."""
    head = head_in(world)
    players = players_in(world)
    units = units_in(world)
    if unit == NO_UNIT:
        return Why.NO_SUCH_UNIT.value
    kind = units[unit, U.kind]
    if kind == SHIP:
        return OK if unit == head[SHIPS_AT] + player else Why.NOT_YOUR_UNIT.value
    if kind != SWARM and kind != MOTHERSHIP:
        return Why.NOT_YOUR_UNIT.value
    if units[unit, U.team] != players[player, P.team]:
        return Why.OTHER_TEAM.value
    return Why.LEADERS_ONLY.value if players[player, P.role] == TROOPER else OK


@kernel
def set_ratio(world, ship, attack):
    """ "The player can change the Boid battery's value to increase the attack and decrease the defense" (ruling 12)."""
    units = units_in(world)
    if attack < 0 or attack > 100:
        return Why.BAD_RATIO.value
    units[ship, U.ratio] = attack
    emit(world.events, RATIO_SET, units[ship, U.id], attack)
    return OK


@kernel
def detonate(world, unit):
    """ "The player can destroy their own ship"; a swarm goes with all its ships (ruling 10)."""
    units = units_in(world)
    where = code_of(board_in(world), units[unit, U.cell])
    emit(world.events, DETONATED, units[unit, U.id], where)
    ship = first_ship(units, unit)
    while ship != NO_UNIT:
        following = next_ship(units, unit, ship)
        destroy_unit(world, ship, NO_UNIT, where)
        ship = following
    return OK


@kernel
def attack(world, player, unit, name):
    units = units_in(world)
    target = row_of(world, name)
    if units[unit, U.kind] == MOTHERSHIP:
        return Why.WRONG_KIND.value
    if target == NO_UNIT:
        return Why.NO_SUCH_UNIT.value
    if units[target, U.team] == units[unit, U.team]:
        return Why.OWN_TEAM.value
    if units[target, U.status] == IN_SWARM:
        return Why.TARGET_IN_A_SWARM.value
    if units[target, U.status] != ALONE:
        return Why.TARGET_NOT_ON_THE_MAP.value
    why = fight(world, unit, target, player)
    if why == OK and units[unit, U.acted] == 0:  # one that fell is marked already
        units[unit, U.acted] = 1 if units[unit, U.status] == ALONE else 0
    return why
