"""Times of turns, with the time to copy the state beside them, since machines differ and are shared."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from marchland.core.batch import Batch, BatchOrders
from marchland.core.events import NO_EVENTS
from marchland.core.game import Game
from marchland.core.orders import Packed
from marchland.core.report import Report

_ROUNDS = 5
_LEAST_SECONDS = 0.2


def record(game: Game, orders_for: Callable[[Game], Any], turns: int) -> list[Packed]:
    """Play ``turns`` turns of ``game`` and return the orders of each; ``orders_for`` makes them."""
    packed = []
    for _ in range(turns):
        report = game.step(orders_for(game))
        packed.append(report.orders)
        if game.outcome:
            break
    return packed


def turn_figures(scenario: str, start: Game, turns: Sequence[Packed]) -> dict[str, Any]:
    """The turn alone, from kernel entry to exit, over a recorded match; and its ratio to copying the state."""
    turn, events = type(start).turn_kernel, NO_EVENTS.copy()
    best = copying = float("inf")
    for _ in range(_rounds(start, turns)):
        game = start.copy()
        for packed in turns:
            game.reserve(packed)
        calls = [
            (
                game.buffer,
                game.workspace,
                game.layout.at,
                game.board.arrays,
                packed.table.reshape(-1),
                packed.pool,
                events,
            )
            for packed in turns
        ]
        began = time.perf_counter()
        for arguments in calls:
            turn(*arguments, game.rules)
        seconds = (time.perf_counter() - began) / len(calls)
        best, copying = min(best, seconds), min(copying, _copy_seconds(game))
    return _figures(scenario, start, turns, best) | {"memcpy_ratio": round(best / copying, 2)}


def step_figures(
    scenario: str,
    start: Game,
    given: Sequence[dict[int, list[dict[str, Any]]]],
    after: Callable[[Any, Report], object] = lambda game, report: None,
) -> dict[str, Any]:
    """The same turns through `Game.step`, with orders as plain dicts; ``after`` each turn something may follow."""
    turns = [start.pack_orders(orders)[0] for orders in given]
    best = float("inf")
    for _ in range(_rounds(start, turns)):
        game = start.copy()
        began = time.perf_counter()
        for orders in given:
            after(game, game.step(orders))
        best = min(best, (time.perf_counter() - began) / len(given))
    return _figures(scenario, start, turns, best)


def batch_figures(scenario: str, start: Game, turns: Sequence[Packed], matches: int) -> dict[str, Any]:
    """Many copies of one match in a batch, on all cores, with orders supplied."""
    batch = Batch([start] * matches)
    supplied = [BatchOrders.of([packed] * matches) for packed in turns]
    batch.step(supplied[0])
    began = time.perf_counter()
    for orders in supplied[1:]:
        batch.step(orders)
    seconds = (time.perf_counter() - began) / (len(supplied) - 1) / matches
    return _figures(scenario, start, turns, seconds) | {"match_turns_per_second": round(1 / seconds)}


def _rounds(start: Game, turns: Sequence[Packed]) -> int:
    """More rounds for what is over quickly, so that a noisy moment does not decide."""
    game = start.copy()
    began = time.perf_counter()
    for packed in turns:
        game.apply_packed(packed)
    return max(_ROUNDS, min(200, round(_LEAST_SECONDS / (time.perf_counter() - began))))


def _copy_seconds(game: Game) -> float:
    times = max(20, 5_000_000 // game.layout.size)
    source, target = game.buffer, game.buffer.copy()
    began = time.perf_counter()
    for _ in range(times):
        np.copyto(target, source)
    return (time.perf_counter() - began) / times


def _figures(scenario: str, start: Game, turns: Sequence[Packed], seconds: float) -> dict[str, Any]:
    return {
        "game": start.name,
        "scenario": scenario,
        "cells": start.board.size,
        "players": len(start.players),
        "orders_per_turn": round(sum(map(len, turns)) / len(turns), 1),
        "us_per_turn": round(seconds * 1e6, 2),
        "ns_per_cell": round(seconds * 1e9 / start.board.size, 3),
    }
