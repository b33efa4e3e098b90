"""How fast BoidVoid is: a turn end with ten thousand ships, a battle of swarms, a move across the same map, the daily
maintenance of many NFTs, and late joiners."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from marchland.bench.timing import turn_figures
from marchland.core.orders import Packed
from marchland.core.season_hooks import Item
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.maps.generator import generate
from marchland.games.boidvoid.maps.mapfile import write
from marchland.games.boidvoid.rules.constants import ALONE, FIRST_ID, IN_SWARM, NO_UNIT, SWARM, SWARMS_AT
from marchland.games.boidvoid.rules.state import Cells, Players, Units
from marchland.games.boidvoid.season.items import FIRST_LEDGER_ID, nft_from_item, ownership_orders

SIDE, TEAMS, SHIPS = 200, 10, 10_000
MEMBERS = 100
NFTS, BATCH, JOINERS = 20_000, 2_000, 2_000
_ROUNDS = 200


def scenarios() -> Iterator[dict[str, Any]]:
    """One line of figures for each scenario."""
    crowd = build_crowded_match()
    yield turn_figures(f"turn end/{SIDE}x{SIDE}/{SHIPS}p/half automode", crowd, [Packed.of_rows([])])
    yield act_figures(f"move/{SIDE}x{SIDE}/{SHIPS}p", crowd, mover(crowd))
    yield act_figures(f"attack/{MEMBERS} against {MEMBERS}", *battle())
    yield maintenance_figures()
    yield join_figures()


def build_crowded_match() -> BoidVoid:
    """Ten teams on a large map, every ship on it, half of them on automode, a swarm in each team."""
    drawn = generate(SIDE, SIDE, TEAMS, seed=1, home_radius=12)
    config = {"teams": TEAMS, "start_structures": 0, "start_boosts": 0, "turn_limit": 0}
    game = BoidVoid.new(SHIPS, seed=1, config=config, map=write(drawn))
    cells: Cells = game.arrays(Cells)
    units: Units = game.arrays(Units)
    free = np.flatnonzero((cells.obstacle == 0) & (cells.unit == NO_UNIT))
    chosen = np.random.default_rng(1).permutation(free)[:SHIPS]
    for player, cell in enumerate(chosen.tolist()):
        _put(game, game.ship_of(player), cell)
    units.points[:] = 18
    game.arrays(Players).automode[::2] = 1
    return game


def _put(game: BoidVoid, row: int, cell: int) -> None:
    units: Units = game.arrays(Units)
    units.cell[row], units.status[row], units.health[row] = cell, ALONE, 4000
    game.arrays(Cells).unit[cell] = row


def mover(game: BoidVoid) -> tuple[int, dict[str, Any]]:
    """A player and the move to the farthest tile that its ship can reach."""
    player = SHIPS // 2
    cells: Cells = game.arrays(Cells)
    within = [cell for cell, _, _ in game.destinations(game.ship_of(player)) if cells.unit[cell] == NO_UNIT]
    return player, {"do": "move", "unit": player, "to": list(game.board.at(within[-1]))}


def battle() -> tuple[BoidVoid, tuple[int, dict[str, Any]]]:
    """Two swarms of a hundred side by side."""
    game = BoidVoid.new(2 * MEMBERS, seed=1, config={"damage_distribution": "strong"})
    units: Units = game.arrays(Units)
    first = int(game.head[SWARMS_AT])
    middle = game.board.size // 2
    spot = next(cell for cell in range(middle, game.board.size) if game.arrays(Cells).unit[cell] == NO_UNIT)
    for team in range(2):
        row, ships = first + team, [game.ship_of(player) for player in range(team, 2 * MEMBERS, 2)]
        units.id[row] = FIRST_ID[SWARM] + team
        units.team[row] = team
        _put(game, row, game.board.neighbours(spot)[0] if team else spot)
        units.swarm[row] = ships[0]
        for ship, following in zip(ships, [*ships[1:], NO_UNIT], strict=True):
            units.status[ship], units.swarm[ship], units.next[ship], units.health[ship] = IN_SWARM, row, following, 4000
    return game, (0, {"do": "attack", "unit": FIRST_ID[SWARM], "target": FIRST_ID[SWARM] + 1})


def act_figures(scenario: str, game: BoidVoid, given: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    """One immediate action through `Game.act`, with the copy of the state that makes it atomic, in a running match:
    its two buffers are in memory, and it has seen such an action before."""
    player, order = given
    twin, best = game.copy(), float("inf")
    for _ in range(_ROUNDS):
        np.copyto(twin.buffer, game.buffer)
        began = time.perf_counter()
        report = twin.act(player, order)
        best = min(best, time.perf_counter() - began)
        if not report.results[player][0].ok:
            raise RuntimeError(f"{scenario}: {report.results[player][0].sentence}")
    return {"game": game.name, "scenario": scenario, "cells": game.board.size, "us_per_act": round(best * 1e6, 1)}


def maintenance_figures() -> dict[str, Any]:
    """Daily maintenance that gives a match thousands of new NFTs, in batches as a server sends them."""
    game = BoidVoid.new(MEMBERS, seed=1, config={"rules": "season"})
    facts = {"modifiers": {"attack": 3, "range": 1}, "turns": 4}
    items = [Item(FIRST_LEDGER_ID + number, number % MEMBERS, "boost", 7, number, facts) for number in range(NFTS)]
    began = time.perf_counter()
    orders = ownership_orders(game, [(nft_from_item(item), item.seat) for item in items], frozenset())
    for start in range(0, len(orders), BATCH):
        game.act_as_host(orders[start : start + BATCH])
    seconds = time.perf_counter() - began
    return {"game": game.name, "scenario": f"maintenance/{NFTS} NFTs", "orders": len(orders), "s": round(seconds, 2)}


def join_figures() -> dict[str, Any]:
    """Players who join a running match one after the other; the last hundred of them have the most to move."""
    game = BoidVoid.new(2, seed=1, map="duel")
    for number in range(JOINERS - MEMBERS):
        game.join(f"joiner {number}")
    began = time.perf_counter()
    for number in range(MEMBERS):
        game.join(f"late {number}")
    seconds = (time.perf_counter() - began) / MEMBERS
    return {"game": game.name, "scenario": f"join/{JOINERS}p", "us_per_join": round(seconds * 1e6, 1)}
