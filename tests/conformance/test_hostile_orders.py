from marchland.conformance import Check, GameUnderTest, hostile_orders
from tests.conformance.cases import with_every_game


@with_every_game(hostile_orders.CHECKS)
def test_hostile_orders_do_no_harm(check: Check, tested: GameUnderTest) -> None:
    check(tested)
