"""What a match refuses, and what can befall it."""

import math
import time

from marchland.errors import MarchlandError
from marchland.match.journal import Post


class Refused(MarchlandError):  # noqa: N818 - it says what happened
    """A request that a match turns down: a word for programs, a sentence for people. Nothing has changed."""

    retry: int | None = None
    """Seconds after which it may be asked again, where only its time was wrong."""

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


class BrokenOff(Refused):
    """Something went wrong that nobody can put right."""

    def __init__(self) -> None:
        super().__init__("broken", "The match has broken off: it cannot go on.")


class TooManyPosts(Refused):
    """A seat has posted as often as it may in one turn."""

    def __init__(self, post: Post, most: float, closes: float | None) -> None:
        said = f"Seat {post.seat} has posted {most:,} times for turn {post.turn}"
        super().__init__("too_many_posts", f"{said}, which is the most; the next turn takes more.")
        self.retry = 1 if closes is None else max(1, math.ceil(closes - time.time()))


class Lost(Exception):  # noqa: N818 - it says what happened
    """Another node runs the match now. Whoever hears this forgets the match and tells nobody anything."""


class Unavailable(Exception):  # noqa: N818 - it says what happened
    """What was asked could not be kept. Nothing was acknowledged; the same request may be sent again."""
