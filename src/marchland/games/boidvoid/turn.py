"""A BoidVoid turn: queued actions in rounds, then turn end and turn start (ruling 18); and one immediate action."""

from typing import Final

from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.kernel import borrowed, inlined, kernel
from marchland.core.orders import HOST, admit, code_of, columns
from marchland.core.reasons import Common
from marchland.core.state import OVER, PLAYERS, SEQ, TURN
from marchland.games.boidvoid.actions import end_task, obey
from marchland.games.boidvoid.automode import move_ships_on_automode
from marchland.games.boidvoid.equipment import add_traits, run_out
from marchland.games.boidvoid.happenings import BUILT, CAPTURED, JOIN_FAILED
from marchland.games.boidvoid.host import DOMINATION, TURN_LIMIT, listen
from marchland.games.boidvoid.movement import destinations
from marchland.games.boidvoid.npcs import npcs_act
from marchland.games.boidvoid.orders import PLAYER_VERBS, VERBS
from marchland.games.boidvoid.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.state import (
    ALONE,
    B_POINTS,
    BUILDING,
    CAPTURING,
    HUNDREDTHS,
    IN_SWARM,
    JOINING,
    LOCKED,
    NOBODY,
    POINTS,
    RECOVERY,
    SHIPS_AT,
    STRUCTURES_AT,
    SWARMS_AT,
    TEAMS,
    UNITS,
    WAITING,
    C,
    L,
    N,
    P,
    T,
    U,
    queue_of,
)
from marchland.games.boidvoid.state import BUILT as IS_BUILT
from marchland.games.boidvoid.swarms import FRESH, enlist
from marchland.games.boidvoid.world import (
    OK,
    SHUFFLE,
    board_in,
    bonus_at,
    cells_in,
    dice_in,
    full_battery,
    full_health,
    head_in,
    is_beside,
    items_in,
    lineup_in,
    open_world,
    place_of,
    players_in,
    row_of,
    rules_in,
    stat_of,
    teams_in,
    units_in,
)

MALFORMED: Final = int(Common.MALFORMED)
NO_SUCH_PLAYER: Final = int(Common.NO_SUCH_PLAYER)
PLAYER_VERB_COUNT: Final = len(PLAYER_VERBS)
VERB_COUNT: Final = len(VERBS)
_PLACES: Final = 1 << 20


@kernel
def turn(state, work, at, board, orders, pool, events, rules):
    world = open_world(state, work, at, board, events, rules)
    head = head_in(world)
    lineup = lineup_in(world)
    queue = queue_of(work, at).row
    commands = columns(orders)
    admit(commands, head[PLAYERS], PLAYER_VERB_COUNT)
    rounds = line_up(world, queue, commands)
    for number in range(rounds):
        drawn = shuffle(world, number)
        for place in range(drawn):
            player = lineup[place, L.lot] + 0
            row = queue[player * rules_in(world).orders_limit + number]
            commands.reason[row] = obey(
                state,
                work,
                at,
                board,
                borrowed(pool),
                events,
                rules,
                player,
                commands.verb[row],
                commands.a[row],
                commands.b[row],
                commands.c[row],
            )
    # Turn end
    captures_and_builds(world)
    move_ships_on_automode(world)
    npcs_act(world, state, work, at, board, events, rules)
    count_down(world)
    # Turn start
    head[TURN] += 1
    head[SEQ] = 0
    head[LOCKED] = 0
    recharge(world)
    joins(world)
    refresh_action_flags(world)
    finish(world)


@kernel
def act(state, work, at, board, orders, pool, events, rules):
    """One order at once, a player's or the host's."""
    world = open_world(state, work, at, board, events, rules)
    head = head_in(world)
    command = columns(orders)
    player = command.player[0]
    verb = command.verb[0]
    told = PLAYER_VERB_COUNT < verb <= VERB_COUNT
    if player == HOST:
        command.reason[0] = listen(world, verb, command.a[0], command.b[0], command.c[0]) if told else MALFORMED
    elif player < 0 or player >= head[PLAYERS]:
        command.reason[0] = NO_SUCH_PLAYER
    elif verb < 1 or verb > PLAYER_VERB_COUNT:
        command.reason[0] = Why.HOST_ONLY.value if told else MALFORMED
    elif head[LOCKED]:
        command.reason[0] = Why.LOCKED.value
    else:
        command.reason[0] = obey(
            state,
            work,
            at,
            board,
            borrowed(pool),
            events,
            rules,
            player,
            verb,
            command.a[0],
            command.b[0],
            command.c[0],
        )


@kernel
def ways(state, work, at, board, events, rules, unit, cells, costs, parents):
    """`destinations`, for Python."""
    return destinations(open_world(state, work, at, board, events, rules), unit, cells, costs, parents)


# ---------------------------------------------------------------- queued actions


@kernel
def line_up(world, queue, commands):
    """Each player's actions in the order given, as many as are read; returns how many rounds the longest list makes."""
    head = head_in(world)
    lineup = lineup_in(world)
    rules = rules_in(world)
    limit = rules.orders_limit
    for player in range(head[PLAYERS]):
        lineup[player, L.read] = 0
    rounds = 0
    for row in range(len(commands.player)):
        if commands.reason[row] != OK:
            continue
        player = commands.player[row]
        if lineup[player, L.read] == limit:
            commands.reason[row] = Why.TOO_MANY_ORDERS.value
        else:
            queue[player * limit + lineup[player, L.read]] = row
            lineup[player, L.read] += 1
            rounds = max(rounds, lineup[player, L.read])
    return rounds


@kernel
def shuffle(world, number):
    """The players who have an action of this number, by lot; returns how many."""
    head = head_in(world)
    lineup = lineup_in(world)
    dice = dice_in(world)
    drawn = 0
    for player in range(head[PLAYERS]):
        if number < lineup[player, L.read]:
            lineup[drawn, L.lot] = player
            drawn += 1
    for place in range(drawn - 1, 0, -1):
        other = draw(dice, SHUFFLE, number * _PLACES + place, place + 1)
        lineup[place, L.lot], lineup[other, L.lot] = lineup[other, L.lot], lineup[place, L.lot]
    return drawn


# ---------------------------------------------------------------- turn end


@kernel
def captures_and_builds(world):
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
                    take_tile(world, ship)
                else:
                    raise_structure(world, ship)
                end_task(units, ship)


@kernel
def take_tile(world, ship):
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
    if former != NOBODY:
        teams[former, T.tiles] -= 1
        teams[former, T.points] -= has_point
    cells[cell, C.owner] = team
    teams[team, T.tiles] += 1
    teams[team, T.points] += has_point
    players[player, P.tiles] += 1
    players[player, P.points] += has_point
    emit(world.events, CAPTURED, units[ship, U.id], code_of(board, cell), team, former)


@kernel
def raise_structure(world, ship):
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


@kernel
def count_down(world):
    """ "decrease the number of turns required to respawn"; boosts run out with them."""
    head = head_in(world)
    units = units_in(world)
    for unit in range(head[SWARMS_AT]):
        if units[unit, U.status] == WAITING and units[unit, U.wait] > 0 and units[unit, U.acted] != FRESH:
            units[unit, U.wait] -= 1
    run_out(world)


# ---------------------------------------------------------------- turn start


@kernel
def recharge(world):
    """Action points (ruling 5) and batteries; who waits to spawn gets neither (ruling 9)."""
    head = head_in(world)
    units = units_in(world)
    rules = rules_in(world)
    for unit in range(head[SWARMS_AT]):
        is_npc = head[TEAMS] <= unit < head[SHIPS_AT]
        if is_npc or (units[unit, U.status] != ALONE and units[unit, U.status] != IN_SWARM):
            continue
        gained = rules.action_points + stat_of(world, unit, POINTS)
        gained += bonus_at(world, place_of(world, unit), B_POINTS, units[unit, U.team], NOBODY, False)
        units[unit, U.points] = max(min(units[unit, U.points] + gained, rules.action_points_max), 0)
        if unit >= head[SHIPS_AT]:
            charge = units[unit, U.battery] + (rules.battery_recharge + stat_of(world, unit, RECOVERY)) * HUNDREDTHS
            units[unit, U.battery] = max(min(charge, full_battery(world, unit)), 0)


@kernel
def joins(world):
    """Ships that waited their Swarm Join Turns; one that is no longer next to the swarm fails (ruling 11)."""
    head = head_in(world)
    units = units_in(world)
    board = board_in(world)
    for ship in range(head[SHIPS_AT], head[SWARMS_AT]):
        if units[ship, U.task] != JOINING:
            continue
        units[ship, U.wait] -= 1
        if units[ship, U.wait] > 0:
            continue
        name = units[ship, U.aim]
        swarm = row_of(world, name)
        end_task(units, ship)
        if swarm != NOBODY and is_beside(board, units[ship, U.cell], units[swarm, U.cell]):
            enlist(world, swarm, ship)
        else:
            emit(world.events, JOIN_FAILED, units[ship, U.id], name)


@inlined
def refresh_action_flags(world):
    head = head_in(world)
    units = units_in(world)
    for unit in range(head[UNITS]):
        units[unit, U.acted] = 0


@kernel
def finish(world):
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
