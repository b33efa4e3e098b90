"""One loop over many matches, compiled around each game's turn."""

from collections.abc import Callable
from typing import Any

from marchland.core.state import OVER, head_of
from marchland.kernels import kernel


def batch_turn(turn: Callable[..., Any]) -> Callable[..., None]:
    """A game's turn as one kernel over a range of matches."""

    @kernel
    def turns(  # type: ignore[no-untyped-def]
        states, stride, work, at, board, orders, order_starts, pools, pool_starts, events, rules, first, last
    ):
        for match in range(first, last):
            state = states[match * stride : (match + 1) * stride]
            if head_of(state, at)[OVER] == 0:
                turn(
                    state,
                    work,
                    at,
                    board,
                    orders[order_starts[match] : order_starts[match + 1]],
                    pools[pool_starts[match] : pool_starts[match + 1]],
                    events,
                    rules,
                )

    return turns
