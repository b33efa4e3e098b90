"""What a single order does, compiled. Everything takes effect at once (ruling 10)."""

from typing import Any, Final, NamedTuple

from marchland.core.dice import Dice, draw
from marchland.core.events import emit
from marchland.core.orders import cell_of, code_of
from marchland.core.reasons import CommonReason
from marchland.games.hive.rules.events import (
    ATTACKED,
    BUILT,
    DELIVERED,
    DESTROYED,
    FORAGED,
    MOVED,
    SPAWNED,
    STUNNED_BEE,
)
from marchland.games.hive.rules.orders import ATTACK, BUILD_HIVE, BUILD_WALL, FORAGE, MOVE, SPAWN
from marchland.games.hive.rules.reasons import HiveReason as Why
from marchland.games.hive.rules.state import (
    ACTED,
    BEE,
    BY_CHANCE,
    ENTITIES,
    FIELD,
    FLOWERS_CARRIED,
    FLOWERS_LEFT,
    GONE,
    HIVE,
    HIVES_CHANGED,
    MOST_PLAYERS,
    NEIGHBOURS,
    NO_ENTITY,
    READY,
    STONE,
    STUNNED,
    WALL,
    WITHOUT_CREATION,
    WITHOUT_GATHERING,
)
from marchland.kernels import kernel

OK: Final = int(CommonReason.OK)

# What a draw is for.
SHUFFLE, CHANCE = range(2)


class World(NamedTuple):
    """Everything that an order may read or change."""

    head: Any
    cells: Any
    players: Any
    entities: Any
    board: Any
    events: Any
    rules: Any
    dice: Dice


@kernel
def carry_out(world, player, verb, name, direction):
    """One order; returns what became of it. Unit, already acted, target, pay: in this order (ruling 8)."""
    entities = world.entities
    unit = unit_of(world.cells, entities, world.head[ENTITIES], world.board, name)
    able = HIVE if verb == SPAWN else BEE
    if unit < 0 or entities.owner[unit] != player or entities.kind[unit] != able:  # ruling 7
        return Why.INVALID_UNIT.value
    if entities.acted[unit] != READY:
        return Why.UNIT_STUNNED.value if entities.acted[unit] == STUNNED else Why.UNIT_ALREADY_ACTED.value
    entities.acted[unit] = ACTED  # "a single action in a turn", whether or not it succeeds (ruling 7)
    if verb == FORAGE:
        return forage(world, player, unit)
    target = entities.cell[unit]
    if verb != BUILD_HIVE:
        target = world.board.neighbours[target * NEIGHBOURS + direction]
        if target < 0:  # ruling 17
            return Why.INVALID_TARGET.value
    if verb == ATTACK:
        return attack(world, player, unit, target)
    if verb != BUILD_HIVE and (world.cells.terrain[target] == STONE or world.cells.standing[target] != NO_ENTITY):
        return Why.BLOCKED.value
    if verb == MOVE:
        return move(world, player, unit, target)
    return create(world, player, unit, verb, target)


@kernel
def unit_of(cells, entities, count, board, name):
    """The row of the entity with that id, or on the cell that ``name`` stands for (see `core.orders.piece_at`)."""
    if name < 0:
        cell = cell_of(board, -3 - name)
        return cells.standing[cell] if cell >= 0 else NO_ENTITY
    row = row_for(entities.id, count, name)
    return row if row < count and entities.id[row] == name else NO_ENTITY


@kernel
def row_for(ids, count, name):
    """Where the id stands in the table, or would stand."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        if ids[middle] < name:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def move(world, player, unit, target):
    start = world.entities.cell[unit]
    world.cells.standing[start] = NO_ENTITY
    world.cells.standing[target] = unit
    world.entities.cell[unit] = target
    board = world.board
    emit(world.events, MOVED, world.entities.id[unit], code_of(board, start), code_of(board, target), player)
    return OK


@kernel
def forage(world, player, unit):
    """Gather from the field; a bee that carries (ruling 16) brings it to a hive first."""
    cells = world.cells
    entities = world.entities
    cell = entities.cell[unit]
    if entities.carries[unit] > 0:
        if not is_beside_own_hive(cells, entities, world.board, player, cell):
            return Why.CANNOT_FORAGE.value
        world.players.flowers[player] += entities.carries[unit]
        world.head[FLOWERS_CARRIED] -= entities.carries[unit]
        world.head[WITHOUT_GATHERING] = -1
        entities.carries[unit] = 0
        emit(world.events, DELIVERED, entities.id[unit], code_of(world.board, cell), player)
        return OK
    if cells.terrain[cell] != FIELD or cells.flowers[cell] == 0:
        return Why.CANNOT_FORAGE.value
    gathered = min(world.rules.forage_flowers, cells.flowers[cell])
    cells.flowers[cell] -= gathered
    world.head[FLOWERS_LEFT] -= gathered
    if world.rules.carrying:
        entities.carries[unit] = gathered
        world.head[FLOWERS_CARRIED] += gathered
    else:
        world.players.flowers[player] += gathered
        world.head[WITHOUT_GATHERING] = -1
    emit(world.events, FORAGED, entities.id[unit], code_of(world.board, cell), player, cells.flowers[cell])
    return OK


@kernel
def is_beside_own_hive(cells, entities, board, player, cell):
    for way in range(NEIGHBOURS):
        neighbour = board.neighbours[cell * NEIGHBOURS + way]
        if neighbour >= 0:
            other = cells.standing[neighbour]
            if other != NO_ENTITY and entities.kind[other] == HIVE and entities.owner[other] == player:
                return True
    return False


@kernel
def attack(world, player, unit, target):
    """Friend or foe loses hit points; where there are none (ruling 16), walls fall and bees are stunned by chance."""
    entities = world.entities
    rules = world.rules
    victim = world.cells.standing[target]
    if victim == NO_ENTITY:  # "If the target cell is empty, nothing happens."
        return Why.INVALID_TARGET.value
    board = world.board
    attacker = entities.id[unit]
    falls = False
    stuns = False
    if rules.attack == BY_CHANCE:
        if entities.kind[victim] == WALL:
            falls = draw(world.dice, CHANCE, attacker, rules.wall_falls_in) == 0
        elif entities.kind[victim] == BEE and entities.acted[victim] == READY:
            stuns = draw(world.dice, CHANCE, attacker, rules.bee_stunned_in) == 0
    else:
        entities.hp[victim] -= rules.attack_damage
        falls = entities.hp[victim] <= 0
    emit(
        world.events,
        ATTACKED,
        attacker,
        code_of(board, entities.cell[unit]),
        code_of(board, target),
        player,
        entities.id[victim],
    )
    if falls:
        kind = entities.kind[victim]
        emit(world.events, DESTROYED, entities.id[victim], code_of(board, target), entities.owner[victim], kind - 1)
        remove(world.head, world.cells, world.players, entities, victim)
    elif stuns:
        entities.acted[victim] = STUNNED
        emit(world.events, STUNNED_BEE, entities.id[victim], code_of(board, target), entities.owner[victim])
    return OK


@kernel
def price_of(verb, rules):
    """The flowers that an order costs."""
    if verb == SPAWN:
        return rules.bee_cost
    if verb == BUILD_WALL:
        return rules.wall_cost
    return rules.hive_cost if verb == BUILD_HIVE else 0


@kernel
def create(world, player, unit, verb, cell):
    """Pay for a new entity and put it there; a hive takes the place of its bee. It may act in a later round."""
    rules = world.rules
    cost = price_of(verb, rules)
    kind, hp = HIVE, rules.hive_hp
    if verb == SPAWN:
        kind, hp = BEE, rules.bee_hp
    elif verb == BUILD_WALL:
        kind, hp = WALL, rules.wall_hp
    if world.players.flowers[player] < cost:
        return Why.NOT_ENOUGH_RESOURCES.value
    world.players.flowers[player] -= cost
    head = world.head
    entities = world.entities
    maker = entities.id[unit]
    if kind == HIVE:
        remove(head, world.cells, world.players, entities, unit)
    if head[ENTITIES] == len(entities.id):  # entities never outnumber cells, so some rows are gone
        bury(head, world.cells, entities)
    id_ = world.players.next_id[player]  # a player's own ids reveal nothing of what others created (ruling 28)
    world.players.next_id[player] += MOST_PLAYERS
    row = row_for(entities.id, head[ENTITIES], id_)
    make_way(head, world.cells, entities, row)
    entities.id[row] = id_
    entities.cell[row] = cell
    entities.kind[row] = kind
    entities.owner[row] = player
    entities.hp[row] = hp
    entities.carries[row] = 0
    entities.acted[row] = READY
    world.cells.standing[cell] = row
    head[WITHOUT_CREATION] = -1
    tally(head, world.players, player, kind, 1)
    event = SPAWNED if kind == BEE else BUILT
    emit(world.events, event, id_, code_of(world.board, cell), player, kind - 1, maker)
    return OK


@kernel
def remove(head, cells, players, entities, row):
    """Take an entity off the board; the flowers that a bee carries are lost with it (ruling 26)."""
    tally(head, players, entities.owner[row], entities.kind[row], -1)
    head[FLOWERS_CARRIED] -= entities.carries[row]
    cells.standing[entities.cell[row]] = NO_ENTITY
    entities.kind[row] = GONE


@kernel
def tally(head, players, player, kind, change):
    if kind == BEE:
        players.bees[player] += change
    elif kind == WALL:
        players.walls[player] += change
    else:
        players.hives[player] += change
        head[HIVES_CHANGED] = 1


@kernel
def bury(head, cells, entities):
    """Close the gaps that destroyed entities left in the table; the others keep their order."""
    filled = 0
    for row in range(head[ENTITIES]):
        if entities.kind[row] != GONE:
            if filled != row:
                shift(cells, entities, row, filled)
            filled += 1
    head[ENTITIES] = filled


@kernel
def make_way(head, cells, entities, row):
    """Free a row; those from it on move up by one."""
    for other in range(head[ENTITIES], row, -1):
        shift(cells, entities, other - 1, other)
    head[ENTITIES] += 1


@kernel
def shift(cells, entities, row, to):
    """Move an entity to another row of the table."""
    entities.id[to] = entities.id[row]
    entities.cell[to] = entities.cell[row]
    entities.kind[to] = entities.kind[row]
    entities.owner[to] = entities.owner[row]
    entities.hp[to] = entities.hp[row]
    entities.carries[to] = entities.carries[row]
    entities.acted[to] = entities.acted[row]
    if entities.kind[to] != GONE:
        cells.standing[entities.cell[to]] = to
