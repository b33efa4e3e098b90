"""Equal seeds and orders give equal matches: in another process, in a batch, uncompiled, and with bounds checked."""

import functools
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import marchland
from marchland.core.batch import Batch, BatchOrders
from marchland.core.orders import Packed
from tests.conformance.digests import played, presets
from tests.conformance.playing import orders_from_the_menu, small_match

GAMES = marchland.games()
RULES = [(name, preset) for name in GAMES for preset in presets(name)]
TURNS = 25


@functools.cache
def in_another_process(name: str, setting: str) -> dict[str, list[str]]:
    """The digests of a match by each set of rules, computed by a process with a setting of its own."""
    variable, _, value = setting.partition("=")
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.digests", name, str(TURNS)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, variable: value},
        capture_output=True,
        text=True,
        timeout=900,  # it may have to compile first
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(presets(name), map(str.split, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize(("name", "preset"), RULES)
def test_another_process_computes_the_same(name: str, preset: str) -> None:
    assert in_another_process(name, "PYTHONHASHSEED=1")[preset] == played(name, preset, TURNS)


@pytest.mark.parametrize(("name", "preset"), RULES)
def test_uncompiled_rules_compute_the_same(name: str, preset: str) -> None:
    assert in_another_process(name, "MARCHLAND_KERNELS=python")[preset] == played(name, preset, TURNS)


@pytest.mark.parametrize(("name", "preset"), RULES)
def test_no_kernel_leaves_its_arrays(name: str, preset: str) -> None:
    assert in_another_process(name, "MARCHLAND_KERNELS=checked")[preset] == played(name, preset, TURNS)


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_computes_the_same_as_single_matches(name: str) -> None:
    chance = random.Random(19)
    games = [small_match(name, seed=seed) for seed in range(6)]
    batch = Batch(games, threads=3)
    for _ in range(TURNS):
        packed = []
        for game in games:
            orders = {player: orders_from_the_menu(game, player, chance) for player in range(len(game.players))}
            packed.append(game.packed(orders)[0])
        for game, orders_of_one in zip(games, packed, strict=True):
            game.step(Packed(orders_of_one.table.copy(), orders_of_one.pool))
        batch.step(packed)
    assert [batch.digest(match) for match in range(len(games))] == [game.digest() for game in games]
    assert batch.turns.tolist() == [game.turn for game in games]


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_skips_or_restarts_matches_that_are_over(name: str) -> None:
    chance = random.Random(23)
    game = small_match(name)
    while game.outcome is None:
        last = game.copy()
        orders = game.packed({seat: orders_from_the_menu(game, seat, chance) for seat in range(len(game.players))})[0]
        game.step(Packed(orders.table.copy(), orders.pool))
    none = BatchOrders.of([orders])
    skipping, restarting = Batch([last]), Batch([last], ended="reset")
    for batch in (skipping, restarting):
        batch.step(none)
    assert skipping.over.tolist() == [True]
    assert skipping.digest(0) == game.digest()
    assert restarting.over.tolist() == [False]
    assert restarting.game(0).view() == last.view()
    assert restarting.digest(0) != last.digest()
