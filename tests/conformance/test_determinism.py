from marchland.conformance import Check, GameUnderTest, determinism
from tests.conformance.cases import with_every_game


@with_every_game(determinism.CHECKS)
def test_equal_seeds_and_orders_give_equal_matches(check: Check, tested: GameUnderTest) -> None:
    check(tested)
