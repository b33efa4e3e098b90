"""How fast DatsPulse is: eight teams of a hundred ants, and a final round of the size that was really played."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from marchland.bench.timing import batch_figures, record, step_figures, turn_figures
from marchland.core.game import Game
from marchland.core.orders import COLUMNS, Packed, encode_cells
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.rules.orders import MOVE
from marchland.games.datspulse.rules.state import ID_TEAMS, KINDS, NEIGHBOURS, ROCK, Ants, Cells, Teams
from marchland.games.datspulse.wire import arena_bytes

BATCH = 256


def scenarios() -> Iterator[dict[str, Any]]:
    """One line of figures for each scenario."""
    start = build_crowded_match(Datspulse.new(8, seed=1, map="lattice"), 100)
    packed = record(start.copy(), busy_orders, 30)
    yield per_ant(turn_figures("8 teams x 100 ants", start, packed), 800)
    given = [as_dicts(start, orders) for orders in packed]
    yield step_figures("step/8 teams x 100 ants", start, given)
    yield batch_figures(f"batch/{BATCH}x8 teams x 100 ants", start, packed[:10], BATCH)
    final = build_crowded_match(Datspulse.new(533, seed=1, map="jitter", config={"radius": 207}), 60)
    packed = record(final.copy(), busy_orders, 10)
    yield per_ant(turn_figures("final/533 teams x 60 ants", final, packed), 533 * 60)
    for orders in packed:
        final.step(orders)
    yield arena_figures("arenas/533 teams x 60 ants", final)


def per_ant(figures: dict[str, Any], ants: int) -> dict[str, Any]:
    """The figures with the cost of one ant."""
    return figures | {"ns_per_ant": round(figures["us_per_turn"] * 1000 / ants, 1)}


def build_crowded_match(game: Datspulse, ants_each: int) -> Datspulse:
    """The match with so many ants for each team, of the kinds in turn, on the free hexes round its nest."""
    cells: Cells = game.arrays(Cells)
    ants: Ants = game.arrays(Ants)
    teams: Teams = game.arrays(Teams)
    teams.ants[:] = teams.living[:] = ants_each
    cells.first[:] = 0
    taken: set[int] = set()
    for team in range(len(game.players)):
        radius = 3
        spots: list[int] = []
        while len(spots) * len(KINDS) < ants_each:
            near = game.board.disk(game.home(team)[0], radius).tolist()
            spots = [
                cell for cell in near if cells.terrain[cell] != ROCK and cells.nest[cell] < 0 and cell not in taken
            ]
            radius += 1
        taken.update(spots[: -(-ants_each // len(KINDS))])
        rows = slice(team * game.slots, team * game.slots + ants_each)
        kind = np.arange(ants_each) % len(KINDS)
        ants.cell[rows], ants.kind[rows] = np.repeat(spots, len(KINDS))[:ants_each], kind
        ants.health[rows] = np.array(game.config.health)[kind]
        ants.team[rows] = team
        ants.id[rows] = 1 + team * ants_each + np.arange(ants_each)
    teams.serial[:] = ants_each * len(game.players) // ID_TEAMS
    game.order_ants()
    game.muster()
    return game


def busy_orders(game: Game) -> Packed:
    """A random way as long as it can go for every ant."""
    chance = np.random.default_rng(game.turn)
    ants: Ants = game.arrays(Ants)
    rows = np.flatnonzero(ants.health)
    beside = np.asarray(game.board.tables.neighbours).reshape(-1, NEIGHBOURS)
    speed = np.array(game.config.speed)[ants.kind[rows]]
    longest = int(speed.max())
    ways = np.zeros((len(rows), longest), np.int64)
    cell = ants.cell[rows].astype(np.int64)
    for step in range(longest):
        following = beside[cell, chance.integers(0, NEIGHBOURS, len(rows))]
        cell = np.where(following >= 0, following, beside[cell].max(axis=1))
        ways[:, step] = encode_cells(game.board.dialect, *game.board.coords[cell].astype(np.int64).T)
    pool = np.column_stack((speed, ways))
    table = np.zeros((COLUMNS, len(rows)), np.int64)
    slots = len(ants.id) // len(game.players)
    table[0], table[1], table[2] = rows // slots, MOVE, ants.id[rows]
    table[3] = np.arange(len(rows)) * (longest + 1)
    return Packed(table, pool.reshape(-1))


def as_dicts(game: Datspulse, packed: Packed) -> dict[int, list[dict[str, Any]]]:
    """Packed orders as a person would write them."""
    orders: dict[int, list[dict[str, Any]]] = {}
    for team, verb, *values, _ in packed.table.T.tolist():
        order = game.codec.unpack(verb, values, game.board.dialect, packed.pool)
        orders.setdefault(team, []).append(order or {})
    return orders


def arena_figures(scenario: str, game: Datspulse) -> dict[str, Any]:
    """The arena answers of all teams, one after the other."""
    best, size = float("inf"), 0
    for _ in range(5):
        began = time.perf_counter()
        size = sum(len(arena_bytes(game, team, 1.5)) for team in range(len(game.players)))
        best = min(best, time.perf_counter() - began)
    return {
        "game": game.name,
        "scenario": scenario,
        "cells": game.board.size,
        "players": len(game.players),
        "ms_for_all": round(best * 1000, 2),
        "kilobytes": size // 1000,
    }
