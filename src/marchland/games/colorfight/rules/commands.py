"""Colorfight's commands, carried out and paid: seed, "Order" 1 and 2.1. Ruling 28 has the order of the checks."""

from typing import Final

from marchland.core.events import emit
from marchland.core.orders import cell_of, code_of
from marchland.core.reasons import CommonReason
from marchland.core.state import NO_PLAYER
from marchland.games.colorfight.rules.events import BUILT, UPGRADED
from marchland.games.colorfight.rules.orders import ATTACK, BUILD, UPGRADE
from marchland.games.colorfight.rules.reasons import ColorfightReason as Why
from marchland.games.colorfight.rules.state import EMPTY, FORTRESS, HOME, MINE, NEIGHBOURS, TOP_LEVEL, WELL
from marchland.kernels import kernel

OK: Final = int(CommonReason.OK)
DEAD: Final = int(CommonReason.DEAD)


@kernel
def refuse_the_dead(commands, players):
    for row in range(len(commands.player)):
        if commands.reason[row] == OK and players.dead[commands.player[row]]:
            commands.reason[row] = DEAD


@kernel
def give_commands(cells, players, sieges, attackers, purses, board, commands, events, rules):
    """Build, upgrade, attack: in this order whatever the list says, or strictly by the list (ruling 5).

    Everything is paid at once. Returns how many cells are under attack.
    """
    for player in range(len(players.energy)):
        purses.home_built[player] = 0
    sieges_laid = 0
    row = link_rows(commands, rules)
    while row < len(commands.player):
        following = commands.reason[row]
        verb = commands.verb[row]
        if verb == BUILD:
            commands.reason[row] = build(cells, players, purses, board, commands, row, events, rules)
        elif verb == UPGRADE:
            commands.reason[row] = upgrade(cells, players, board, commands, row, events, rules)
        else:
            why, sieges_laid = attack(cells, players, sieges, attackers, sieges_laid, board, commands, row, rules)
            commands.reason[row] = why
        row = following
    return sieges_laid


@kernel
def link_rows(commands, rules):
    """Link the rows in the order in which they are carried out; return the first.

    Until a row is carried out, its reason holds the row that follows it, and the number of rows at the end. Players mix
    their verbs, so three loops that skip the rows of other verbs would jump where no processor can predict it.
    """
    rows = len(commands.player)
    first = rows
    for phase in range(1 if rules.list_order else 3):
        due = ATTACK if phase == 0 else UPGRADE if phase == 1 else BUILD  # backward, as is each list
        for place in range(rows):
            row = rows - 1 - place
            reason = commands.reason[row]
            is_due = (reason == OK) & ((commands.verb[row] == due) | (rules.list_order != 0))
            commands.reason[row] = first if is_due else reason
            first = row if is_due else first
    return first


@kernel
def build(cells, players, purses, board, commands, row, events, rules):
    player = commands.player[row]
    cell = cell_of(board, commands.a[row])
    kind = commands.b[row]
    if cell < 0:
        return Why.OFF_THE_MAP.value
    if cells.owner[cell] != player:
        return Why.NOT_YOURS.value
    if cells.building[cell] != EMPTY:
        return Why.OCCUPIED.value
    if kind < 0 or kind >= FORTRESS:
        return Why.NO_SUCH_BUILDING.value
    building = kind + 1
    if players.energy[player] < 0 and not rules.indebted_builds:  # ruling 12
        return Why.NOT_ENOUGH_ENERGY.value
    if building == HOME:
        price = rules.home_gold
    elif building == WELL:
        price = rules.well_gold
    elif building == MINE:
        price = rules.mine_gold
    else:
        price = rules.fortress_gold
    if players.gold[player] < price:
        return Why.NOT_ENOUGH_GOLD.value
    # Ruling 6: the tech level at the turn's start decides; a Home built this turn opens buildings next turn.
    if building == HOME and (players.tech_level[player] > 0 or purses.home_built[player]):
        return Why.ONE_HOME.value
    if building != HOME and players.tech_level[player] == 0:
        return Why.HOME_FIRST.value
    players.gold[player] -= price
    cells.building[cell] = building
    cells.level[cell] = 1
    if building == HOME:
        purses.home_built[player] = 1
    emit(events, BUILT, code_of(board, cell), player, building)
    return OK


@kernel
def upgrade(cells, players, board, commands, row, events, rules):
    player = commands.player[row]
    cell = cell_of(board, commands.a[row])
    if cell < 0:
        return Why.OFF_THE_MAP.value
    if cells.owner[cell] != player:
        return Why.NOT_YOURS.value
    building = cells.building[cell]
    level = cells.level[cell]
    if building == EMPTY:
        return Why.NOTHING_TO_UPGRADE.value
    if level >= TOP_LEVEL:
        return Why.TOP_LEVEL.value
    if building != HOME and level >= players.tech_level[player]:
        return Why.UPGRADE_HOME_FIRST.value
    gold = rules.home_upgrade_gold[level - 1] if building == HOME else rules.upgrade_gold[level - 1]
    energy = rules.home_upgrade_energy[level - 1] if building == HOME else 0
    if players.energy[player] < energy:  # ruling 12: a price of 0 is too much for a debtor
        return Why.NOT_ENOUGH_ENERGY.value
    if players.gold[player] < gold:
        return Why.NOT_ENOUGH_GOLD.value
    players.gold[player] -= gold
    players.energy[player] -= energy
    cells.level[cell] = level + 1
    emit(events, UPGRADED, code_of(board, cell), player, level + 1)
    return OK


@kernel
def attack(cells, players, sieges, attackers, sieges_laid, board, commands, row, rules):
    player = commands.player[row]
    cell = cell_of(board, commands.a[row])
    energy = commands.b[row]
    if cell < 0:
        return Why.OFF_THE_MAP.value, sieges_laid
    if energy <= 0:  # ruling 3
        return Why.BAD_ENERGY.value, sieges_laid
    if players.energy[player] < energy:
        return Why.NOT_ENOUGH_ENERGY.value, sieges_laid
    if not owns_a_neighbour(cells, board, cell, player):  # ruling 4
        return Why.NO_ADJACENT_CELL.value, sieges_laid
    players.energy[player] -= energy
    siege = sieges.rank[cell] - 1
    if siege < 0:
        siege = sieges_laid
        sieges_laid += 1
        sieges.rank[cell] = sieges_laid
        sieges.cell[siege] = cell
        sieges.total[siege] = 0
        for place in range(NEIGHBOURS):
            attackers.player[siege * NEIGHBOURS + place] = NO_PLAYER
            attackers.energy[siege * NEIGHBOURS + place] = 0
    sieges.total[siege] += energy
    if rules.separate_attacks:  # ruling 2: only the strongest command matters, the first of equals
        if energy > attackers.energy[siege * NEIGHBOURS]:
            attackers.player[siege * NEIGHBOURS] = player
            attackers.energy[siege * NEIGHBOURS] = energy
    else:
        place = siege * NEIGHBOURS
        while attackers.player[place] != player and attackers.player[place] != NO_PLAYER:
            place += 1
        attackers.player[place] = player
        attackers.energy[place] += energy
    return OK, sieges_laid


@kernel
def owns_a_neighbour(cells, board, cell, player):
    found = False
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        found |= (neighbour >= 0) & (cells.owner[max(neighbour, 0)] == player)
    return found
