"""How fast Colorfight is: recorded greedy play on three boards, through `step`, delivered as JSON, and in a batch."""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from marchland.bench.timing import batch_figures, record, step_figures, turn_figures
from marchland.core.game import Game
from marchland.core.orders import COLUMNS, Packed, encode_cells
from marchland.core.report import Report
from marchland.games.colorfight.bots import Greedy
from marchland.games.colorfight.game import Colorfight
from marchland.games.colorfight.rules.orders import BUILD
from marchland.games.colorfight.wire import Room, errors_of, get_game_info, state_bytes

SIZES = ((30, 8, 300), (100, 64, 150), (1000, 1000, 60))
"""Side, players and recorded turns of each board."""
BATCH = 1024
DELIVERED = 100
"""The largest side of a board whose turns are also delivered."""


def scenarios() -> Iterator[dict[str, Any]]:
    """One line of figures for each scenario."""
    for side, players, turns in SIZES:
        start = Colorfight.new(players, seed=1, config={"width": side, "height": side, "early_end": False})
        packed = record(start.copy(), greedy_play, turns)
        yield turn_figures(f"{side}x{side}/{players}p", start, packed)
        if side <= DELIVERED:
            given = [as_dicts(start, orders) for orders in packed]
            yield step_figures(f"step/{side}x{side}/{players}p", start, given)
            yield step_figures(f"info/{side}x{side}/{players}p", start, given, after=encode_info)
            yield step_figures(f"state/{side}x{side}/{players}p", start, given, after=write_state)
        if side == SIZES[0][0]:
            yield batch_figures(f"batch/{BATCH}x{side}x{side}/{players}p", start, packed[: turns // 3], BATCH)


def encode_info(game: Colorfight, report: Report) -> bytes:
    """The seed's game info as JSON."""
    return msgspec.json.encode(get_game_info(game, report))


def write_state(game: Colorfight, report: Report) -> bytes:
    """The state as the original protocol sends it."""
    players = len(game.players)
    room = Room("0123456789ab", players, 1.0, 0, True, [], range(1, players + 1), [False] * players)
    return state_bytes(game, room, errors_of(game, report.order_input))


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
