"""One turn of Colorfight, phase by phase in the order of the seed's "Update" section."""

from typing import Final

from marchland.board.cells import open_tables
from marchland.core.events import emit
from marchland.core.kernel import borrowed, inlined, kernel
from marchland.core.orders import admit, cell_of, code_of, columns
from marchland.core.reasons import Common
from marchland.core.state import OVER, PLAYERS, TURN, head_of
from marchland.games.colorfight.orders import ATTACK, BUILD, UPGRADE, VERBS
from marchland.games.colorfight.reasons import ColorfightReason as Why
from marchland.games.colorfight.state import (
    EMPTY,
    FORTRESS,
    HOME,
    MINE,
    NEIGHBOURS,
    NOBODY,
    TOP_LEVEL,
    WELL,
    attackers_of,
    cells_of,
    players_of,
    purses_of,
    rules_of,
    sieges_of,
)

OK: Final = int(Common.OK)
DEAD: Final = int(Common.DEAD)
VERB_COUNT: Final = len(VERBS)

# Events, by their place in `scene.EVENTS`.
CAPTURED, SHIELDED, REPELLED, BUILT, UPGRADED, HOME_LOST, RUINED, DIED, JOINED = range(9)

# Why a match ended, in the head's OVER slot.
MAX_TURN_REACHED: Final = 1
LAST_ALIVE: Final = 2


@kernel
def turn(state, work, at, board, orders, pool, events, rules):
    board = open_tables(board)
    rules = rules_of(rules)
    head = head_of(state, at)
    cells = cells_of(state, at)
    players = players_of(state, at)
    sieges = sieges_of(work, at)
    attackers = attackers_of(work, at)
    purses = purses_of(work, at)
    commands = columns(orders)
    events = borrowed(events)

    admit(commands, head[PLAYERS], VERB_COUNT)
    refuse_the_dead(commands, players)
    count = give_commands(cells, players, sieges, attackers, purses, board, commands, events, rules)  # 1, 2.1
    capture(cells, players, sieges, attackers, purses, count, board, events, rules)  # 2.2
    if not rules.ruins_after_income:
        ruin_the_homeless(cells, players, board, events, rules)  # 2.2, a Home's fall
    income(cells, players, rules)  # 2.3, 2.4, 3.1
    if rules.ruins_after_income:
        ruin_the_homeless(cells, players, board, events, rules)
    force_fields(cells, board, rules)  # 2.5
    bury(players, events)  # 3.2
    head[TURN] += 1
    finish(head, players, rules)


# ---------------------------------------------------------------- 1. commands


@inlined
def refuse_the_dead(commands, players):
    for row in range(len(commands.player)):
        if commands.reason[row] == OK and players.dead[commands.player[row]]:
            commands.reason[row] = DEAD


@inlined
def give_commands(cells, players, sieges, attackers, purses, board, commands, events, rules):
    """Build, upgrade, attack: in this order whatever the list says, or strictly by the list (ruling 5).

    Everything is paid at once. Returns how many cells are under attack.
    """
    for player in range(len(players.energy)):
        purses.home_built[player] = 0
    sieges_laid = 0
    for phase in range(1 if rules.list_order else 3):
        due = BUILD if phase == 0 else UPGRADE if phase == 1 else ATTACK
        for row in range(len(commands.player)):
            verb = commands.verb[row]
            if commands.reason[row] != OK or (verb != due and not rules.list_order):
                continue
            if verb == BUILD:
                commands.reason[row] = build(cells, players, purses, board, commands, row, events, rules)
            elif verb == UPGRADE:
                commands.reason[row] = upgrade(cells, players, board, commands, row, events, rules)
            else:
                why, sieges_laid = attack(cells, players, sieges, attackers, sieges_laid, board, commands, row, rules)
                commands.reason[row] = why
    return sieges_laid


@inlined
def build(cells, players, purses, board, commands, row, events, rules):
    player = commands.player[row]
    cell = cell_of(board, commands.a[row])
    building = commands.b[row] + 1
    if cell < 0:
        return Why.OFF_THE_MAP.value
    if building < HOME or building > FORTRESS:
        return Why.NO_SUCH_BUILDING.value
    if cells.owner[cell] != player:
        return Why.NOT_YOURS.value
    if cells.building[cell] != EMPTY:
        return Why.OCCUPIED.value
    # Ruling 6: the tech level at the turn's start decides; a Home built this turn opens buildings next turn.
    if building == HOME and (players.tech_level[player] > 0 or purses.home_built[player]):
        return Why.ONE_HOME.value
    if building != HOME and players.tech_level[player] == 0:
        return Why.HOME_FIRST.value
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
    players.gold[player] -= price
    cells.building[cell] = building
    cells.level[cell] = 1
    if building == HOME:
        purses.home_built[player] = 1
    emit(events, BUILT, code_of(board, cell), player, building)
    return OK


@inlined
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
    if players.gold[player] < gold:
        return Why.NOT_ENOUGH_GOLD.value
    if energy > 0 and players.energy[player] < energy:
        return Why.NOT_ENOUGH_ENERGY.value
    players.gold[player] -= gold
    players.energy[player] -= energy
    cells.level[cell] = level + 1
    emit(events, UPGRADED, code_of(board, cell), player, level + 1)
    return OK


@inlined
def attack(cells, players, sieges, attackers, sieges_laid, board, commands, row, rules):
    player = commands.player[row]
    cell = cell_of(board, commands.a[row])
    energy = commands.b[row]
    if cell < 0:
        return Why.OFF_THE_MAP.value, sieges_laid
    if energy <= 0:  # ruling 3
        return Why.BAD_ENERGY.value, sieges_laid
    if not owns_a_neighbour(cells, board, cell, player):  # ruling 4
        return Why.NO_ADJACENT_CELL.value, sieges_laid
    if players.energy[player] < energy:
        return Why.NOT_ENOUGH_ENERGY.value, sieges_laid
    players.energy[player] -= energy
    siege = sieges.rank[cell] - 1
    if siege < 0:
        siege = sieges_laid
        sieges_laid += 1
        sieges.rank[cell] = sieges_laid
        sieges.cell[siege] = cell
        sieges.total[siege] = 0
        for place in range(NEIGHBOURS):
            attackers.player[siege * NEIGHBOURS + place] = NOBODY
            attackers.energy[siege * NEIGHBOURS + place] = 0
    sieges.total[siege] += energy
    if rules.separate_attacks:  # ruling 2: only the strongest command matters, the first of equals
        if energy > attackers.energy[siege * NEIGHBOURS]:
            attackers.player[siege * NEIGHBOURS] = player
            attackers.energy[siege * NEIGHBOURS] = energy
    else:
        place = siege * NEIGHBOURS
        while attackers.player[place] != player and attackers.player[place] != NOBODY:
            place += 1
        attackers.player[place] = player
        attackers.energy[place] += energy
    return OK, sieges_laid


@inlined
def owns_a_neighbour(cells, board, cell, player):
    found = False
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        found |= (neighbour >= 0) & (cells.owner[neighbour] == player)
    return found


# ---------------------------------------------------------------- 2. cells


@inlined
def capture(cells, players, sieges, attackers, purses, count, board, events, rules):
    """The effects of the attacks, cell by cell, all against the same costs and owners (ruling 11)."""
    for player in range(len(players.gold)):
        purses.gold[player] = players.gold[player]
        if purses.home_built[player]:
            players.tech_level[player] = 1
    if rules.running_money:
        sort_by_column(sieges.cell, count, board)
    for place in range(count):
        cell = sieges.cell[place]
        siege = sieges.rank[cell] - 1
        strongest = NOBODY
        energy = 0
        for one in range(siege * NEIGHBOURS, (siege + 1) * NEIGHBOURS):
            if attackers.energy[one] > energy:
                strongest = attackers.player[one]
                energy = attackers.energy[one]
        net = 2 * energy - sieges.total[siege]
        excess = net - attack_cost(cells, players, cell, rules)
        if net <= 0 or excess < 0:  # ruling 1
            emit(events, REPELLED, code_of(board, cell), strongest, cells.owner[cell])
        else:
            field = min(rules.field_per_excess * excess, rules.field_most)
            if cells.owner[cell] == strongest:  # ruling 7
                if rules.own_attack_replaces or field > cells.force_field[cell]:
                    cells.force_field[cell] = field
                emit(events, SHIELDED, code_of(board, cell), strongest, cells.force_field[cell])
            else:
                take(cells, players, purses, cell, strongest, field, board, events, rules)
    for place in range(count):
        sieges.rank[sieges.cell[place]] = 0


@inlined
def attack_cost(cells, players, cell, rules):
    """What it takes to capture ``cell``."""
    field = cells.force_field[cell]
    if cells.building[cell] == HOME:
        energy = players.energy[cells.owner[cell]]
        if energy < 0 and not rules.debts_count:  # ruling 8
            energy = 0
        return cells.level[cell] * (rules.home_defence + field + energy)
    cost = cells.natural_cost[cell] + field
    return cost * (1 + cells.level[cell]) if cells.building[cell] == FORTRESS else cost


@inlined
def take(cells, players, purses, cell, captor, field, board, events, rules):
    """``captor`` takes ``cell``; what stood there is gone (ruling 9)."""
    former = cells.owner[cell]
    building = cells.building[cell]
    level = cells.level[cell]
    if building == HOME:
        stolen = third_of_gold(players, purses, former, rules)
        players.gold[former] -= stolen
        players.gold[captor] += stolen
        players.tech_level[former] = 0
        emit(events, HOME_LOST, code_of(board, cell), former, captor, stolen)
    elif building != EMPTY:
        players.gold[former] += rules.refund[level - 1]
        if building == WELL:
            field = min(field + rules.well_capture_field[level - 1], rules.field_most)
        elif building == MINE:
            players.gold[captor] += rules.mine_capture_gold[level - 1]
    change_owner(cells, board, cell, captor)
    cells.building[cell] = EMPTY
    cells.level[cell] = 0
    cells.force_field[cell] = field
    emit(events, CAPTURED, code_of(board, cell), captor, former, building)


@inlined
def change_owner(cells, board, cell, owner):
    """``cell`` goes to ``owner``; it and its neighbours count their friends and enemies anew."""
    former = cells.owner[cell]
    cells.owner[cell] = owner
    cells.friends[cell] = 0
    cells.enemies[cell] = 0
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        if neighbour < 0 or cells.owner[neighbour] == NOBODY:
            continue
        other = cells.owner[neighbour]
        if former != NOBODY:
            cells.friends[neighbour] -= other == former
            cells.enemies[neighbour] -= other != former
        cells.friends[neighbour] += other == owner
        cells.enemies[neighbour] += other != owner
        cells.friends[cell] += other == owner
        cells.enemies[cell] += other != owner


@inlined
def third_of_gold(players, purses, victim, rules):
    """What the captor of a Home gets of the victim's gold (rulings 8 and 10)."""
    gold = players.gold[victim] if rules.running_money else purses.gold[victim]
    if gold >= 0:
        return gold // rules.steal_divisor
    return -(-gold // rules.steal_divisor) if rules.debts_count else 0


@inlined
def sort_by_column(listed, count, board):
    """The public server's scan order: x outer, y inner. Shell's sort, since the list is short."""
    gap = count // 2
    while gap > 0:
        for start in range(gap, count):
            cell = listed[start]
            code = code_of(board, cell)
            place = start
            while place >= gap and code_of(board, listed[place - gap]) > code:
                listed[place] = listed[place - gap]
                place -= gap
            listed[place] = cell
        gap //= 2


@inlined
def ruin_the_homeless(cells, players, board, events, rules):
    """Every building of a player without a Home is destroyed (rulings 10 and 19)."""
    homeless = False
    for player in range(len(players.tech_level)):
        homeless = homeless or (players.tech_level[player] == 0 and not players.dead[player])
    if not homeless:
        return
    for cell in range(len(cells.owner)):
        building = cells.building[cell]
        if building != EMPTY and players.tech_level[cells.owner[cell]] == 0:
            owner = cells.owner[cell]
            if rules.ruins_refunded:
                players.gold[owner] += rules.refund[cells.level[cell] - 1]
            cells.building[cell] = EMPTY
            cells.level[cell] = 0
            emit(events, RUINED, code_of(board, cell), owner, building)


@inlined
def income(cells, players, rules):
    """What each player's cells yield, less tax (ruling 12); the tech level is that of the Home, 0 without one."""
    for player in range(len(players.energy)):
        players.cells[player] = 0
        players.resource_buildings[player] = 0
        players.energy_source[player] = 0
        players.gold_source[player] = 0
        players.tech_level[player] = 0
    landlord = 0  # whose cells are being counted; neighbours in a row mostly have the same owner
    count = 0
    energy_sum = 0
    gold_sum = 0
    for cell in range(len(cells.owner)):
        owner = cells.owner[cell]
        if owner == NOBODY:
            continue
        if owner != landlord:
            credit(players, landlord, count, energy_sum, gold_sum)
            landlord = owner
            count = 0
            energy_sum = 0
            gold_sum = 0
        building = cells.building[cell]
        energy = cells.natural_energy[cell]
        gold = cells.natural_gold[cell]
        if building != EMPTY:
            level = cells.level[cell]
            if building == HOME:
                energy = rules.home_income * level
                gold = rules.home_income * level
                players.tech_level[owner] = level
            elif building == WELL:
                energy *= 1 + level
                players.resource_buildings[owner] += 1
            elif building == MINE:
                gold *= 1 + level
                players.resource_buildings[owner] += 1
        count += 1
        energy_sum += energy
        gold_sum += gold
    credit(players, landlord, count, energy_sum, gold_sum)
    for player in range(len(players.energy)):
        tax = tax_on(players.cells[player], rules.tax_bracket) + tax_on(
            players.resource_buildings[player], rules.tax_bracket
        )
        players.tax[player] = tax
        players.energy_source[player] -= tax
        players.gold_source[player] -= tax
        players.energy[player] += players.energy_source[player]
        players.gold[player] += players.gold_source[player]


@inlined
def credit(players, player, cells, energy, gold):
    players.cells[player] += cells
    players.energy_source[player] += energy
    players.gold_source[player] += gold


@inlined
def tax_on(number, bracket):
    """Nothing for the first bracket, 1 each in the second, 2 each in the third, and so on."""
    full = number // bracket
    return bracket * (full * (full - 1) // 2) + full * (number - full * bracket)


@inlined
def force_fields(cells, board, rules):
    """Friends strengthen, enemies weaken, fortresses do both more (ruling 13); unowned cells do not change."""
    for cell in range(len(cells.owner)):
        if cells.building[cell] == FORTRESS:
            radiate(cells, board, cell, rules)
    for cell in range(len(cells.owner)):
        change = cells.friends[cell] * rules.ally_field - cells.enemies[cell] * rules.enemy_field
        cells.force_field[cell] = min(max(cells.force_field[cell] + change, 0), rules.field_most)


@inlined
def radiate(cells, board, fortress, rules):
    """What a fortress does to its cell and its neighbours, beyond what any neighbour does. Not yet clamped."""
    level = cells.level[fortress]
    cells.force_field[fortress] += rules.fortress_field * level
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[fortress * NEIGHBOURS + way]
        if neighbour < 0 or cells.owner[neighbour] == NOBODY:
            continue
        if cells.owner[neighbour] == cells.owner[fortress]:
            cells.force_field[neighbour] += rules.ally_fortress_field * level
        else:
            beyond = rules.enemy_fortress_base + rules.enemy_fortress_field * level - rules.enemy_field
            cells.force_field[neighbour] -= beyond


# ---------------------------------------------------------------- 3. players


@inlined
def bury(players, events):
    """No cells: dead (ruling 14)."""
    for player in range(len(players.cells)):
        if players.cells[player] == 0 and not players.dead[player]:
            players.dead[player] = 1
            emit(events, DIED, player)


@inlined
def finish(head, players, rules):
    """The end comes at the last turn, or when at most one of several players is alive (ruling 15)."""
    alive = 0
    for player in range(len(players.dead)):
        alive += 1 - players.dead[player]
    if head[TURN] >= rules.max_turn:
        head[OVER] = MAX_TURN_REACHED
    elif rules.early_end and len(players.dead) > 1 and alive <= 1:
        head[OVER] = LAST_ALIVE


@kernel
def first_income(state, at, rules):
    """The income that is paid before the first orders (ruling 15)."""
    income(cells_of(state, at), players_of(state, at), rules_of(rules))


@kernel
def settle(state, at, board, cell, player):
    """Give a cell that may have had no owner to ``player``, before the first turn or when somebody joins."""
    change_owner(cells_of(state, at), open_tables(board), cell, player)
