from marchland.conformance import Check, GameUnderTest, menus
from tests.conformance.cases import with_every_game


@with_every_game(menus.CHECKS)
def test_menus_offer_what_is_accepted(check: Check, tested: GameUnderTest) -> None:
    check(tested)
