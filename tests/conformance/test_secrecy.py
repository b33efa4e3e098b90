from marchland.conformance import Check, GameUnderTest, secrecy
from tests.conformance.cases import with_every_game


@with_every_game(secrecy.CHECKS)
def test_secrets_stay_secret(check: Check, tested: GameUnderTest) -> None:
    check(tested)
