"""What hives and bees see, compiled: influence (ruling 2) and the field of view (ruling 1)."""

from typing import Final

from marchland.board.cells import disk_row, disk_rows, distance, onward, open_tables
from marchland.board.sight import visible
from marchland.core.state import head_of
from marchland.games.hive.rules.state import (
    BEE,
    CLOSEST,
    ENTITIES,
    HIVE,
    WALL,
    cells_of,
    entities_of,
    players_of,
    reach_of,
    rules_of,
)
from marchland.kernels import kernel

_FAR: Final = 1_000_000


@kernel
def spread_influence(influence, nearest, entities, count, known, board, rules):
    """Give each cell the bits of the players whose hives see it; unless ``known`` is empty, only hives on known cells.

    Where only the closest hive counts (ruling 25), equal distance to hives of several players leaves the cell to none.
    """
    for cell in range(len(influence)):
        influence[cell] = 0
        nearest[cell] = _FAR
    radius = rules.hive_view
    for entity in range(count):
        hive = entities.cell[entity]
        if entities.kind[entity] != HIVE or (len(known) > 0 and not known[hive]):
            continue
        bit = 1 << entities.owner[entity]
        row, rows, row_gap, row_after = disk_rows(board, hive, radius)
        for _ in range(rows):
            place, columns, gap, after = disk_row(board, hive, radius, row)
            for _ in range(columns):
                cell = board.lookup[place]
                if cell >= 0:
                    if rules.influence == CLOSEST:
                        steps = distance(board, hive, cell)
                        if steps < nearest[cell]:
                            nearest[cell] = steps
                            influence[cell] = 0
                        if steps == nearest[cell]:
                            influence[cell] |= bit
                    else:
                        influence[cell] |= bit
                place = onward(place, gap, after)
            row = onward(row, row_gap, row_after)
    if rules.influence == CLOSEST:
        for cell in range(len(influence)):
            if influence[cell] & (influence[cell] - 1):
                influence[cell] = 0


@kernel
def count_influence(players, influence):
    for player in range(len(players.influence)):
        players.influence[player] = 0
    for cell in range(len(influence)):
        bits = influence[cell]
        player = 0
        while bits:
            players.influence[player] += bits & 1
            bits >>= 1
            player += 1


@kernel
def first_influence(state, work, at, board, rules):
    """Count every player's influence before the first turn."""
    board = open_tables(board)
    cells = cells_of(state, at)
    entities = entities_of(state, at)
    count = head_of(state, at)[ENTITIES]
    nearest = reach_of(work, at).nearest
    spread_influence(cells.influence, nearest, entities, count, nearest[:0], board, rules_of(rules))
    count_influence(players_of(state, at), cells.influence)


@kernel
def look(state, at, board, rules, player, viewers, radii, seen, nearest, influence, out):
    """Write the cells that ``player`` sees to ``out``, mark them 1 in ``seen``, and return how many they are.

    ``influence`` counts the hives in sight only, so that it reveals nothing about the others.
    """
    board = open_tables(board)
    rules = rules_of(rules)
    entities = entities_of(state, at)
    count = head_of(state, at)[ENTITIES]
    eyes = 0
    for entity in range(count):
        kind = entities.kind[entity]
        if entities.owner[entity] == player and kind != WALL:  # walls see nothing
            viewers[eyes] = entities.cell[entity]
            radii[eyes] = rules.bee_view if kind == BEE else rules.hive_view
            eyes += 1
    found = visible(board, viewers, radii, eyes, seen, 1, out)
    spread_influence(influence, nearest, entities, count, seen, board, rules)
    return found
