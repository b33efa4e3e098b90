"""One turn of Hive: "Commands" in rounds, then "Victory conditions"."""

from typing import Final

from marchland.board.cells import open_tables
from marchland.core.dice import dice_of, draw
from marchland.core.events import emit
from marchland.core.orders import admit, columns
from marchland.core.reasons import CommonReason
from marchland.core.state import OVER, PLAYERS, TURN, head_of
from marchland.games.hive.rules.actions import OK, SHUFFLE, World, bury, carry_out, price_of
from marchland.games.hive.rules.events import ELIMINATED
from marchland.games.hive.rules.orders import DIRECTED, VERBS
from marchland.games.hive.rules.reasons import HiveReason as Why
from marchland.games.hive.rules.sight import count_influence, spread_influence
from marchland.games.hive.rules.state import (
    BOTH,
    ENTITIES,
    FLOWERS_CARRIED,
    FLOWERS_LEFT,
    GATHERING_ONLY,
    HIVES_CHANGED,
    HIVES_ONLY,
    MOST_PLAYERS,
    NEIGHBOURS,
    READY,
    WITHOUT_CREATION,
    WITHOUT_GATHERING,
    players_of,
    rules_of,
    state_of,
    work_of,
)
from marchland.kernels import kernel

DEAD: Final = int(CommonReason.DEAD)
MALFORMED: Final = int(CommonReason.MALFORMED)
VERB_COUNT: Final = len(VERBS)

# Why a match ended, in the head's OVER slot.
LAST_STANDING: Final = 1
INFLUENCE: Final = 2
NO_PLAYER_LEFT: Final = 3
STALEMATE: Final = 4
NO_FLOWERS: Final = 5
TURN_LIMIT: Final = 6


@kernel
def turn(state, work, at, board, orders, pool, events, rules):
    board, rules, head, commands = open_tables(board), rules_of(rules), head_of(state, at), columns(orders)
    cells, players, entities = state_of(state, at)
    queue, seats, reach = work_of(work, at)
    world = World(head, cells, players, entities, board, events, rules, dice_of(head))

    admit(commands, head[PLAYERS], VERB_COUNT)
    note_the_living(players, seats.was_alive, rules)
    rounds = line_up(players, seats, queue.row, commands, rules)
    for number in range(rounds):
        play_round(world, seats, queue.row, commands, number)
    bury(head, cells, entities)
    rest(entities.acted, head[ENTITIES])
    if head[HIVES_CHANGED]:
        head[HIVES_CHANGED] = 0
        spread_influence(cells.influence, reach.nearest, entities, head[ENTITIES], reach.nearest[:0], board, rules)
        count_influence(players, cells.influence)
    mourn(players, seats.was_alive, events, rules)
    head[TURN] += 1
    head[WITHOUT_GATHERING] += 1
    head[WITHOUT_CREATION] += 1
    judge(head, players, seats.was_alive, len(cells.terrain), rules)


@kernel
def plan(state, work, at, board, orders, pool, events, rules):
    """Only pay for the orders, as far as the flowers last: what a player can order besides them."""
    commands, rules, players = columns(orders), rules_of(rules), players_of(state, at)
    admit(commands, head_of(state, at)[PLAYERS], VERB_COUNT)
    for row in range(len(commands.player)):
        if commands.reason[row] == OK:
            cost = price_of(commands.verb[row], rules)
            player = commands.player[row]
            if cost <= players.flowers[player]:
                players.flowers[player] -= cost


# ---------------------------------------------------------------- commands


@kernel
def line_up(players, seats, queue, commands, rules):
    """Read each player's orders in list order, as many as its units allow (ruling 12).

    What was not understood takes no place in line (ruling 18). Returns how many rounds the longest list makes.
    """
    place = 0
    for player in range(len(seats.read)):
        seats.first[player] = place
        seats.read[player] = 0
        seats.most[player] = rules.orders_per_unit * (players.bees[player] + players.hives[player])
        place += seats.most[player]
    rounds = 0
    for row in range(len(commands.player)):
        if commands.reason[row] != OK:
            continue
        player = commands.player[row]
        if commands.verb[row] <= DIRECTED and not 0 <= commands.b[row] < NEIGHBOURS:
            commands.reason[row] = MALFORMED
        elif players.bees[player] + players.hives[player] + players.walls[player] == 0:
            commands.reason[row] = DEAD
        elif seats.read[player] == seats.most[player]:
            commands.reason[row] = Why.TOO_MANY_ORDERS.value
        else:
            queue[seats.first[player] + seats.read[player]] = row
            seats.read[player] += 1
            rounds = max(rounds, seats.read[player])
    return rounds


@kernel
def play_round(world, seats, queue, commands, number):
    """The players' orders of this number are "gathered, shuffled and executed in a random order"."""
    for place in range(shuffle_players(seats, world.dice, number)):
        player = seats.lot[place]
        row = queue[seats.first[player] + number]
        commands.reason[row] = carry_out(world, player, commands.verb[row], commands.a[row], commands.b[row])


@kernel
def shuffle_players(seats, dice, number):
    """Put the players who have an order of this number into a random order; returns how many they are."""
    drawn = 0
    for player in range(len(seats.read)):
        if number < seats.read[player]:
            seats.lot[drawn] = player
            drawn += 1
    for place in range(drawn - 1, 0, -1):
        other = draw(dice, SHUFFLE, number * MOST_PLAYERS + place, place + 1)
        seats.lot[place], seats.lot[other] = seats.lot[other], seats.lot[place]
    return drawn


@kernel
def execution_order(state, work, at, orders, rules, rows):
    """Write the rows of the orders to ``rows`` as `turn` would execute them; returns how many take a place."""
    head = head_of(state, at)
    queue, seats, _ = work_of(work, at)
    commands = columns(orders)
    admit(commands, head[PLAYERS], VERB_COUNT)
    rounds = line_up(players_of(state, at), seats, queue.row, commands, rules_of(rules))
    executed = 0
    for number in range(rounds):
        for place in range(shuffle_players(seats, dice_of(head), number)):
            rows[executed] = queue.row[seats.first[seats.lot[place]] + number]
            executed += 1
    return executed


@kernel
def rest(acted, count):
    """Every unit may act again next turn."""
    for row in range(count):
        acted[row] = READY


# ---------------------------------------------------------------- victory conditions


@kernel
def is_alive(players, player, rules):
    """Rulings 4 and 20."""
    if rules.elimination == HIVES_ONLY:
        return players.hives[player] > 0
    return players.bees[player] + players.hives[player] + players.walls[player] > 0


@kernel
def note_the_living(players, was_alive, rules):
    for player in range(len(was_alive)):
        was_alive[player] = is_alive(players, player, rules)


@kernel
def mourn(players, was_alive, events, rules):
    for player in range(len(was_alive)):
        if was_alive[player] and not is_alive(players, player, rules):
            emit(events, ELIMINATED, player)


@kernel
def judge(head, players, was_alive, cells, rules):
    """End the match by the first cause in the order of ruling 22; note which players rank first (ruling 23)."""
    contends = players.contends
    alive = 0
    for player in range(len(contends)):
        alive += is_alive(players, player, rules)
    alone = rules.last_standing and len(contends) > 1 and alive == 1  # ruling 5
    winners = 0
    for player in range(len(contends)):
        has_land = rules.influence_wins and 100 * players.influence[player] > rules.influence_percent * cells
        contends[player] = is_alive(players, player, rules) and (alone or has_land)
        winners += contends[player]
    if winners > 0:
        head[OVER] = LAST_STANDING if alone else INFLUENCE
    elif alive == 0:  # rulings 6, 21
        head[OVER] = NO_PLAYER_LEFT
        for player in range(len(contends)):
            contends[player] = was_alive[player]
    else:
        if is_stalemate(head, rules):
            head[OVER] = STALEMATE
        elif rules.end_without_flowers and head[FLOWERS_LEFT] + head[FLOWERS_CARRIED] == 0:
            head[OVER] = NO_FLOWERS
        elif head[TURN] >= rules.max_turn:
            head[OVER] = TURN_LIMIT
        if head[OVER]:
            for player in range(len(contends)):
                contends[player] = is_alive(players, player, rules)


@kernel
def is_stalemate(head, rules):
    """Ruling 3."""
    no_flowers = head[WITHOUT_GATHERING] >= rules.stalemate_turns
    no_entities = head[WITHOUT_CREATION] >= rules.stalemate_turns
    if rules.stalemate == GATHERING_ONLY:
        return no_flowers
    if rules.stalemate == BOTH:
        return no_flowers and no_entities
    return no_flowers or no_entities
