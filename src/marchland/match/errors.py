"""Why a match refuses a request."""

import math
import time

from marchland.errors import Refused, StorageUnavailable


class TooLate(Refused):
    """Orders for a turn that is closed."""

    def __init__(self, turn: int, open_turn: int) -> None:
        super().__init__("too_late", f"Turn {turn} is closed; turn {open_turn} is open now.")


class TooEarly(Refused):
    """Orders for a turn that is not open yet."""

    def __init__(self, turn: int, open_turn: int) -> None:
        super().__init__("too_early", f"Turn {turn} is not open yet; turn {open_turn} is.")


class TurnLocked(Refused):
    """Orders in the last part of a turn, in which the game takes none."""

    def __init__(self, turn: int) -> None:
        super().__init__("locked", f"Turn {turn} is about to end and takes no more orders; send them in the next turn.")


class MatchOver(Refused):
    """There is nothing left to play."""

    def __init__(self) -> None:
        super().__init__("over", "The match is over.")


class MatchBroken(Refused):
    """The match failed in a way that a restart does not repair."""

    def __init__(self) -> None:
        super().__init__("broken", "The match has broken off: it cannot go on.")


class TooManyPosts(Refused):
    """A seat has reached its limit of posts for one turn."""

    def __init__(self, seat: int, turn: int, limit: float, closes: float | None) -> None:
        posted = f"Seat {seat} has posted {limit:,} times for turn {turn}"
        super().__init__("too_many_posts", f"{posted}, which is the most; the next turn takes more.")
        self.retry = 1 if closes is None else max(1, math.ceil(closes - time.time()))


class MatchReloading(StorageUnavailable):
    """This node's copy of the match is ahead of its log or may be outdated, and is loaded again."""

    def __init__(self) -> None:
        super().__init__("The match is being loaded again.")
