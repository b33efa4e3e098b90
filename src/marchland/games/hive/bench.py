"""How fast Hive is: four players with fifty units each on 817 cells; the turn alone, and with the views of all."""

import random
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from marchland.bench.timing import batch_figures, record, step_figures, turn_figures
from marchland.core.report import Report
from marchland.core.state import KEY0, KEY1
from marchland.games.hive.game import Hive
from marchland.games.hive.maps import mapfile
from marchland.games.hive.rules.config import HiveConfig
from marchland.games.hive.rules.orders import DIRECTIONS
from marchland.games.hive.rules.state import (
    BEE,
    ENTITIES,
    FIELD,
    HIVE,
    NEIGHBOURS,
    NO_ENTITY,
    STONE,
    Cells,
    Entities,
    Players,
)
from marchland.games.hive.views import view_bytes

MAP = "vast"
PLAYERS = 4
HIVES, BEES = 5, 45
TURNS = 100
BATCH = 256


def scenarios() -> Iterator[dict[str, Any]]:
    """One line of figures for each scenario."""
    start = build_crowded_match()
    chance = random.Random(1)
    packed = record(start.copy(), lambda game: busy_orders(cast(Hive, game), chance), TURNS)
    size = f"{start.board.size}/{PLAYERS}p"
    yield turn_figures(f"{size}x{HIVES + BEES}u", start, packed)
    given = [as_dicts(start, orders.table.T.tolist()) for orders in packed]
    yield step_figures(f"step/{size}", start, given)
    yield step_figures(f"step+views/{size}", start, given, after=everybodys_view)
    yield batch_figures(f"batch/{BATCH}x{size}", start, packed[: TURNS // 3], BATCH)


def build_crowded_match() -> Hive:
    """A match that is well on its way: every player has hives and bees round the first one."""
    found = mapfile.find(MAP)
    game = Hive.on_map(found, HiveConfig.build({"stalemate_turns": 10_000}), Hive.seat_names(PLAYERS))
    free = set(np.flatnonzero(found.terrain != STONE).tolist())
    stands: list[tuple[int, int, int]] = []
    for slot, seat in found.seats(PLAYERS).items():
        home = next(start.cell for start in found.starts if start.slot == slot and start.kind == HIVE)
        near = sorted(free, key=lambda cell: (game.board.distance(home, cell), cell))[: HIVES + BEES]
        free.difference_update(near)
        stands += [(seat, HIVE if place % 10 == 0 else BEE, cell) for place, cell in enumerate(near)]
    game.place(stands)
    game.head[[KEY0, KEY1]] = 1, 2
    return game


def busy_orders(game: Hive, chance: random.Random) -> dict[int, list[dict[str, Any]]]:
    """An order for each unit, as a player with that reserve would give them: forage, fight, build, else move."""
    entities: Entities = game.arrays(Entities)
    cells: Cells = game.arrays(Cells)
    neighbours = np.asarray(game.board.tables.neighbours).reshape(-1, NEIGHBOURS).tolist()
    purses = game.arrays(Players).flowers.tolist()
    orders: dict[int, list[dict[str, Any]]] = {seat: [] for seat in range(PLAYERS)}
    claimed: set[tuple[int, int]] = set()
    for row in range(int(game.head[ENTITIES])):
        cell, seat, kind = int(entities.cell[row]), int(entities.owner[row]), entities.kind[row]
        ways = [(way, other) for way, other in zip(DIRECTIONS, neighbours[cell], strict=True) if other >= 0]
        free = [
            (way, other)
            for way, other in ways
            if cells.standing[other] == NO_ENTITY and cells.terrain[other] != STONE and (seat, other) not in claimed
        ]
        standing = [(way, int(cells.standing[other])) for way, other in ways if cells.standing[other] != NO_ENTITY]
        enemies = [way for way, other in standing if entities.owner[other] != seat]
        order: dict[str, Any] = {"do": "forage", "unit": int(entities.id[row])}
        if kind == BEE and cells.terrain[cell] == FIELD and cells.flowers[cell] > 0:
            pass
        elif kind == BEE and enemies:
            order |= {"do": "attack", "dir": enemies[0]}
        elif kind == BEE and purses[seat] >= game.config.hive_cost and chance.random() < 0.1:
            purses[seat] -= game.config.hive_cost
            order["do"] = "build_hive"
        elif free and (kind == BEE or (kind == HIVE and purses[seat] >= game.config.bee_cost)):
            way, other = chance.choice(free)
            claimed.add((seat, other))
            purses[seat] -= game.config.bee_cost if kind == HIVE else 0
            order |= {"do": "spawn" if kind == HIVE else "move", "dir": way}
        else:
            continue
        orders[seat].append(order)
    return orders


def everybodys_view(game: Hive, report: Report) -> list[bytes]:
    """What a server sends after a turn."""
    return [view_bytes(game, player) for player in range(len(game.players))]


def as_dicts(game: Hive, rows: list[list[int]]) -> dict[int, list[dict[str, Any]]]:
    """Packed orders as a person would write them."""
    orders: dict[int, list[dict[str, Any]]] = {}
    for player, verb, *values, _ in rows:
        order = game.codec.unpack(verb, values, game.board.dialect, np.zeros(0, np.int64))
        orders.setdefault(player, []).append(order or {})
    return orders
