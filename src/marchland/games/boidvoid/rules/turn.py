"""A BoidVoid turn: queued actions in rounds, then turn end and turn start (ruling 18); and one immediate action."""

from typing import Final

from marchland.core.orders import HOST_PLAYER, admit, columns
from marchland.core.reasons import CommonReason
from marchland.core.state import OVER, PLAYERS, SEQ, TURN
from marchland.games.boidvoid.rules.actions import apply_action
from marchland.games.boidvoid.rules.automode import move_ships_on_automode
from marchland.games.boidvoid.rules.capture_build import advance_captures_and_builds
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    B_POINTS,
    FRESH,
    HUNDREDTHS,
    IN_SWARM,
    LOCKED,
    NO_UNIT,
    POINTS,
    RECOVERY,
    SHIPS_AT,
    SWARMS_AT,
    TEAMS,
    UNITS,
    WAITING,
)
from marchland.games.boidvoid.rules.equipment import expire_boosts
from marchland.games.boidvoid.rules.host_orders import DOMINATION, TURN_LIMIT, apply_host_order
from marchland.games.boidvoid.rules.npcs import act_npcs
from marchland.games.boidvoid.rules.order_queue import queue_orders, shuffle_players
from marchland.games.boidvoid.rules.orders import PLAYER_VERBS, VERBS
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import C, L, T, U, queue_of
from marchland.games.boidvoid.rules.swarms import finish_joins
from marchland.games.boidvoid.rules.units import bonus_at, full_battery, place_of, stat_of
from marchland.games.boidvoid.rules.world import (
    cells_in,
    head_in,
    lineup_in,
    open_world,
    rules_in,
    teams_in,
    units_in,
)
from marchland.kernels import kernel

MALFORMED: Final = int(CommonReason.MALFORMED)
NO_SUCH_PLAYER: Final = int(CommonReason.NO_SUCH_PLAYER)
PLAYER_VERB_COUNT: Final = len(PLAYER_VERBS)
VERB_COUNT: Final = len(VERBS)


@kernel
def turn(state, work, at, board, orders, pool, events, rules):
    world = open_world(state, work, at, board, events, rules)
    head = head_in(world)
    lineup = lineup_in(world)
    queue = queue_of(work, at).row
    commands = columns(orders)
    words = pool
    admit(commands, head[PLAYERS], PLAYER_VERB_COUNT)
    rounds = queue_orders(world, queue, commands)
    for number in range(rounds):
        for place in range(shuffle_players(world, number)):
            player = lineup[place, L.player]
            row = queue[player * rules_in(world).orders_limit + number]
            reason = apply_action(
                world, words, player, commands.verb[row], commands.a[row], commands.b[row], commands.c[row]
            )
            commands.reason[row] = reason
    # Turn end
    advance_captures_and_builds(world)
    move_ships_on_automode(world)
    act_npcs(world)
    count_down_respawns_and_boosts(world)
    # Turn start
    head[TURN] += 1
    head[SEQ] = 0
    head[LOCKED] = 0
    recharge(world)
    finish_joins(world)
    refresh_action_flags(world)
    check_end(world)


@kernel
def act(state, work, at, board, orders, pool, events, rules):
    """Orders at once: one of a player, or any number of the host's."""
    world = open_world(state, work, at, board, events, rules)
    command = columns(orders)
    for row in range(len(command.player)):
        command.reason[row] = act_at_once(
            world, pool, command.player[row], command.verb[row], command.a[row], command.b[row], command.c[row]
        )


@kernel
def act_at_once(world, pool, player, verb, a, b, c):
    head = head_in(world)
    is_host_verb = PLAYER_VERB_COUNT < verb <= VERB_COUNT
    if player == HOST_PLAYER:
        return apply_host_order(world, verb, a, b, c) if is_host_verb else MALFORMED
    if player < 0 or player >= head[PLAYERS]:
        return NO_SUCH_PLAYER
    if verb < 1 or verb > PLAYER_VERB_COUNT:
        return Why.HOST_ONLY.value if is_host_verb else MALFORMED
    if head[LOCKED]:
        return Why.LOCKED.value
    return apply_action(world, pool, player, verb, a, b, c)


# ---------------------------------------------------------------- turn end


@kernel
def count_down_respawns_and_boosts(world):
    """ "decrease the number of turns required to respawn"; boosts run out with them."""
    head = head_in(world)
    units = units_in(world)
    for unit in range(head[SWARMS_AT]):
        if units[unit, U.status] == WAITING and units[unit, U.wait] > 0 and units[unit, U.acted] != FRESH:
            units[unit, U.wait] -= 1
    expire_boosts(world)


# ---------------------------------------------------------------- turn start


@kernel
def recharge(world):
    """Action points (ruling 5) and batteries; a unit that waits to spawn gets neither (ruling 9)."""
    head = head_in(world)
    units = units_in(world)
    rules = rules_in(world)
    for unit in range(head[SWARMS_AT]):
        is_npc = head[TEAMS] <= unit < head[SHIPS_AT]
        if is_npc or (units[unit, U.status] != ALONE and units[unit, U.status] != IN_SWARM):
            continue
        gained = rules.action_points + stat_of(world, unit, POINTS)
        gained += bonus_at(world, place_of(world, unit), B_POINTS, units[unit, U.team], NO_UNIT, False)
        units[unit, U.points] = max(min(units[unit, U.points] + gained, rules.action_points_max), 0)
        if unit >= head[SHIPS_AT]:
            charge = units[unit, U.battery] + (rules.battery_recharge + stat_of(world, unit, RECOVERY)) * HUNDREDTHS
            units[unit, U.battery] = max(min(charge, full_battery(world, unit)), 0)


@kernel
def refresh_action_flags(world):
    head = head_in(world)
    units = units_in(world)
    for unit in range(head[UNITS]):
        units[unit, U.acted] = 0


@kernel
def check_end(world):
    """One team owns every tile that can be owned, or the last turn is over (ruling 22)."""
    head = head_in(world)
    cells = cells_in(world)
    teams = teams_in(world)
    rules = rules_in(world)
    open_tiles = 0
    for cell in range(len(cells)):
        open_tiles += 1 - cells[cell, C.obstacle]
    for team in range(head[TEAMS]):
        if rules.end_on_domination and teams[team, T.tiles] >= open_tiles:
            head[OVER] = DOMINATION
    if head[OVER] == 0 and rules.turn_limit > 0 and head[TURN] > rules.turn_limit:
        head[OVER] = TURN_LIMIT
