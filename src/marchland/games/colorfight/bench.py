"""How fast Colorfight is: recorded greedy play on three boards, through `step`, and in a batch."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from marchland.bench.timing import batch_figures, record, step_figures, turn_figures
from marchland.core.game import Game
from marchland.core.orders import COLUMNS, Packed, encode_cells
from marchland.games.colorfight.bots import Greedy
from marchland.games.colorfight.game import Colorfight
from marchland.games.colorfight.rules.orders import BUILD

SIZES = ((30, 8, 300), (100, 64, 150), (1000, 1000, 60))
"""Side, players and recorded turns of each board."""
BATCH = 1024


def scenarios() -> Iterator[dict[str, Any]]:
    """One line of figures for each scenario."""
    for side, players, turns in SIZES:
        start = Colorfight.new(players, seed=1, config={"width": side, "height": side, "early_end": False})
        packed = record(start.copy(), greedy_play, turns)
        yield turn_figures(f"{side}x{side}/{players}p", start, packed)
        if side == SIZES[0][0]:
            yield step_figures(f"step/{side}x{side}/{players}p", start, [as_dicts(start, orders) for orders in packed])
            yield batch_figures(f"batch/{BATCH}x{side}x{side}/{players}p", start, packed[: turns // 3], BATCH)


def greedy_play(game: Game) -> Packed:
    """Greedy orders of all players, packed without a detour through text."""
    greedy = Greedy()
    rows = []
    for player in range(len(game.players)):
        found = greedy.rows(game.observe(player), game.board)
        rows.append(np.column_stack((np.full(len(found), player), found)))
    player, verb, cell, number = np.concatenate(rows).T
    table = np.zeros((COLUMNS, len(player)), np.int64)
    x, y = game.board.coords[cell].astype(np.int64).T
    table[:4] = player, verb, encode_cells(game.board.dialect, x, y), np.where(verb == BUILD, number - 1, number)
    return Packed(table)


def as_dicts(game: Colorfight, packed: Packed) -> dict[int, list[dict[str, Any]]]:
    """Packed orders as a person would write them."""
    orders: dict[int, list[dict[str, Any]]] = {}
    for player, verb, *values, _ in packed.table.T.tolist():
        order = game.codec.unpack(verb, values, game.board.dialect, packed.pool)
        orders.setdefault(player, []).append(order or {})
    return orders
