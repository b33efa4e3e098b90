from marchland.conformance import Check, GameUnderTest, words
from tests.conformance.cases import with_every_game


@with_every_game(words.CHECKS)
def test_everything_that_players_read_has_words(check: Check, tested: GameUnderTest) -> None:
    check(tested)
