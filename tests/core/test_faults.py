"""A fault in a rule raises and changes nothing in the match."""

from typing import Any

import numpy as np
import pytest

import marchland
from marchland.core.batch import Batch
from marchland.core.orders import HOST_PLAYER
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.colorfight.game import Colorfight
from marchland.kernels import kernel


@kernel
def fault(state: Any, work: Any, at: Any, board: Any, orders: Any, pool: Any, events: Any, rules: Any) -> None:
    """Spoil the state and the scratch memory, then divide by zero."""
    for place in range(len(state)):
        state[place] = 85
    for place in range(len(work)):
        work[place] = 85
    state[0] = 1 // len(pool[:0])


def test_a_fault_in_step_leaves_the_match_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game, twin = (marchland.new("colorfight", 2, seed=3) for _ in range(2))
    before = game.digest()
    with monkeypatch.context() as patch:
        patch.setattr(Colorfight, "turn_kernel", fault)
        with pytest.raises(ZeroDivisionError, match=r"fault in tests\.core\.test_faults, line \d+"):
            game.step({})
    assert game.digest() == before
    game.step({})
    twin.step({})
    assert game.digest() == twin.digest()


def test_a_fault_in_act_leaves_the_match_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game = marchland.new("boidvoid", 2, seed=3)
    order = {"do": "nft", "nft": 2_000_000, "player": 0, "kind": "boost"}
    before, twin = game.digest(), game.copy()
    assert twin.act(HOST_PLAYER, order).results[HOST_PLAYER][0].ok
    with monkeypatch.context() as patch:
        patch.setattr(BoidVoid, "act_kernel", fault)
        with pytest.raises(ZeroDivisionError):
            game.act(HOST_PLAYER, order)
    assert game.digest() == before
    game.act(HOST_PLAYER, order)
    assert game.digest() == twin.digest()


def test_a_batch_refuses_to_go_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch([marchland.new("colorfight", 2, seed=3)] * 4, threads=2)
    with monkeypatch.context() as patch:
        patch.setattr(Colorfight, "turns_kernel", lambda: lambda *arguments: np.zeros(0)[0])
        with pytest.raises(IndexError):
            batch.step()
    with pytest.raises(RuntimeError, match="make a new batch"):
        batch.step()
