"""What a match refuses, and what can befall it."""

from marchland.errors import MarchlandError


class Refused(MarchlandError):  # noqa: N818 - it says what happened
    """A request that a match turns down: a word for programs, a sentence for people. Nothing has changed."""

    def __init__(self, error: str, sentence: str) -> None:
        super().__init__(sentence)
        self.error = error


class TooLate(Refused):
    """Orders for a turn that is closed."""

    def __init__(self, turn: int, open_turn: int) -> None:
        super().__init__("too_late", f"Turn {turn} is closed; turn {open_turn} is open now.")


class MatchOver(Refused):
    """There is nothing left to play."""

    def __init__(self) -> None:
        super().__init__("over", "The match is over.")


class Lost(Exception):  # noqa: N818 - it says what happened
    """Another node runs the match now. Whoever hears this forgets the match and tells nobody anything."""


class Unavailable(Exception):  # noqa: N818 - it says what happened
    """What was asked could not be kept. Nothing was acknowledged; the same request may be sent again."""
