"""Where the beaten go (ruling 10). One snapshot, after all battles, for all of them."""

from typing import Final

from marchland.board.tables import DEGREE
from marchland.core.dice import draw
from marchland.core.events import emit
from marchland.core.orders import code_of
from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.captures import capture
from marchland.games.enova.rules.events import RETREATED, ROUTED
from marchland.games.enova.rules.terrain import IMPASSABLE
from marchland.kernels import kernel

DISPUTED: Final = -1


@kernel
def retreat(cells, players, plans, groups, lost, claimed, board, dice, events):
    """Every group finds its safe tiles, and spreads evenly over those that no other player's group would take."""
    claims = 0
    for group in range(lost):
        claims = claim(cells, plans, groups, group, claimed, claims, board)
    for group in range(lost):
        if can_go_back(cells, groups, group):
            home = groups.cell[group]
            cells.units[home] += groups.units[group]
            report(board, groups, group, home, groups.units[group], events)
        else:
            spread(cells, players, plans, groups, group, board, dice, events)
    for place in range(claims):
        cell = claimed.cell[place]
        if cells.units[cell] > 0:
            capture(cells, players, board, cell, plans.claim[cell] - 1, events)
        plans.claim[cell] = 0


@kernel
def can_go_back(cells, groups, group):
    """A party that lost on an edge goes back to the tile it came from, if it still owns that.

    A tile that was lost in battle is the winner's, so no loser still owns the tile that it must leave.
    """
    return cells.owner[groups.cell[group]] == groups.player[group]


@kernel
def claim(cells, plans, groups, group, claimed, claims, board):
    """An unowned tile that groups of two players would take is safe for neither (ruling 19)."""
    if can_go_back(cells, groups, group):
        return claims
    degree = board.shape[DEGREE]
    mine = 1 + groups.player[group]
    for way in range(groups.cell[group] * degree, (groups.cell[group] + 1) * degree):
        cell = board.neighbours[way]
        if cell >= 0 and cells.owner[cell] == NO_PLAYER and cells.terrain[cell] != IMPASSABLE:
            if plans.claim[cell] == 0:
                claimed.cell[claims] = cell
                claims += 1
                plans.claim[cell] = mine
            elif plans.claim[cell] != mine:
                plans.claim[cell] = DISPUTED
    return claims


@kernel
def spread(cells, players, plans, groups, group, board, dice, events):
    """Evenly, the remainder one each to friendly tiles first, drawn among equals; without a safe tile: routed."""
    degree = board.shape[DEGREE]
    player = groups.player[group]
    units = groups.units[group]
    source = code_of(board, groups.cell[group])
    first = groups.cell[group] * degree
    friendly = 0
    unowned = 0
    for way in range(first, first + degree):
        cell = board.neighbours[way]
        if cell >= 0:
            friendly += cells.owner[cell] == player
            unowned += plans.claim[cell] == 1 + player
    if friendly + unowned == 0:
        players.units[player] -= units
        emit(events, ROUTED, groups.battle[group], player, source, units)
        return
    share = units // (friendly + unowned)
    remainder = units % (friendly + unowned)
    for is_unowned in range(2):
        equals = unowned if is_unowned else friendly
        for way in range(first, first + degree):
            cell = board.neighbours[way]
            if cell < 0 or not (plans.claim[cell] == 1 + player if is_unowned else cells.owner[cell] == player):
                continue
            # Ruling 23; battles number their draws from 0 up, retreats from -1 down.
            sent = share + (draw(dice, source, -1 - player * degree - (way - first), equals) < remainder)
            remainder -= sent - share
            equals -= 1
            if sent > 0:
                cells.units[cell] += sent
                report(board, groups, group, cell, sent, events)


@kernel
def report(board, groups, group, cell, units, events):
    if len(events) > 1:
        source = code_of(board, groups.cell[group])
        emit(events, RETREATED, groups.battle[group], groups.player[group], source, code_of(board, cell), units)
