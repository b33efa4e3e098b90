"""Duels between bots in this process, with the figures of ``marchland bench fairness duel``."""

import time
from collections.abc import Sequence
from typing import Any

from marchland.bench.fairness import Setup, duel_figures, duel_tasks, play_all
from marchland.core.game import Game
from tests.support.baseline_bots import bot_path


def duel(game: str, rival: str, seeds: Sequence[int], bot: str = "greedy", **setup: Any) -> dict[str, Any]:
    """The figures of ``bot`` against a baseline bot, or a built-in one of that name."""
    opponent = rival if "_" not in rival else bot_path(rival)
    tasks = duel_tasks(Setup(game, 2, **setup), (bot, opponent), seeds)
    return duel_figures(tasks, play_all(tasks, processes=1))


def mean_answer_milliseconds(game: Game, turns: int, bot: str = "greedy") -> float:
    """The CPU time that the bot takes for a turn when it plays all seats."""
    bots = [game.bots[bot](seed=seat) for seat in range(len(game.players))]
    seconds, answers = 0.0, 0
    while game.outcome is None and game.turn <= turns:
        orders = {}
        for seat, player in enumerate(bots):
            observation = game.observe(seat)
            began = time.process_time()
            orders[seat] = player.play(observation)
            seconds += time.process_time() - began
            answers += 1
        game.step(orders)
    return 1e3 * seconds / answers
