"""Checks that every game must pass, for games of this package and of others.

    from marchland.conformance import CHECKS, GameUnderTest

    TOY = GameUnderTest("toy", config={"turn_limit": 40})

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_toy_conforms(check):
        check(TOY)

A check is a function that raises AssertionError. It needs no pytest; `check_game` runs all of them.
"""

from marchland.conformance import (
    determinism,
    frames,
    hostile_orders,
    legends,
    maps,
    menus,
    replays,
    round_trips,
    secrecy,
    words,
)
from marchland.conformance.playing import Check, GameUnderTest

CHECKS: tuple[Check, ...] = (
    *hostile_orders.CHECKS,
    *menus.CHECKS,
    *round_trips.CHECKS,
    *determinism.CHECKS,
    *secrecy.CHECKS,
    *frames.CHECKS,
    *legends.CHECKS,
    *words.CHECKS,
    *replays.CHECKS,
    *maps.CHECKS,
)


def check_game(tested: GameUnderTest) -> None:
    """Run every check; raises AssertionError at the first that fails."""
    if not __debug__:
        raise RuntimeError("The checks are assertions: run them without -O and PYTHONOPTIMIZE.")
    for check in CHECKS:
        check(tested)


__all__ = ["CHECKS", "Check", "GameUnderTest", "check_game"]
