"""Battles on edges and on tiles (rulings 5 to 9).

Nothing here changes a tile: what comes of a battle is noted and done when all have been fought, so their order does not
matter.
"""

from typing import Final

from marchland.board.tables import DEGREE
from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import NO_CELL, code_of
from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.events import BATTLE, DREW_LOTS, FORCE, KILLED, MOVED, ROLL, WON
from marchland.games.enova.rules.state import DEFENDING, MOVING, SUPPORTING
from marchland.kernels import kernel

ON_A_TILE: Final = 0
ON_AN_EDGE: Final = 1

_DRAWS: Final = 1 << 32
_LOTS: Final = 1 << 20  # so many that two parties hardly ever draw the same


@kernel
def edge_battles(cells, players, plans, ordered, planned, groups, parties, board, dice, events, rules):
    """Forces of two players that would swap tiles meet on the way (ruling 6). Returns the battles and who lost."""
    degree = board.shape[DEGREE]
    battles = 0
    lost = 0
    for place in range(planned):
        cell = ordered.cell[place]
        direction = plans.doing[cell] - MOVING
        if direction < 0:
            continue
        other = board.neighbours[cell * degree + direction]
        if other < cell or plans.doing[other] != MOVING + opposite(direction, degree):
            continue
        if cells.owner[cell] == cells.owner[other]:
            continue
        battles += 1
        join_battle(parties, 0, cells.owner[cell], ordered.going[place], 0, code_of(board, cell))
        join_battle(parties, 1, cells.owner[other], ordered.going[plans.order[other] - 1], 0, code_of(board, other))
        parties.support[0] = support_for(cells, plans, board, cells.owner[cell], other)
        parties.support[1] = support_for(cells, plans, board, cells.owner[other], cell)
        winner = fight(parties, 2, NO_PLAYER, ON_AN_EDGE, battles, dice, rules.variance_percent, events)
        loser = other if winner == 0 else cell
        ordered.going[plans.order[loser] - 1] = 0
        lost = defeat(players, groups, lost, parties, 1 - winner, loser, battles, board, events, rules)
    return battles, lost


@kernel
def tile_battles(
    cells, players, plans, ordered, entered, marches, groups, lost, battles, parties, board, dice, events, rules
):
    """All who are on a tile, come to it, or support it as its owner fight for it (ruling 7).

    Notes whose the tile will be; returns how many forces have lost so far.
    """
    for place in range(marches):
        cell = entered.cell[place]
        owner = cells.owner[cell]
        count, attacked = gather(cells, plans, ordered, parties, board, cell, events)
        empty = attacked and owner != NO_PLAYER and parties.units[0] == 0
        if empty and support_for(cells, plans, board, owner, cell) == 0:  # no unit defends it
            count -= 1
            replace(parties, 0, count)
        if count == 0:  # all who came were stopped on the way
            entered.owner[place] = NO_PLAYER
            entered.units[place] = 0
            continue
        winner = 0
        if count > 1:
            battles += 1
            for party in range(count):
                parties.place[party] = code_of(board, cell)
                parties.support[party] = support_for(cells, plans, board, parties.player[party], cell)
            winner = fight(parties, count, owner, ON_A_TILE, battles, dice, rules.variance_percent, events)
            for party in range(count):
                if party != winner:
                    lost = defeat(players, groups, lost, parties, party, cell, battles, board, events, rules)
        entered.owner[place] = parties.player[winner]
        entered.units[place] = parties.units[winner]
    return lost


@kernel
def gather(cells, plans, ordered, parties, board, cell, events):
    """The owner first, then arrivals by direction, each player's as one force; and whether the tile is attacked."""
    degree = board.shape[DEGREE]
    owner = cells.owner[cell]
    count = 0
    attacked = False
    if owner != NO_PLAYER:
        held = cells.units[cell]
        join_battle(parties, 0, owner, held, held if plans.doing[cell] == DEFENDING else 0, NO_CELL)
        count = 1
    for direction in range(degree):
        source = board.neighbours[cell * degree + direction]
        if source < 0 or plans.doing[source] != MOVING + opposite(direction, degree):
            continue
        units = ordered.going[plans.order[source] - 1]
        if units == 0:  # it was beaten on the way
            continue
        player = cells.owner[source]
        if len(events) > 1:  # a tile's code takes time to compute
            emit(events, MOVED, code_of(board, source), code_of(board, cell), player, units)
        attacked = attacked or player != owner
        party = 0
        while party < count and parties.player[party] != player:
            party += 1
        if party == count:
            join_battle(parties, party, player, 0, 0, NO_CELL)
            count += 1
        parties.units[party] += units
    return count, attacked


@kernel
def opposite(direction, degree):
    return (direction + degree // 2) % degree


@kernel
def join_battle(parties, party, player, units, defence, place):
    parties.player[party] = player
    parties.units[party] = units
    parties.support[party] = 0
    parties.defence[party] = defence
    parties.place[party] = place


@kernel
def replace(parties, party, other):
    parties.player[party] = parties.player[other]
    parties.units[party] = parties.units[other]
    parties.support[party] = parties.support[other]
    parties.defence[party] = parties.defence[other]
    parties.place[party] = parties.place[other]


@kernel
def support_for(cells, plans, board, player, cell):
    """The player's supporting units on the tiles next to ``cell`` (ruling 5)."""
    degree = board.shape[DEGREE]
    support = 0
    for way in range(cell * degree, cell * degree + degree):
        neighbour = board.neighbours[way]
        if neighbour >= 0 and plans.doing[neighbour] == SUPPORTING and cells.owner[neighbour] == player:
            support += cells.units[neighbour]
    return support


@kernel
def fight(parties, count, holder, where, battle, dice, variance_percent, events):
    """The place of the party with the highest score (ruling 8); ``holder`` is the tile's owner."""
    strength = 0
    for party in range(count):
        strength += parties.units[party] + parties.support[party] + parties.defence[party]
        parties.tied[party] = 1
    variance = max(1, strength * variance_percent // 100)
    against = parties.place[1] if where == ON_AN_EDGE else NO_CELL
    emit(events, BATTLE, battle, parties.place[0], against, variance, count)
    for party in range(count):
        emit(
            events,
            FORCE,
            battle,
            parties.player[party],
            parties.units[party],
            parties.support[party],
            parties.defence[party],
        )
    attempt = 0
    while True:
        highest = 0
        for party in range(count):
            if parties.tied[party]:
                player = parties.player[party]
                # Ruling 23
                die = 1 + draw(dice, parties.place[party], (2 * player + where) * _DRAWS + attempt, variance)
                parties.score[party] = parties.units[party] + parties.support[party] + parties.defence[party] + die
                highest = max(highest, parties.score[party])
                emit(events, ROLL, battle, player, attempt, die, parties.score[party])
        leader = -1
        leaders = 0
        for party in range(count):
            if parties.tied[party] and parties.score[party] == highest:
                leader = party
                leaders += 1
            else:
                parties.tied[party] = 0
        if leaders > 1 and variance == 1:  # no chance left: the owner holds, else one fair draw
            leader = holder_among(parties, count, holder)
            if leader < 0:
                leader = draw_lots(parties, count, where, dice)
                emit(events, DREW_LOTS, battle, parties.player[leader], parties.place[leader], leaders)
            leaders = 1
        if leaders == 1:
            emit(events, WON, battle, parties.player[leader], parties.place[leader], parties.units[leader])
            return leader
        attempt += 1  # the tied repeat their whole score (ruling 16)


@kernel
def holder_among(parties, count, holder):
    """The place of the tile's owner among the tied, or -1."""
    for party in range(count):
        if parties.tied[party] and parties.player[party] == holder:
            return party
    return -1


@kernel
def draw_lots(parties, count, where, dice):
    """The place of the tied party with the highest lot; where two have it, all draw again. Lots are no scores."""
    leader = -1
    attempt = 0
    while leader < 0:
        attempt += 1
        highest = -1
        for party in range(count):
            if parties.tied[party]:
                number = (2 * parties.player[party] + where) * _DRAWS + attempt
                lot = draw(dice, parties.place[party], number, _LOTS)
                if lot > highest:
                    highest = lot
                    leader = party
                elif lot == highest:
                    leader = -1
    return leader


@kernel
def defeat(players, groups, lost, parties, party, cell, battle, board, events, rules):
    """Half of a losing party, rounded down, is killed; the rest must retreat from ``cell`` (rulings 9, 18)."""
    units = parties.units[party]
    player = parties.player[party]
    killed = units * rules.killed_percent // 100
    if units == 1 and rules.single_unit_dies:  # ruling 25
        killed = 1
    if killed > 0:
        players.units[player] -= killed
        if len(events) > 1:
            emit(events, KILLED, battle, player, code_of(board, cell), killed)
    if units > killed:
        groups.cell[lost] = cell
        groups.player[lost] = player
        groups.battle[lost] = battle
        groups.units[lost] = units - killed
        lost += 1
    return lost
