from marchland.conformance import Check, GameUnderTest, frames
from tests.conformance.cases import with_every_game


@with_every_game(frames.CHECKS)
def test_frames_agree_with_the_match(check: Check, tested: GameUnderTest) -> None:
    check(tested)
