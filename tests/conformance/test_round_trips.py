from marchland.conformance import Check, GameUnderTest, round_trips
from tests.conformance.cases import with_every_game


@with_every_game(round_trips.CHECKS)
def test_a_match_survives_a_round_trip(check: Check, tested: GameUnderTest) -> None:
    check(tested)
