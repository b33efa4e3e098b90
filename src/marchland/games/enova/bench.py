"""How fast Enova is: tori on which every castle has an order each turn, and one on which every army has."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from marchland.bench.timing import batch_figures, record, turn_figures
from marchland.core.game import Game
from marchland.core.orders import COLUMNS, LEFT_OUT, Packed, encode_cells
from marchland.core.state import NO_PLAYER
from marchland.games.enova.game import Enova
from marchland.games.enova.rules.orders import DEFEND, MOVE, SUPPORT
from marchland.games.enova.rules.state import Cells
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE

SIZES = ((16, 40), (10_000, 20), (62_500, 10))
"""Players and recorded turns of each torus, which has 16 tiles a player."""
BATCH = 1024
BOT_PLAYERS, BOT_TURNS = 1_000, 10


def scenarios() -> Iterator[dict[str, Any]]:
    """One line of figures for each scenario."""
    for players, turns in SIZES:
        start = Enova.new(players, seed=1, map="torus")
        side = round(start.board.size**0.5)
        yield turn_figures(f"castles/{side}x{side}/{players}p", start, record(start.copy(), castle_play, turns))
        if players == SIZES[0][0]:
            yield batch_figures(
                f"batch/{BATCH}x{side}x{side}/{players}p", start, record(start.copy(), army_play, turns), BATCH
            )
    yield bot_figures()
    yield turn_figures(f"armies/{side}x{side}/{players}p", start, record(start.copy(), army_play, turns))


def bot_figures() -> dict[str, Any]:
    """The orders of a thousand greedy bots in one process, as a server's worker computes them."""
    game = Enova.new(BOT_PLAYERS, seed=1)
    bots = [game.bots["greedy"](seed=0) for _ in range(BOT_PLAYERS)]
    seconds = []
    for _ in range(BOT_TURNS):
        began = time.process_time()
        orders = {seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)}
        seconds.append(time.process_time() - began)
        game.step(orders)
    figures = {"turns": BOT_TURNS, "cpu_s_a_turn": round(sum(seconds) / BOT_TURNS, 3), "most": round(max(seconds), 3)}
    return {"game": Enova.name, "scenario": f"greedy bots/{BOT_PLAYERS}p", **figures}


def castle_play(game: Game) -> Packed:
    """An order for every castle with units."""
    cells: Cells = game.arrays(Cells)
    return random_orders(
        game, np.flatnonzero((cells.terrain == CASTLE) & (cells.owner != NO_PLAYER) & (cells.units > 0))
    )


def army_play(game: Game) -> Packed:
    """An order for every tile with units."""
    return random_orders(game, np.flatnonzero(game.arrays(Cells).units > 0))


def random_orders(game: Game, armies: npt.NDArray[np.intp]) -> Packed:
    """Three of five armies march, the others defend or support; rows come by player, so all over the board."""
    chance = np.random.default_rng(game.turn)
    cells: Cells = game.arrays(Cells)
    armies = armies[np.argsort(cells.owner[armies], kind="stable")]
    neighbours = np.asarray(game.board.tables.neighbours).reshape(game.board.size, -1)
    to = neighbours[armies, chance.integers(0, game.board.degree, len(armies))]
    verb = chance.choice([MOVE, MOVE, MOVE, DEFEND, SUPPORT], len(armies))
    verb[(to < 0) | (cells.terrain[to] == IMPASSABLE)] = DEFEND
    table = np.zeros((COLUMNS, len(armies)), np.int64)
    table[:3] = cells.owner[armies], verb, codes(game, armies)
    table[3:5] = np.where(verb == MOVE, (codes(game, to), np.full(len(to), LEFT_OUT)), 0)
    return Packed(table)


def codes(game: Game, cells: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The cells as packed orders name them."""
    x, y = game.board.coords[cells].astype(np.int64).T
    return encode_cells(game.board.dialect, x, y)
