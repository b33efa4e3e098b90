"""Equal seeds and orders give equal matches: in another process, in a batch, uncompiled, and with bounds checked."""

import random

from marchland.conformance.digests import play_digests, play_digests_elsewhere
from marchland.conformance.playing import Check, GameUnderTest, pick_all_orders
from marchland.core.batch import Batch, BatchOrders
from marchland.core.orders import Packed

_TURNS = 25


def check_another_process_computes_the_same(tested: GameUnderTest) -> None:
    """A process with another hash seed computes the same digests, under every preset."""
    _check_digests(tested, PYTHONHASHSEED="1")


def check_uncompiled_rules_compute_the_same(tested: GameUnderTest) -> None:
    """The kernels compute the same as plain Python functions, under every preset."""
    _check_digests(tested, MARCHLAND_KERNELS="python")


def check_no_kernel_leaves_its_arrays(tested: GameUnderTest) -> None:
    """With every index and operation checked the kernels compute the same, under every preset."""
    _check_digests(tested, MARCHLAND_KERNELS="checked")


def _check_digests(tested: GameUnderTest, **environment: str) -> None:
    expected = {preset: play_digests(tested, preset, _TURNS) for preset in tested.presets}
    assert play_digests_elsewhere(tested, _TURNS, **environment) == expected


def check_a_batch_computes_the_same_as_single_matches(tested: GameUnderTest) -> None:
    """Matches in a batch have the states of the same matches played one by one."""
    chance = random.Random(19)
    games = [tested.new(seed) for seed in range(6)]
    batch = Batch(games, threads=3)
    for _ in range(_TURNS):
        packed = [game.pack_orders(pick_all_orders(game, chance))[0] for game in games]
        for game, orders in zip(games, packed, strict=True):
            game.step(Packed(orders.table.copy(), orders.pool))
        batch.step(packed)
    assert [batch.digest(match) for match in range(len(games))] == [game.digest() for game in games]
    assert batch.turns.tolist() == [game.turn for game in games]


def check_a_batch_skips_or_restarts_finished_matches(tested: GameUnderTest) -> None:
    """A finished match in a batch stays as it is or starts again, as the batch says."""
    chance = random.Random(23)
    game = tested.new()
    last, orders = game, Packed.of_rows([])
    while game.outcome is None:
        last = game.copy()
        orders = game.pack_orders(pick_all_orders(game, chance))[0]
        game.step(Packed(orders.table.copy(), orders.pool))
    skipping, restarting = Batch([last]), Batch([last], ended="reset")
    for batch in (skipping, restarting):
        batch.step(BatchOrders.of([orders]))
    assert skipping.over.tolist() == [True]
    assert skipping.digest(0) == game.digest()
    assert restarting.over.tolist() == [False]
    assert restarting.game(0).view() == last.view()
    assert restarting.digest(0) != last.digest()


CHECKS: tuple[Check, ...] = (
    check_another_process_computes_the_same,
    check_uncompiled_rules_compute_the_same,
    check_no_kernel_leaves_its_arrays,
    check_a_batch_computes_the_same_as_single_matches,
    check_a_batch_skips_or_restarts_finished_matches,
)
