"""How much food the teams of a match collect as it goes on (ruling 4)."""

from typing import Any

import numpy as np

import marchland
from marchland.games.datspulse.rules.events import COLLECTED, PLACES
from marchland.games.datspulse.rules.state import NECTAR


def collected_by_half(teams: int, seed: int, **config: Any) -> tuple[int, int]:
    """The calories of apples and bread that greedy bots collect in the first and in the second half of a match."""
    game = marchland.new("datspulse", teams, seed=seed, config=config)
    bots = [game.bots["greedy"](seed=seat) for seat in range(teams)]
    worth = np.array([0, *game.config.calories])
    worth[NECTAR] = 0  # it was apples or bread before
    by_turn = []
    while game.outcome is None:
        rows = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)}).event_rows
        rows = rows[rows[:, 0] == COLLECTED]
        food, amount = (rows[:, PLACES[COLLECTED][name]] for name in ("food", "amount"))
        by_turn.append(int((worth[food] * amount).sum()))
    half = len(by_turn) // 2
    return sum(by_turn[:half]), sum(by_turn[half:])
